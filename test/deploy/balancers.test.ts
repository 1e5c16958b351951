import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMoment } from '../support/a-moment.ts'
import { type BalancerName, balancers, startBalancer } from '../support/balancers.ts'
import { freshDatabase, freshRedis } from '../support/databases.ts'
import { largeImport } from '../support/large-import.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

const canRun = (name: string) => ['postgres', 'redis-server', name].every(findProgram)
const names = Object.keys(balancers) as BalancerName[]
/** Each balancer checks /readyz once a second, so after this many answers every balancer has received one. */
const probedByAll = /("route":"\/readyz","status":200[\s\S]*){5}/

describe.skipIf(!names.some(canRun))('two processes behind a balancer', () => {
  let here: App
  let project: TestProject
  let env: Record<string, string>
  let stores: Running[]
  beforeAll(async () => {
    const [database, redisUrl] = [await freshDatabase(), await freshRedis()]
    env = { ...database.env, ...(redisUrl && { REDIS_URL: redisUrl }), TRUST_PROXY: '1', DRAIN_SECONDS: '4' }
    here = await startApp({ env })
    project = await here.makeProject({ perMinute: 1_000_000, perDay: 1_000_000 })
    stores = await Promise.all([startStore(env), startStore(env)])
    await Promise.all(stores.map(store => store.printed(answersAt)))
  })
  afterAll(async () => {
    await Promise.all((stores ?? []).map(end))
    await here?.stop()
  })

  it('the processes stay in service behind each balancer while they are replaced one after the other', async () => {
    const urls = stores.map(({ url }) => url)
    const running = await Promise.all(
      names.filter(canRun).map(async name => ({ name, balancer: await startBalancer(name, urls) })),
    )
    const clients = running.map(({ name, balancer }) => ({ name, ...startClients(balancer.url, project) }))

    for (const [index, store] of stores.entries()) {
      await end(store)
      const next = await startStore({ ...env, PORT: new URL(store.url).port })
      await next.printed(probedByAll)
      stores[index] = next
    }
    const outcomes = await Promise.all(clients.map(async ({ name, stop }) => ({ name, ...(await stop()) })))
    await Promise.all(running.map(({ balancer }) => balancer.stop()))

    for (const { name, answered, lost } of outcomes) {
      expect(lost, name).toEqual([])
      expect(answered, name).toBeGreaterThan(20)
    }
  }, 120_000)

  it.each(names.filter(canRun))('%s passes an import of 2 MB to the store', async name => {
    const balancer = await startBalancer(
      name,
      stores.map(({ url }) => url),
    )
    const headers = { Authorization: `Bearer ${project.secret}`, 'Content-Type': 'application/x-ndjson' }

    const answer = await fetch(`${balancer.url}/v1/pets/import`, {
      method: 'POST',
      headers,
      body: largeImport,
    })
    await balancer.stop()

    expect(await answer.json()).toMatchObject({ imported: 40 })
  })

  it.each(names.filter(canRun))('links behind %s begin with the address of the balancer', async name => {
    for (const petName of ['Rex', 'Max']) await project.post('/v1/pets', { name: petName, categoryId: 1 })
    const balancer = await startBalancer(
      name,
      stores.map(({ url }) => url),
    )

    // A client must not choose the scheme of a link.
    const answer = await fetch(`${balancer.url}/v1/pets?limit=1`, {
      headers: { Authorization: `Bearer ${project.secret}`, 'X-Forwarded-Proto': 'https' },
    })
    await balancer.stop()

    expect(answer.headers.get('link')).toMatch(new RegExp(`^<${balancer.url}/v1/pets\\?`))
  })

  it.skipIf(!canRun('haproxy'))(
    'while no process is ready, HAProxy answers 503 in the Error shape',
    async () => {
      const nobody = `http://127.0.0.1:${await freePort()}`
      const balancer = await startBalancer('haproxy', [stores[0]?.url ?? '', nobody])
      stores[0]?.child.kill('SIGSTOP')
      const ask = () => fetch(`${balancer.url}/v1/pets`, { signal: AbortSignal.timeout(1_000) })
      await expect
        .poll(
          () =>
            ask().then(
              answer => answer.status,
              () => 0,
            ),
          { timeout: 15_000 },
        )
        .toBe(503)

      const answer = await ask()
      stores[0]?.child.kill('SIGCONT')
      await balancer.stop()

      expect(await answer.json()).toMatchObject({ code: 'unavailable', status: 503 })
      expect(answer.headers.get('retry-after')).toBe('1')
      expect(answer.headers.get('content-type')).toBe('application/json')
    },
    30_000,
  )

  it.skipIf(!canRun('haproxy'))('behind a balancer the processes see the address of the client', async () => {
    const balancer = await startBalancer(
      'haproxy',
      stores.map(({ url }) => url),
    )
    const askFrom = (client: string) =>
      fetch(`${balancer.url}/v1/pets`, { headers: { 'X-Forwarded-For': client } })

    const answers = await Promise.all(Array.from({ length: 61 }, (_, i) => askFrom(`192.0.2.${i + 1}`)))
    await balancer.stop()

    // The 61 requests claim 61 different addresses in X-Forwarded-For, but all requests come from this machine. The
    // processes count by the real address, so the limit of one address is exceeded.
    expect(
      answers
        .map(({ status }) => status)
        .sort()
        .at(-1),
    ).toBe(429)
  })
})

/**
 * Start with a high priority, so that nothing delays the store between its last check for new connections and the
 * closing of its listener.
 */
const startStore = (env: Record<string, string>) =>
  startProcess(env, 'start.js', { under: ['nice', '-n', '-10'] })

async function end({ child, ended }: Running): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

/**
 * Starts two readers and a writer, each with one request at a time. Lost requests are reported with the server that
 * answered.
 */
function startClients(url: string, project: TestProject) {
  const lost: string[] = []
  let answered = 0
  let stopped = false
  const headers = { Authorization: `Bearer ${project.secret}`, 'Content-Type': 'application/json' }
  const post = {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Rex', categoryId: 1, status: 'available' }),
  }
  const keepAsking = async (request: RequestInit) => {
    while (!stopped) {
      try {
        const answer = await fetch(`${url}/v1/pets`, request)
        const text = await answer.text()
        if (answer.ok) answered++
        else lost.push(`${answer.status} ${text.slice(0, 100)}`)
      } catch (fault) {
        lost.push(String(fault))
      }
      await aMoment()
    }
  }
  const readers = Array.from({ length: 2 }, () => keepAsking({ headers }))
  const writers = [keepAsking(post)]
  return {
    async stop() {
      stopped = true
      await Promise.all([...readers, ...writers])
      return { answered, lost }
    },
  }
}
