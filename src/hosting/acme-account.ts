import acme from 'acme-client'
import type { Db } from '../core/db.ts'
import { findOrCreateAccountKey } from './account-key.ts'
import { understood } from './acme-errors.ts'
import type { ClaimedSeal } from './seal-claim.ts'

/** The credentials that some authorities give to their customers (RFC 8555, 7.3.4). */
export type ExternalAccount = { keyId: string; hmacKey: string }

export type AcmeSettings = {
  directoryUrl: string
  email: string | null
  externalAccount?: ExternalAccount | null
}

/** Opens our account at the authority. All processes share one account, identified by its key. */
export async function openAccount(
  db: Db,
  seal: ClaimedSeal,
  settings: AcmeSettings,
  who: string,
): Promise<acme.Client> {
  const { directoryUrl, email, externalAccount } = settings
  const makeKey = async () => (await acme.crypto.createPrivateEcdsaKey()).toString()
  const { key: accountKey, url } = await findOrCreateAccountKey(db, seal, directoryUrl, makeKey)
  const client = new acme.Client({
    directoryUrl,
    accountKey,
    ...(url && { accountUrl: url }),
    ...(externalAccount && {
      externalAccountBinding: { kid: externalAccount.keyId, hmacKey: externalAccount.hmacKey },
    }),
  })
  nonceRetriesOf(client).maxBadNonceRetries = 20
  const contact = email === null ? {} : { contact: [`mailto:${email}`] }
  if (url) {
    // Since the last start the operator may have changed the address. Orders do not need it, so ignore a refusal; the
    // next start sends it again.
    if (email !== null) await client.updateAccount(contact).catch(() => {})
    return client
  }
  // For a known key the authority returns the existing account, so concurrent processes get the same one.
  await understood(who, client.createAccount({ termsOfServiceAgreed: true, ...contact }))
  await db.acmeAccount.updateMany({ where: { directoryUrl }, data: { url: client.getAccountUrl() } })
  return client
}

/** Fails the start if this version of the library has no `maxBadNonceRetries`; otherwise the first order would fail. */
export function requireNonceRetries(directoryUrl: string): void {
  nonceRetriesOf(new acme.Client({ directoryUrl, accountKey: '' }))
}

/**
 * Allows more retries for rejected nonces, each of which costs a request. Five rejections in a row happen, twenty do
 * not. The library has no option for this.
 */
function nonceRetriesOf(client: acme.Client): { maxBadNonceRetries: number } {
  const { http } = client as unknown as { http?: { maxBadNonceRetries: number } }
  if (typeof http?.maxBadNonceRetries === 'number') return http
  throw new Error('This acme-client has no http.maxBadNonceRetries; src/hosting/acme-account.ts needs it.')
}

export async function forgetAccountUrl(db: Db, directoryUrl: string): Promise<void> {
  await db.acmeAccount.updateMany({ where: { directoryUrl }, data: { url: null } })
}
