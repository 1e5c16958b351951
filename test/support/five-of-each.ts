import { randomUUID } from 'node:crypto'
import { readEvents } from '../../src/core/events/log.ts'
import { eventId } from '../../src/core/events/position.ts'
import { numberAll } from './events.ts'
import type { App, TestProject } from './start-app.ts'

/** For each kind, the ids in the order of the list. */
export type FiveOfEach = Record<
  | 'pets'
  | 'categories'
  | 'orders'
  | 'apiKeys'
  | 'deploys'
  | 'domains'
  | 'domainNames'
  | 'events'
  | 'webhooks'
  | 'deliveries'
  | 'entries',
  string[]
>

const dayMs = 86_400_000
const numbers = [0, 1, 2, 3, 4]

/**
 * Creates five objects of each listed kind, different in all fields that lists filter by. All orders are for the first
 * pet.
 */
export async function makeFiveOfEach(
  { tools }: App,
  { project, keyId, issueKey }: TestProject,
): Promise<FiveOfEach> {
  const { db } = tools
  const projectId = project.id
  const now = Date.now()
  const later = (days: number) => new Date(now + days * dayMs)
  const statuses = ['available', 'pending', 'sold', null, 'available'] as const
  const pets = await db.pet.createManyAndReturn({
    data: numbers.map(n => ({
      ...{ projectId, name: `Pet ${n} of ${n % 2}`, categoryId: BigInt(n % 2), status: statuses[n] ?? null },
    })),
  })
  await db.category.createMany({ data: numbers.map(n => ({ projectId, id: BigInt(n), name: `Kind ${n}` })) })
  const [pet] = pets
  const steps = ['placed', 'cancelled', 'delivered', 'cancelled', 'delivered'] as const
  const orders = await db.order.createManyAndReturn({
    data: numbers.map(n => ({
      ...{ projectId, petId: pet?.id ?? 0n, petName: 'Pet', categoryId: 0n },
      ...{ status: steps[n] ?? 'placed', reference: `Reference ${n}` },
    })),
  })
  const keys = [keyId]
  for (const _ of numbers.slice(1)) keys.push((await issueKey()).keyId)
  const [, soon = '', ended = '', revoked = ''] = keys
  await db.apiKey.update({ where: { id: soon }, data: { name: 'Ends soon', expiresAt: later(1) } })
  await db.apiKey.update({ where: { id: ended }, data: { name: 'Has ended', expiresAt: later(-1) } })
  await db.apiKey.update({ where: { id: revoked }, data: { name: 'Revoked', revokedAt: later(-1) } })
  const configuration = { title: null, description: null, domains: { primary: null, redirects: [] } }
  const deploys = await db.deploy.createManyAndReturn({
    data: numbers.map(() => ({ projectId, succeeded: true, configuration, log: [] })),
  })
  const states = ['live', 'pending', 'stale', 'drifted', 'pending'] as const
  const names = ['c', 'a', 'e', 'b', 'd'].map(letter => `${letter}.${project.slug}.test`)
  const domains = await db.domain.createManyAndReturn({
    data: names.map((name, n) => ({
      ...{ projectId, name, state: states[n] ?? 'pending', createdAt: later(0), looksSince: later(0) },
      ...(states[n] === 'live' && { ownedName: name, verifiedAt: later(-1) }),
      ...(states[n] === 'drifted' && { ownedName: name, verifiedAt: later(-2), driftedAt: later(-1) }),
      ...{ id: randomUUID(), nextLookAt: later(9) },
    })),
  })
  const [live] = domains
  await db.certificate.create({
    data: { name: live?.name ?? '', wantedSince: later(0), nextStepAt: later(9) },
  })
  const webhooks = await db.webhookEndpoint.createManyAndReturn({
    data: numbers.map(n => ({
      ...{ projectId, url: `https://shop.example/${n}`, enabled: false, delivered: 0n },
      ...{ sealedSecret: new Uint8Array(1), createdAt: later(n) },
    })),
  })
  const deliveries = await db.webhookDelivery.createManyAndReturn({
    data: numbers.map(n => ({
      ...{ endpointId: webhooks[0]?.id ?? '', eventNumber: BigInt(n + 1), eventType: 'pet.created' },
      ...{ at: later(0), status: 204, ms: 5, answer: '' },
    })),
  })
  await numberAll(tools)
  const query = { after: null, types: ['pet.created' as const], subject: null, limit: 5 }
  const { events } = await readEvents(tools.database, project, query)
  const bearing = (kind: string, things: { id: string | number | bigint }[]) =>
    things.map(({ id }) => `${kind}_${id}`)
  const added = await db.event.findMany({
    where: { projectId, type: 'domain.added' },
    orderBy: { number: 'desc' },
  })
  return {
    pets: pets.map(({ id }) => String(id)),
    categories: numbers.map(n => `category_${n}`),
    orders: bearing('order', orders).reverse(),
    apiKeys: keys.map(id => `key_${id}`).reverse(),
    /** Only events of the type `pet.created`. */
    events: events.map(eventId),
    /** Only entries of the type `domain.added`. */
    entries: added.map(entry => `entry_${project.slug}_${eventId(entry)}`),
    webhooks: bearing('webhook', webhooks),
    /** Attempts of the first endpoint. */
    deliveries: bearing('delivery', deliveries).reverse(),
    deploys: bearing('deploy', deploys).reverse(),
    domainNames: names,
    domains: bearing(
      'domain',
      domains.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ),
  }
}
