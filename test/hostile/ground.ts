import { randomUUID } from 'node:crypto'
import { startNameServer } from '../../src/practice/name-server.ts'
import { openClient } from '../faults/client.ts'
import { askDatabase } from '../faults/ground.ts'
import { freePort } from '../support/programs.ts'
import { startPostgres, startRedis } from '../support/services.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'
import { makeCertificate } from './certificate.ts'
import { openOperator } from './operator.ts'
import type { Place } from './place.ts'

export type Ground = {
  processes: Running[]
  victim: { urls: string[]; httpsPorts: number[]; secret: string; ca: string; petId: number }
  /** Makes projects and an address for one attack. */
  makePlace(): Promise<Place>
  stop(): Promise<void>
}

export const domain = 'www.victim.test'
/** A domain name with a pending ACME challenge, which the certificate authority has not validated yet. */
export const pendingName = 'new.victim.test'
export const pendingToken = 'pending-token'

/** Number of pets in the attackers' large project. */
const manyPets = 50_000

const operatorKey = `operator-${randomUUID()}`
/** Each attacker has its own address, so that limits by address affect only the attacker. */
let addresses = 0

/** Starts three processes with PostgreSQL and Redis. `source` is the src folder of another checkout. */
export async function layGround(source?: string): Promise<Ground> {
  const stops: (() => unknown)[] = []
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each()
  }
  try {
    const postgres = await startPostgres()
    stops.push(postgres.stop)
    const redis = await startRedis()
    stops.push(redis.stop)
    const dns = await startNameServer()
    stops.push(dns.stop)
    const { certificate: receiver, file: trusted, remove } = makeCertificate()
    stops.push(remove)
    const env = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      OPERATOR_KEY: operatorKey,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      DNS_SERVERS: dns.at,
      DOMAIN_SUFFIXES: 'test',
      WEBHOOK_NETWORKS: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: trusted,
    }
    const processes: Running[] = []
    const httpsPorts: number[] = []
    stops.push(() => Promise.all(processes.map(({ child, ended }) => child.kill('SIGKILL') && ended)))
    for (let i = 0; i < 3; i++) {
      const port = await freePort()
      httpsPorts.push(port)
      const file = source ? `${source}/start.js` : 'start.js'
      const started = await startProcess({ ...env, HTTPS_PORT: String(port), WARM_UP: '1' }, file)
      processes.push(started)
      await started.printed(answersAt)
    }
    const urls = processes.map(({ url }) => url)
    const sql = (text: string) => askDatabase(postgres.url, text)
    const operator = openOperator(urls[0] ?? '', operatorKey)
    stops.push(operator.close)

    const victim = await operator.makeProject('enterprise', {
      requestsPerMinute: 10_000_000,
      requestsPerDay: 100_000_000,
    })
    dns.setZone([
      `${victim.slug}.animals.localhost A 127.0.0.1`,
      `${domain} CNAME ${victim.slug}.animals.localhost`,
    ])
    const petId = await operator.giveDomain(victim.secret, domain)
    await sql(`INSERT INTO acme_challenges (token, name, key_authorization, expires_at)
      VALUES ('${pendingToken}', '${pendingName}', '${pendingToken}.thumbprint', now() + interval '1 day')`)
    const client = openClient(null)
    const { text: ca } = await client.ask(`${urls[0]}/local-ca.pem`)
    client.close()

    // All attacks read this large project, so its budget must be enough for all of them.
    const big = await operator.makeProject('enterprise', {
      requestsPerMinute: 3_000,
      requestsPerDay: 1_000_000,
    })
    await sql(fill(big.slug, manyPets))
    const makePlace = async (): Promise<Place> => {
      await operator.resetLimits(big.slug)
      const [free, pro] = await Promise.all([operator.makeProject('free'), operator.makeProject('pro')])
      for (const { slug } of [free, pro])
        await sql(`${fill(slug, 100)}; ${order(slug)}; ${giveKeys(slug, 99)}`)
      const narrow = await operator.issueKey(free.secret, ['pets_read'])
      const address = `127.9.${(++addresses >> 8) % 256}.${(addresses % 250) + 2}`
      const keys = { free: free.secret, pro: pro.secret, narrow, big: big.secret }
      const session = await operator.signIn(free.secret)
      return { urls, httpsPorts, keys, session, receiver, address, domain, dnsAt: dns.at }
    }
    return { processes, victim: { urls, httpsPorts, secret: victim.secret, ca, petId }, makePlace, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const idOf = (slug: string) => `(SELECT id FROM projects WHERE slug = '${slug}')`

const fill = (slug: string, count: number) =>
  `INSERT INTO pets (project_id, name, category_id, status)
   SELECT ${idOf(slug)}, 'Pet ' || n, n % 7, 'available' FROM generate_series(1, ${count}) n`

const order = (slug: string) =>
  `INSERT INTO orders (project_id, pet_id, pet_name, category_id, status)
   SELECT project_id, id, name, category_id, 'delivered' FROM pets WHERE project_id = ${idOf(slug)}`

const giveKeys = (slug: string, count: number) =>
  `INSERT INTO api_keys (id, project_id, name, prefix, hash, scopes)
   SELECT gen_random_uuid(), ${idOf(slug)}, 'key ' || n, 'as_' || n, sha256(gen_random_uuid()::text::bytea), '{pets:read}'
   FROM generate_series(1, ${count}) n`
