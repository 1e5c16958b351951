import type { Db } from '../core/db.ts'
import { AuthorityRefusal } from './certificate-authority.ts'
import { accountLabel } from './seal.ts'
import type { ClaimedSeal } from './seal-claim.ts'

/** Returns the key of our account at an authority. It is created once for all processes and stored sealed. */
export async function findOrCreateAccountKey(
  db: Db,
  seal: ClaimedSeal,
  directoryUrl: string,
  makeKey: () => Promise<string>,
): Promise<{ key: string; url: string | null }> {
  const { sealedKey, url } = await findAccount(db, seal, directoryUrl, makeKey)
  if (seal.keyOf(sealedKey, accountLabel(directoryUrl)) === null) {
    await seal.requireKey()
    // Do not replace the account key here. A process with a wrong SECRETS_KEY cannot decrypt the key. If that process
    // stored a new key, all other processes would lose the account.
    const message =
      "The key of the platform's account at the certificate authority cannot be decrypted. Re-verify creates a new account."
    throw new AuthorityRefusal('key_unreadable', message)
  }
  return { key: seal.open(sealedKey, accountLabel(directoryUrl)), url }
}

async function findAccount(db: Db, seal: ClaimedSeal, directoryUrl: string, makeKey: () => Promise<string>) {
  const known = await db.acmeAccount.findUnique({ where: { directoryUrl } })
  if (known) return known
  const sealedKey = await seal.close(await makeKey(), accountLabel(directoryUrl))
  await db.acmeAccount.createMany({ data: [{ directoryUrl, sealedKey }], skipDuplicates: true })
  return db.acmeAccount.findUniqueOrThrow({ where: { directoryUrl } })
}
