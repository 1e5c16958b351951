import { t } from '../texts/index.ts'
import { postSession } from './person.ts'

/** Returns the host of the identity provider; null if the service has none. */
export async function findIssuer(): Promise<string | null> {
  const { host } = await postSession<{ host: string | null }>('/issuer/show')
  return host
}

/** Sends the browser to the identity provider, which sends it back to the dashboard. */
export async function signInAtIssuer(how: { invitation?: string; join?: string } = {}): Promise<void> {
  const isJoining = how.invitation !== undefined || how.join !== undefined
  const returnTo = isJoining ? '/dashboard/' : location.pathname + location.search
  const { url } = await postSession<{ url: string }>('/issuer', { returnTo, ...how })
  location.assign(url)
}

const reasons: Record<string, string> = {
  expired: t.signIn.thisSignInTookToo,
  refused: t.signIn.identityProviderDidNotSign,
  stranger: t.signIn.youBelongToNoProject,
  not_admitted: t.signIn.projectDoesNotAdmitYour,
  too_many_members: t.signIn.projectHasNoRoomFor,
  unavailable: t.signIn.identityProviderDoesNotAnswer,
  invitation_not_found: t.signIn.thisLinkWasUsedWithdrawn,
}

/** Reads how a sign-in at the identity provider ended, which the service writes into the fragment. */
export function takeOutcome(): { signedIn: boolean; refused: string | null } {
  const [kind, reason = ''] = location.hash.slice(1).split(':')
  const signedIn = kind === 'signed-in'
  if (!signedIn && kind !== 'refused') return { signedIn: false, refused: null }
  history.replaceState(null, '', location.pathname + location.search)
  if (signedIn) return { signedIn, refused: null }
  // Show only known reasons, because anybody can make a link to this page with any reason.
  return { signedIn, refused: (Object.hasOwn(reasons, reason) ? reasons[reason] : reasons.refused) ?? null }
}
