import { t } from '../texts/index.ts'
import { setClockBy } from './clock.ts'

/**
 * A person's access to one project or, as operator, to the service as a whole. `projects` lists the projects that the
 * person can change to.
 */
export type Access = {
  token: string
  expiresAt: string
  /** Null as operator. */
  project: string | null
  role: Role | null
  projects: { slug: string; name: string; role: Role }[]
  /** `needs_passkey`: the person is an operator, but did not sign in with a passkey. */
  operator: 'granted' | 'needs_passkey' | null
}
/** Used in place of a project's slug to mean the service as a whole. No project's slug has this form. */
export const asOperator = '*'
export type Role = 'viewer' | 'developer' | 'owner'
export type Invited = {
  project: { slug: string; name: string }
  role: Role
  invitedBy: string | null
  /** The signed-in person. `isMember`: the person has this role or a higher one already. */
  openedBy: { name: string; isMember: boolean } | null
}

/** A refused step of a sign-in, with the store's message. */
export class SessionError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Sends a step of a sign-in. Only these routes use the session's cookie, which no script can read. */
export async function postSession<Answer>(path: string, body: object = {}, bearer?: string): Promise<Answer> {
  const answer = await fetch(`/session${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(bearer && { Authorization: `Bearer ${bearer}` }) },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new SessionError('offline', t.signIn.storeCannotBeReachedCheck)
  })
  // Set the clock by this answer, because the token's expiry is in the service's time.
  setClockBy(answer)
  const answerJson = await answer.json().catch(() => ({}))
  if (answer.ok) return answerJson as Answer
  const { code = 'unreadable', message = t.signIn.serviceGaveAnswerThatThis } = answerJson
  throw new SessionError(code, message)
}

/** `signOutAt`: where to sign out of the identity provider, if the session began there. */
type Ended = { signOutAt?: string | null; mustAsk?: boolean }

/**
 * Ends the session, unless it has ended already. With `ask`, does not end the session of a person who could not sign in
 * again, and returns `mustAsk` instead.
 */
export async function endSession(bearer: string, ask: boolean): Promise<Ended> {
  try {
    return await postSession<Ended>('/end', { ask }, bearer)
  } catch (error) {
    if (error instanceof SessionError && error.code === 'unauthorized') return {}
    throw error
  }
}

const place = 'animal-store.person'

/**
 * Notes that this browser has a session. Without the note, the sign-in page would request a session that does not
 * exist. The note is no secret.
 */
export function noteSession(project: string): void {
  localStorage.setItem(place, project)
  sessionStorage.setItem(place, project)
}

/** Forgets the session in this tab only, because other tabs may still use it. */
export const leaveSession = () => sessionStorage.removeItem(place)

export function forgetSession(): void {
  localStorage.removeItem(place)
  leaveSession()
}

/**
 * Returns the project that the signed-in person opened in this tab; null if no person is signed in in this tab. Another
 * tab cannot change the project of this tab.
 */
export const projectOfTab = () => sessionStorage.getItem(place)

/** Returns the project of this tab or, in a new tab, the project that was opened last. */
export const notedProject = () => projectOfTab() ?? localStorage.getItem(place)

/**
 * Gets a token for a project, or for the project joined last. Returns null if no person is signed in in this browser.
 */
export async function fetchAccess(project: string | null): Promise<Access | null> {
  const ask = (slug: string | null) =>
    postSession<Access>('/token', slug === asOperator ? { operator: true } : { project: slug })
  const isLost = ({ code }: SessionError) => code === 'project_not_found' || code === 'insufficient_scope'
  try {
    return await ask(project)
      .catch(error => {
        // The person left this project, was removed from it, or is no operator any more.
        if (project !== null && isLost(error)) return ask(null)
        throw error
      })
      .catch(error => {
        // The person may be an operator who belongs to no project.
        if (error.code === 'project_not_found') return ask(asOperator)
        throw error
      })
  } catch (error) {
    if (error instanceof SessionError && (error.code === 'unauthorized' || isLost(error))) return null
    throw error
  }
}

/** True where browsers allow passkeys: over HTTPS and at localhost, but never at an IP address. */
export const hasPasskeys = () =>
  'PublicKeyCredential' in window &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  !/^[\d.]+$|:/.test(location.hostname)
