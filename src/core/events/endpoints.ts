import { runPieceInTurn } from '../../database/pieces.ts'
import type { PrismaClient, WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { Clock } from '../../tools/clock.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import { StoreError } from '../errors.ts'
import type { Project } from '../project.ts'
import { changeProject } from '../project-lock.ts'
import { forgetDeliveries } from './delivery-retention.ts'
import { type EndpointInput, type EndpointRules, parseEndpoint } from './endpoint-rules.ts'
import { dropUnwanted } from './set-aside.ts'
import { makeSigningSecret } from './signature.ts'

/** Secrets are stored encrypted, so that the database and its backups do not reveal them. */
export type SecretSeal = {
  close(secret: string, label: string): Promise<Uint8Array<ArrayBuffer>>
  open(sealed: Uint8Array, label: string): string
}
export type EndpointTools = { db: PrismaClient; clock: Clock; seal: SecretSeal; rules: EndpointRules }

/** An endpoint as the API shows it, without its secrets. */
export type Endpoint = Omit<
  WebhookEndpoint,
  'sealedSecret' | 'sealedPreviousSecret' | 'lease' | 'leasedUntil' | 'setAsideInRow' | 'rests'
>
export type EndpointWithSecret = { endpoint: Endpoint; secret: string }

export const mostEndpoints = 20
const previousSecretMs = 24 * 60 * 60 * 1000
const none: EndpointInput = { url: '', description: null, types: [], enabled: true }

/**
 * Returns the label with which the secrets of an endpoint are encrypted. The label contains the endpoint's id, so a
 * secret that is copied to the row of another endpoint cannot be decrypted.
 */
export const endpointLabel = (id: string) => `webhook:${id}`

const omit = {
  sealedSecret: true,
  sealedPreviousSecret: true,
  lease: true,
  leasedUntil: true,
  setAsideInRow: true,
  rests: true,
} as const

/** Adds an endpoint, which receives all events from now on. The secret is returned only here and by a rotation. */
export async function addEndpoint(
  { db, clock, seal, rules }: EndpointTools,
  project: Project,
  input: Readonly<Record<string, unknown>>,
): Promise<EndpointWithSecret> {
  const parsed = await parseEndpoint(rules, input, none)
  const id = crypto.randomUUID()
  const secret = makeSigningSecret()
  const sealedSecret = await seal.close(secret, endpointLabel(id))
  const endpoint = await changeProject(db, project.id, async tx => {
    if ((await tx.webhookEndpoint.count({ where: { projectId: project.id } })) >= mostEndpoints) {
      throw new StoreError(
        'too_many_endpoints',
        `A project has at most ${mostEndpoints} webhook endpoints; remove one first.`,
      )
    }
    const delivered = await lastNumber(tx, project)
    const createdAt = new Date(clock.now())
    const data = { id, projectId: project.id, ...parsed, sealedSecret, delivered, createdAt }
    return tx.webhookEndpoint.create({ data, omit })
  })
  return { endpoint, secret }
}

export function listEndpoints(db: Db, project: Pick<Project, 'id'>): Promise<Endpoint[]> {
  return db.webhookEndpoint.findMany({
    where: { projectId: project.id },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    omit,
  })
}

export async function findEndpoint(db: Db, project: Pick<Project, 'id'>, id: string): Promise<Endpoint> {
  const found = isUuid(id)
    ? await db.webhookEndpoint.findFirst({ where: { id, projectId: project.id }, omit })
    : null
  if (!found) throw endpointNotFound()
  return found
}

/**
 * Changes the given fields. If the endpoint is enabled or gets another address, it continues with the first event that
 * it has not received, and the retries of its set-aside events start again at once. Drops set-aside events of types
 * that the endpoint no longer names.
 */
export async function changeEndpoint(
  { db, clock, rules }: EndpointTools,
  project: Project,
  id: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Endpoint> {
  const before = await findEndpoint(db, project, id)
  const parsed = await parseEndpoint(rules, input, before)
  const isFreshStart = input.enabled === true || (input.url !== undefined && parsed.url !== before.url)
  const given = Object.fromEntries(
    Object.entries(parsed).filter(([field]) => input[field as keyof typeof parsed] !== undefined),
  )
  const data = { ...given, ...withoutLease, ...(isFreshStart && freshStart) }
  return manage(db, async tx => {
    // Change the endpoint first. This waits for a process that is setting an event aside, because that process has
    // locked the endpoint's row.
    const endpoint = await changed(tx, project, id, data)
    if (given.types && endpoint.types.length > 0 && (await dropUnwanted(tx, endpoint)))
      return { ...endpoint, failingSince: null }
    if (isFreshStart) {
      const retries = { attempts: 0, nextTryAt: new Date(clock.now()) }
      await tx.setAsideEvent.updateMany({ where: { endpointId: id }, data: retries })
    }
    return endpoint
  })
}

/** Ends the lease, because a process that is sending now has read the old values. */
const withoutLease = { lease: null, leasedUntil: null } as const

export const freshStart = {
  ...withoutLease,
  attempts: 0,
  setAsideInRow: 0,
  rests: 0,
  failingSince: null,
  nextTryAt: null,
  disabledAt: null,
  disabledWhy: null,
} as const

export async function removeEndpoint(db: PrismaClient, project: Project, id: string): Promise<void> {
  await findEndpoint(db, project, id)
  const where = { id, projectId: project.id }
  await manage(db, tx => tx.webhookEndpoint.updateMany({ where, data: { enabled: false, ...withoutLease } }))
  // Delete in pieces, because deleting them all at once would delay other projects.
  while ((await runPieceInTurn(project.id, () => forgetDeliveries(db, id, 0))) > 0);
  await manage(db, tx => tx.webhookEndpoint.deleteMany({ where }))
}

/**
 * Replaces the secret. For a day, requests are signed with both the old and the new secret, so that the receiver has
 * time to change over.
 */
export async function rotateEndpointSecret(
  { db, clock, seal }: EndpointTools,
  project: Project,
  given: string,
): Promise<EndpointWithSecret> {
  // Use the id of the row, which is in lower case. With an id as a client spells it, the label would be another one, and
  // the secret could not be decrypted.
  const { id } = await findEndpoint(db, project, given)
  const secret = makeSigningSecret()
  const sealedSecret = await seal.close(secret, endpointLabel(id))
  const previousSecretEndsAt = new Date(clock.now() + previousSecretMs)
  const endpoint = await changeProject(db, project.id, async tx => {
    const row = await tx.webhookEndpoint.findFirst({ where: { id, projectId: project.id } })
    if (!row) throw endpointNotFound()
    const data = { sealedSecret, sealedPreviousSecret: row.sealedSecret, previousSecretEndsAt }
    return changed(tx, project, id, data)
  })
  return { endpoint, secret }
}

async function changed(
  db: Db,
  project: Project,
  id: string,
  data: Parameters<Db['webhookEndpoint']['updateManyAndReturn']>[0]['data'],
): Promise<Endpoint> {
  const [endpoint] = await db.webhookEndpoint.updateManyAndReturn({
    where: { id, projectId: project.id },
    data,
    omit,
  })
  if (!endpoint) throw endpointNotFound()
  return endpoint
}

/** Returns the number of the project's newest event; 0 if it has none. */
export async function lastNumber(db: Db, project: Pick<Project, 'id'>): Promise<bigint> {
  const [row] = await db.$queryRaw<
    { last: bigint }[]
  >`SELECT last FROM event_numbers WHERE project_id = ${project.id}`
  return row?.last ?? 0n
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const endpointNotFound = () =>
  new StoreError('endpoint_not_found', 'The project has no such webhook endpoint.')
