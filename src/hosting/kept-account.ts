import type { Db } from '../core/db.ts'
import type { Seal } from './sealing.ts'

/** What an authority knows us by: one for all processes, sealed in the database and made the first time. */
export async function keepAccount(
  db: Db,
  seal: Seal,
  directoryUrl: string,
  makeKey: () => Promise<string>,
): Promise<{ key: string; url: string | null }> {
  const { sealedKey, url } = await findAccount(db, seal, directoryUrl, makeKey)
  return { key: seal.open(sealedKey, labelOf(directoryUrl)), url }
}

async function findAccount(db: Db, seal: Seal, directoryUrl: string, makeKey: () => Promise<string>) {
  const known = await db.acmeAccount.findUnique({ where: { directoryUrl } })
  if (known) return known
  const sealedKey = seal.close(await makeKey(), labelOf(directoryUrl))
  await db.acmeAccount.createMany({ data: [{ directoryUrl, sealedKey }], skipDuplicates: true })
  return db.acmeAccount.findUniqueOrThrow({ where: { directoryUrl } })
}

const labelOf = (directoryUrl: string) => `account:${directoryUrl}`
