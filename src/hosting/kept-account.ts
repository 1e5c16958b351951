import type { Db } from '../core/db.ts'
import { AuthorityRefusal } from './certificate-authority.ts'
import type { OwnSeal } from './own-seal.ts'
import { accountLabel } from './sealing.ts'

/** What an authority knows us by: one for all processes, sealed in the database and made the first time. */
export async function keepAccount(
  db: Db,
  seal: OwnSeal,
  directoryUrl: string,
  makeKey: () => Promise<string>,
): Promise<{ key: string; url: string | null }> {
  const { sealedKey, url } = await findAccount(db, seal, directoryUrl, makeKey)
  if (seal.keyOf(sealedKey, accountLabel(directoryUrl)) === null) {
    await seal.requireKey()
    // Not replaced here: a process that was given a wrong key would take the account from all others.
    const message =
      "The key of the platform's account at the certificate authority cannot be opened. Re-verify opens a new account."
    throw new AuthorityRefusal('key_unreadable', message)
  }
  return { key: seal.open(sealedKey, accountLabel(directoryUrl)), url }
}

async function findAccount(db: Db, seal: OwnSeal, directoryUrl: string, makeKey: () => Promise<string>) {
  const known = await db.acmeAccount.findUnique({ where: { directoryUrl } })
  if (known) return known
  const sealedKey = await seal.close(await makeKey(), accountLabel(directoryUrl))
  await db.acmeAccount.createMany({ data: [{ directoryUrl, sealedKey }], skipDuplicates: true })
  return db.acmeAccount.findUniqueOrThrow({ where: { directoryUrl } })
}
