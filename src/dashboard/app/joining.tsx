import { page } from './missing-code.ts'

export const Invitation = page(() => import('../pages/invitation.tsx'))

export const Join = page(() => import('../pages/join.tsx'))

/** Returns the project in the URL of the join page; null on other pages. */
export const projectToJoin = () => /^\/dashboard\/join\/([a-z0-9-]+)$/.exec(location.pathname)?.[1] ?? null

/** The page of an invitation's link, which needs no key. */
export const isInvitation = () => location.pathname === '/dashboard/invitation'

/**
 * Resolves when the code of the page is loaded, or after a short time. On other pages than these two, resolves at once.
 */
export async function loadJoining(): Promise<void> {
  if (projectToJoin() !== null) await Join.load()
  else if (isInvitation()) await Invitation.load()
}
