import acme from 'acme-client'
import type { Db } from '../core/db.ts'
import { keepAccount } from './kept-account.ts'
import type { OwnSeal } from './own-seal.ts'

export type AcmeSettings = { directoryUrl: string; email: string | null }

/** Our account at the authority: one for all processes, found again by its key. */
export async function openAccount(db: Db, seal: OwnSeal, settings: AcmeSettings): Promise<acme.Client> {
  const { directoryUrl, email } = settings
  const makeKey = async () => (await acme.crypto.createPrivateEcdsaKey()).toString()
  const { key: accountKey, url } = await keepAccount(db, seal, directoryUrl, makeKey)
  const client = new acme.Client({ directoryUrl, accountKey, ...(url && { accountUrl: url }) })
  nonceRetriesOf(client).maxBadNonceRetries = 20
  if (url) return client
  // Whoever asks with a key that the authority knows already gets the same account, so a race costs nothing.
  await client.createAccount({ termsOfServiceAgreed: true, ...(email && { contact: [`mailto:${email}`] }) })
  await db.acmeAccount.updateMany({ where: { directoryUrl }, data: { url: client.getAccountUrl() } })
  return client
}

/** A start with a library that counts its retries elsewhere ends here, and not the first order. */
export function requireNonceRetries(directoryUrl: string): void {
  nonceRetriesOf(new acme.Client({ directoryUrl, accountKey: '' }))
}

/** A refused nonce costs one more request and no more; five in a row happen, twenty do not. No option sets this. */
function nonceRetriesOf(client: acme.Client): { maxBadNonceRetries: number } {
  const { http } = client as unknown as { http?: { maxBadNonceRetries: number } }
  if (typeof http?.maxBadNonceRetries === 'number') return http
  throw new Error('This acme-client has no http.maxBadNonceRetries; src/hosting/acme-account.ts needs it.')
}

export async function forgetAccountUrl(db: Db, directoryUrl: string): Promise<void> {
  await db.acmeAccount.updateMany({ where: { directoryUrl }, data: { url: null } })
}
