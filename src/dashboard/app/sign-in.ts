import { SessionDocument, type SessionQuery } from '../generated/graphql.ts'
import { t } from '../texts/index.ts'
import { makeClient } from './client.ts'
import type { Credential } from './credential.ts'
import { problemOf } from './problem.ts'

export type Opening = NonNullable<SessionQuery['caller']> | { refused: string; final: boolean }

const noSuchKey = { refused: t.signIn.noSuchKeyItMay, final: true }

/**
 * Asks the store about the caller. If the dashboard cannot use the key or the token, `refused` is the reason. `final`
 * is true if a second attempt with the same key or token would fail too.
 */
export async function openSession(credential: Credential): Promise<Opening> {
  // A header cannot hold such a character, for example the "…" behind a key's prefix in a list.
  if (typeof credential === 'string' && /[^ -\xff]/.test(credential)) return noSuchKey
  const { data, error } = await makeClient(credential, () => {})
    .query(SessionDocument, {})
    .toPromise()
  if (error) {
    const { code, message } = problemOf(error)
    if (code === 'unauthorized') return noSuchKey
    return { refused: message, final: false }
  }
  const caller = data?.caller
  if (!caller) return { refused: t.signIn.serviceGaveNoAnswerThat, final: false }
  if (!caller.operator && !caller.scopes.includes('project_read')) {
    return {
      refused: t.signIn.thisKeyWorksButLacks,
      final: true,
    }
  }
  return caller
}
