import acme from 'acme-client'
import type { Db } from '../core/db.ts'
import { findOrCreateAccountKey } from './account-key.ts'
import type { ClaimedSeal } from './seal-claim.ts'

export type AcmeSettings = { directoryUrl: string; email: string | null }

/** Opens our account at the authority. All processes share one account, found by its key. */
export async function openAccount(db: Db, seal: ClaimedSeal, settings: AcmeSettings): Promise<acme.Client> {
  const { directoryUrl, email } = settings
  const makeKey = async () => (await acme.crypto.createPrivateEcdsaKey()).toString()
  const { key: accountKey, url } = await findOrCreateAccountKey(db, seal, directoryUrl, makeKey)
  const client = new acme.Client({ directoryUrl, accountKey, ...(url && { accountUrl: url }) })
  nonceRetriesOf(client).maxBadNonceRetries = 20
  if (url) return client
  // The authority returns the existing account for a known key, so concurrent processes get the same one.
  await client.createAccount({ termsOfServiceAgreed: true, ...(email && { contact: [`mailto:${email}`] }) })
  await db.acmeAccount.updateMany({ where: { directoryUrl }, data: { url: client.getAccountUrl() } })
  return client
}

/** Fails the start, instead of the first order, if another version of the library counts its retries elsewhere. */
export function requireNonceRetries(directoryUrl: string): void {
  nonceRetriesOf(new acme.Client({ directoryUrl, accountKey: '' }))
}

/** A rejected nonce costs one more request. Five rejections in a row happen, twenty do not. No option sets this. */
function nonceRetriesOf(client: acme.Client): { maxBadNonceRetries: number } {
  const { http } = client as unknown as { http?: { maxBadNonceRetries: number } }
  if (typeof http?.maxBadNonceRetries === 'number') return http
  throw new Error('This acme-client has no http.maxBadNonceRetries; src/hosting/acme-account.ts needs it.')
}

export async function forgetAccountUrl(db: Db, directoryUrl: string): Promise<void> {
  await db.acmeAccount.updateMany({ where: { directoryUrl }, data: { url: null } })
}
