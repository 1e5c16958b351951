import { endpointLabel } from '../core/events/endpoints.ts'
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { StartRefused } from '../tools/start-refused.ts'
import { accountLabel, certificateLabel, type Seal } from './seal.ts'

const select = { name: true, sealedKey: true, sealedOrderKey: true, unreadableSince: true } as const
export type CertificateKeys = Prisma.CertificateGetPayload<{ select: typeof select }>

const pageSize = 200

/** Yields all sealed certificate keys page by page, so that other work can run in between. */
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

const secretSelect = { id: true, sealedSecret: true, sealedPreviousSecret: true } as const
export type EndpointSecrets = Prisma.WebhookEndpointGetPayload<{ select: typeof secretSelect }>

/**
 * Yields the sealed secrets of all webhook endpoints page by page. Does not use Prisma's `cursor`: if the endpoint that it
 * names has been removed, the page is empty.
 */
export async function* readEndpointSecrets(db: PrismaClient): AsyncGenerator<EndpointSecrets[]> {
  for (let after: string | null = null; ; ) {
    const page: EndpointSecrets[] = await db.webhookEndpoint.findMany({
      ...(after && { where: { id: { gt: after } } }),
      orderBy: { id: 'asc' },
      take: pageSize,
      select: secretSelect,
    })
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.id
  }
}

/**
 * Fails the start if this process' keys open none of the stored secrets, because other processes could not open
 * what this process seals.
 */
export async function requireSecretsKey(db: PrismaClient, seal: Opening): Promise<void> {
  // Read the keys even if nothing is sealed yet, so that a damaged file fails the start and not the first certificate.
  seal.fingerprints()
  if ((await opensAny(db, seal)) !== false) return
  throw new StartRefused(
    'SECRETS_KEY decrypts none of the private keys in the database. Set it to the key that encrypted them. ' +
      'To replace that key, put the new key first: SECRETS_KEY=NEW,OLD. If the key is lost, see docs/domains.md.',
  )
}

type Opening = Pick<Seal, 'keyOf' | 'fingerprints'>

/** True if at least one private key or webhook secret in the database opens. Null if there are none. */
export async function opensAny(db: PrismaClient, seal: Opening): Promise<boolean | null> {
  const accounts = await db.acmeAccount.findMany({ select: { directoryUrl: true, sealedKey: true } })
  if (accounts.some(one => seal.keyOf(one.sealedKey, accountLabel(one.directoryUrl)) !== null)) return true
  let found = accounts.length
  for await (const page of readCertificateKeys(db, { sealedKey: { not: null } })) {
    if (page.some(row => row.sealedKey && seal.keyOf(row.sealedKey, certificateLabel(row.name)) !== null))
      return true
    found += page.length
  }
  for await (const page of readEndpointSecrets(db)) {
    if (page.some(row => seal.keyOf(row.sealedSecret, endpointLabel(row.id)) !== null)) return true
    found += page.length
  }
  return found === 0 ? null : false
}
