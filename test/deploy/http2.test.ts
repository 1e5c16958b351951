import { execFile } from 'node:child_process'
import { type ClientHttp2Session, connect } from 'node:http2'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMoment } from '../support/a-moment.ts'
import { type BalancerName, balancers } from '../support/balancers.ts'
import { hasChromium, openBrowser } from '../support/browser.ts'
import { freshDatabase, freshRedis } from '../support/databases.ts'
import { type Http2Balancer, startHttp2Balancer } from '../support/http2-balancers.ts'
import { largeImport } from '../support/large-import.ts'
import { findProgram, recordUse } from '../support/programs.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

const names = Object.keys(balancers) as BalancerName[]
const canRun = (name: string) => ['postgres', 'redis-server', 'curl', name].every(findProgram)
/** Each balancer checks /readyz once a second, so after this many answers every balancer has received one. */
const probedByAll = /("route":"\/readyz","status":200[\s\S]*){5}/

describe.skipIf(!names.some(canRun))('with HTTP/2 in front of two processes', () => {
  let here: App
  let project: TestProject
  let env: Record<string, string>
  let stores: Running[]
  const started = new Map<BalancerName, Http2Balancer>()
  beforeAll(async () => {
    const [database, redisUrl] = [await freshDatabase(), await freshRedis()]
    env = { ...database.env, ...(redisUrl && { REDIS_URL: redisUrl }), TRUST_PROXY: '1', DRAIN_SECONDS: '4' }
    here = await startApp({ env })
    project = await here.makeProject({ perMinute: 1_000_000, perDay: 1_000_000 })
    stores = await Promise.all([startProcess(env), startProcess(env)])
    await Promise.all(stores.map(store => store.printed(answersAt)))
  })
  afterAll(async () => {
    await Promise.all([...started.values()].map(balancer => balancer.stop()))
    await Promise.all((stores ?? []).map(end))
    await here?.stop()
  })

  describe.each(names)('%s', name => {
    let balancer: Http2Balancer
    beforeAll(async () => {
      if (!canRun(name)) return
      balancer = await startHttp2Balancer(
        name,
        stores.map(({ url }) => url),
      )
      started.set(name, balancer)
    })

    it.skipIf(!canRun(name))('the balancer answers twenty requests of curl on one connection', async () => {
      const authorization = `Authorization: Bearer ${project.secret}`
      const lines = await curl(balancer, Array(20).fill('/v1/pets'), ['--header', authorization])

      expect(lines).toEqual(['2 200 1', ...Array(19).fill('2 200 0')])
    })

    it.skipIf(!canRun(name))(
      'the balancer answers 421 for a host that the certificate does not cover',
      async () => {
        const lines = await curl(balancer, ['/v1/pets'], ['--header', 'Host: other.example.com'])

        expect(lines).toEqual(['2 421 1'])
      },
    )

    it.skipIf(!canRun(name))('the balancer passes an import of 2 MB to the store', async () => {
      const session = connect(balancer.url, { ca: balancer.ca })
      const headers = { authorization: `Bearer ${project.secret}`, 'content-type': 'application/x-ndjson' }

      const { status, text } = await ask(
        session,
        { ...headers, ':method': 'POST', ':path': '/v1/pets/import' },
        largeImport,
      )
      session.close()

      expect({ status, text }).toEqual({ status: 201, text: expect.stringContaining('"imported":40') })
    })

    it.skipIf(!canRun(name))('links in answers begin with the address of the balancer', async () => {
      for (const petName of ['Rex', 'Max']) await project.post('/v1/pets', { name: petName, categoryId: 1 })
      const session = connect(balancer.url, { ca: balancer.ca })
      const authorization = `Bearer ${project.secret}`

      const { link } = await ask(session, { ':path': '/v1/pets?limit=1', authorization })
      session.close()

      expect(link).toMatch(new RegExp(`^<${balancer.url}/v1/pets\\?`))
    })

    it.skipIf(!canRun(name) || !hasChromium)(
      'Chromium loads a page through the balancer over one connection',
      async () => {
        const browser = await openBrowser(['--ignore-certificate-errors'])
        const page = await browser.newPage({ ignoreHTTPSErrors: true })
        await page.goto(`${balancer.url}/reference`)
        const entries = await page.evaluate<{ protocol: string; connectedAgain: boolean }[]>(`
        Promise.all(Array.from({ length: 20 }, (_, n) => fetch('/livez?' + n).then(answer => answer.text())))
          .then(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/livez?')))
          .then(entries => entries.map(({ nextHopProtocol: protocol, connectStart, connectEnd }) =>
            ({ protocol, connectedAgain: connectEnd > connectStart })))`)
        await browser.close()

        expect(entries).toEqual(Array(20).fill({ protocol: 'h2', connectedAgain: false }))
      },
    )
  })

  it('each balancer loses no request while the processes are replaced one after the other', async () => {
    const running = [...started].map(([name, balancer]) => ({ name, ...startClients(balancer, project) }))

    for (const [index, store] of stores.entries()) {
      await end(store)
      const next = await startProcess({ ...env, PORT: new URL(store.url).port })
      await next.printed(probedByAll)
      stores[index] = next
    }
    const outcomes = await Promise.all(running.map(async ({ name, stop }) => ({ name, ...(await stop()) })))

    expect(outcomes.length).toBeGreaterThan(0)
    for (const { name, answered, lost } of outcomes) {
      expect(lost, name).toEqual([])
      expect(answered, name).toBeGreaterThan(20)
    }
  }, 120_000)
})

