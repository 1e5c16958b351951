import { now } from './clock.ts'
import { isLeaving } from './leaving.ts'
import { type Access, asOperator, fetchAccess } from './person.ts'

/** Authorizes the requests: an API key, or the access token of a signed-in person. */
export type Credential = string | PersonCredential

/** A person's token for one project, renewed before its end. It is held in memory only. */
export type PersonCredential = { access: Access; bearer(): Promise<string> }

/** Renew a token that ends within this time, so that no token ends while its request is under way. */
const marginMs = 60_000

export function credentialOf(first: Access): PersonCredential {
  let access = first
  let renewing: Promise<Access | null> | null = null
  const isFresh = () => Date.parse(access.expiresAt) - now() > marginMs
  return {
    access: first,
    async bearer() {
      // While the page is being closed, no answer to a renewal would arrive.
      if (isFresh() || isLeaving()) return access.token
      // Requests that find an old token at the same time share one renewal.
      renewing ??= fetchAccess(first.project ?? asOperator).finally(() => {
        renewing = null
      })
      const renewed = await renewing
      // If the person has lost access to the project, or is no longer an operator, `fetchAccess` may return a token for
      // another project. The open pages do not belong to the other project, so keep the old token.
      if (renewed?.project === first.project) access = renewed
      return access.token
    },
  }
}

export const bearerOf = async (credential: Credential) =>
  typeof credential === 'string' ? credential : credential.bearer()
