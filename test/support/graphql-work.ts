import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { addEndpoint } from '../../src/core/events/endpoints.ts'
import { eventId } from '../../src/core/events/position.ts'
import { numberAll } from './events.ts'
import type { Named } from './graphql-shapes.ts'
import { furnishUse } from './month-of-use.ts'
import type { App, TestProject } from './start-app.ts'

/** Adds a hundred pets with thirty orders each, fifty categories, keys, deploys, domains, and a month of usage. */
export async function furnishStore(
  { tools }: App,
  { project, keyId, issueKey }: TestProject,
): Promise<Named> {
  const { db } = tools
  const projectId = project.id
  const many = <Item>(count: number, make: (n: number) => Item) =>
    Array.from({ length: count }, (_, n) => make(n))
  const pets = await db.pet.createManyAndReturn({
    data: many(150, n => ({ projectId, name: `Pet ${n} of the house`, categoryId: BigInt(n % 150) })),
  })
  await db.category.createMany({
    data: many(150, n => ({ projectId, id: BigInt(n), name: `Category ${n}` })),
  })
  for (let round = 0; round < 30; round++)
    await db.order.createMany({
      data: pets.map(({ id, name, categoryId }) => ({
        ...{ projectId, petId: id, petName: name, categoryId, status: 'cancelled' as const },
        ...{ reference: `Reference ${id} ${round}`, note: 'Ring twice.' },
        ...{ approvedAt: new Date(), deliveredAt: new Date(), cancelledAt: new Date() },
      })),
    })
  const keys = [keyId]
  for (let n = 1; n < 60; n++) keys.push((await issueKey()).keyId)
  await furnishUse(tools, projectId, keys.slice(0, 10))
  const message = 'What happened here, in a line of its own that says so.'
  const log = many(40, () => ({ at: new Date().toISOString(), level: 'info', message }))
  const redirects = many(20, n => ({ from: `r${n}.example`, to: `t${n}.example`, status: 301 }))
  const configuration = { title: 'A title', description: 'A text', domains: { primary: null, redirects } }
  const deploys = await db.deploy.createManyAndReturn({
    data: many(50, () => ({ projectId, succeeded: true, configuration, log })),
  })
  const now = new Date()
  const found = many(5, n => ({ type: 'A', name: `n${n}.example`, value: '192.0.2.1' }))
  const verdict = {
    code: 'record_differs',
    message,
    found,
    expected: found.map(({ name }) => name),
    inTheWay: found[0] ?? null,
  }
  const names = many(50, n => `www.d${n}-${project.slug}.example`)
  const domains = await db.domain.createManyAndReturn({
    data: names.map(name => ({
      ...{ id: randomUUID(), projectId, name, ownedName: name, state: 'live' as const, verifiedAt: now },
      ...{
        createdAt: now,
        looksSince: now,
        lookedAt: now,
        nextLookAt: new Date(now.getTime() + 9e8),
        verdict,
      },
    })),
  })
  const order = await db.order.findFirstOrThrow({ where: { projectId, petId: pets[0]?.id ?? 0n } })
  const { endpoint } = await addEndpoint(tools.webhooks, project, { url: 'https://shop.example/hook' })
  await numberAll(tools)
  const event = await db.event.findFirstOrThrow({ where: { projectId } })
  return {
    ...{ event: eventId(event), webhook: `webhook_${endpoint.id}` },
    ...{ pet: String(pets[0]?.id), category: 'category_1', categoryId: '1', order: `order_${order.id}` },
    ...{ apiKey: `key_${keyId}`, deploy: `deploy_${deploys[0]?.id}`, domain: `domain_${domains[0]?.id}` },
    name: names[0] ?? '',
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** The cheapest possible client. It adds the same CPU time to every measurement. */
function send(url: string, secret: string, query: string | null): Promise<Buffer> {
  const body = query === null ? undefined : JSON.stringify({ query })
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/graphql-response+json',
    ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: body ? 'POST' : 'GET', headers, agent }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function leastCpuMs(tries: number, run: (n: number) => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < tries; n++) {
    const before = process.cpuUsage()
    await run(n)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** Sends each of these similar operations once, and returns the lowest CPU time of an operation in milliseconds. */
export const cpuOfOperations = ({ url }: App, { secret }: TestProject, queries: readonly string[]) =>
  leastCpuMs(queries.length, n => send(`${url}/graphql`, secret, queries[n] ?? ''))

let outgoing = 0
/**
 * Sends an operation `tries` times, each time with a different comment at the end, so that each text is new to the
 * service. Returns the lowest CPU time in milliseconds.
 */
export const cpuOfOperation = ({ url }: App, { secret }: TestProject, query: string, tries: number) =>
  leastCpuMs(tries, () => send(`${url}/graphql`, secret, `${query} #${++outgoing}`))

/** The most expensive REST request: a page of a hundred orders. */
export const cpuOfRest = ({ url }: App, { secret }: TestProject, tries: number) =>
  leastCpuMs(tries, () => send(`${url}/v1/store/orders?limit=100`, secret, null))

export async function readAnswer({ url }: App, { secret }: TestProject, query: string) {
  return JSON.parse(String(await send(`${url}/graphql`, secret, query))) as {
    data: unknown
    errors?: { message: string; extensions: { code: string } }[]
  }
}
