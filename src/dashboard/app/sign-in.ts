import { SessionDocument, type SessionQuery } from '../generated/graphql.ts'
import { makeClient } from './client.ts'
import type { Credential } from './credential.ts'
import { problemOf } from './problem.ts'

export type Opening =
  | NonNullable<SessionQuery['caller']>
  | { refused: string /** Whether trying again with this key is of no use. */; final: boolean }

/** Checks the credential with the store before it is remembered and before any page is shown. */
export async function openSession(credential: Credential): Promise<Opening> {
  const { data, error } = await makeClient(credential, () => {})
    .query(SessionDocument, {})
    .toPromise()
  if (error) {
    const { code, message } = problemOf(error)
    if (code === 'unauthorized')
      return { refused: 'No such key: it may be mistyped, expired or revoked.', final: true }
    return { refused: message, final: false }
  }
  const caller = data?.caller
  if (!caller) return { refused: 'The service gave no answer that this page can read.', final: false }
  if (!caller.operator && !caller.scopes.includes('project_read')) {
    return {
      refused: 'This key works, but lacks the scope project:read that the dashboard needs.',
      final: true,
    }
  }
  return caller
}
