import { page } from './missing-code.ts'

export const Invitation = page(() => import('../pages/invitation.tsx'))

export const Join = page(() => import('../pages/join.tsx'))

/** Returns the project in the URL of the join page; null on other pages. */
export const projectToJoin = () => /^\/dashboard\/join\/([a-z0-9-]+)$/.exec(location.pathname)?.[1] ?? null

/** The page of an invitation's link, which needs no key. */
export const isInvitation = () => location.pathname === '/dashboard/invitation'

/** Waits, but not for long, until the code of these two pages is loaded, if the URL asks for one of them. */
export async function loadJoining(): Promise<void> {
  if (projectToJoin() !== null) await Join.load()
  else if (isInvitation()) await Invitation.load()
}