async function end({ child, ended }: Running): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

/** Returns for each path the HTTP version, the status, and the number of new connections. */
async function curl({ url, caFile }: Http2Balancer, paths: string[], more: string[]): Promise<string[]> {
  recordUse('curl')
  const each = paths.flatMap(path => ['--output', '/dev/null', `${url}${path}`])
  const format = '%{http_version} %{http_code} %{num_connects}\n'
  const args = ['--silent', '--http2', '--cacert', caFile, '--write-out', format, ...more, ...each]
  const { stdout } = await promisify(execFile)('curl', args)
  return stdout.trim().split('\n')
}

/** Starts two readers and a writer, each with its own connection. They stop at the first lost request. */
function startClients({ url, ca }: Http2Balancer, project: TestProject) {
  const lost: string[] = []
  let answered = 0
  let stopped = false
  const authorization = `Bearer ${project.secret}`
  const read = { ':path': '/v1/pets', authorization }
  const write = { ...read, ':method': 'POST', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1, status: 'available' })
  const sessions: ClientHttp2Session[] = []
  /** A balancer ends a connection politely after a number of requests (nginx after 1,000), so open another one. */
  const openSession = () => {
    const session = connect(url, { ca })
    session.on('error', error => lost.push(String(error)))
    sessions.push(session)
    return session
  }
  const keepAsking = async (headers: Record<string, string>, sent: string) => {
    let session = openSession()
    while (!stopped && lost.length === 0) {
      if (session.closed || session.destroyed) session = openSession()
      const { status, text } = await ask(session, headers, sent)
      if (status >= 200 && status < 300) answered++
      else lost.push(`${status} ${text.slice(0, 100)}`)
      await aMoment()
    }
  }
  const running = [keepAsking(read, ''), keepAsking(read, ''), keepAsking(write, body)]
  return {
    async stop() {
      stopped = true
      await Promise.all(running)
      for (const session of sessions) session.close()
      return { answered, lost }
    },
  }
}

function ask(session: ClientHttp2Session, headers: Record<string, string>, body = '') {
  return new Promise<{ status: number; text: string; link: string }>(resolve => {
    const stream = session.request(headers)
    let [status, text, link] = [0, '', '']
    stream.on('response', answer => {
      status = Number(answer[':status'])
      link = String(answer.link ?? '')
    })
    stream.on('data', chunk => {
      text += chunk
    })
    stream.on('error', error => {
      text = String(error)
    })
    stream.on('close', () => resolve({ status, text, link }))
    stream.end(body)
  })
}
