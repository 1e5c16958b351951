import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { StartRefused } from '../tools/start-refused.ts'
import { accountLabel, certificateLabel, type Seal } from './sealing.ts'

const select = { name: true, sealedKey: true, sealedOrderKey: true, unreadableSince: true } as const
export type CertificateKeys = Prisma.CertificateGetPayload<{ select: typeof select }>

const pageSize = 200

/** The sealed keys of all certificates, a page at a time, so that others get their turn in between. */
export async function* readCertificateKeys(
  db: PrismaClient,
  where: Prisma.CertificateWhereInput = {},
): AsyncGenerator<CertificateKeys[]> {
  for (let after = ''; ; ) {
    const page = await db.certificate.findMany({
      where: { ...where, name: { gt: after } },
      orderBy: { name: 'asc' },
      take: pageSize,
      select,
    })
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.name
  }
}

/** Refuses a start with keys that open nothing: what such a process issued nobody else could use. */
export async function requireSecretsKey(db: PrismaClient, seal: Opening): Promise<void> {
  // Has them read also where nothing is sealed yet: damaged ones refuse the start, and not the first certificate.
  seal.fingerprints()
  if ((await opensAny(db, seal)) !== false) return
  throw new StartRefused(
    'SECRETS_KEY opens none of the private keys in the database. Give the key that has sealed them; ' +
      'to change it, the new one before it: SECRETS_KEY=NEW,OLD. If it is lost, docs/domains.md tells how to go on.',
  )
}

type Opening = Pick<Seal, 'keyOf' | 'fingerprints'>

/** Whether any of the private keys in the database opens; null where there are none. */
export async function opensAny(db: PrismaClient, seal: Opening): Promise<boolean | null> {
  const accounts = await db.acmeAccount.findMany({ select: { directoryUrl: true, sealedKey: true } })
  if (accounts.some(one => seal.keyOf(one.sealedKey, accountLabel(one.directoryUrl)) !== null)) return true
  let found = accounts.length
  for await (const page of readCertificateKeys(db, { sealedKey: { not: null } })) {
    if (page.some(row => row.sealedKey && seal.keyOf(row.sealedKey, certificateLabel(row.name)) !== null))
      return true
    found += page.length
  }
  return found === 0 ? null : false
}
