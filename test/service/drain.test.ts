import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { openRawConnection } from '../support/raw-connection.ts'
import { type App, startApp } from '../support/start-app.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

let database: FreshDatabase
let here: App
let secret: string
beforeAll(async () => {
  database = await freshDatabase()
  here = await startApp({ env: database.env })
  secret = (await here.makeProject({ perMinute: 1_000_000, perDay: 1_000_000 })).secret
})
afterAll(async () => {
  await here.stop()
  await database.remove()
})

async function start(drainSeconds: number): Promise<Running> {
  const service = await startProcess({ ...database.env, DRAIN_SECONDS: String(drainSeconds) })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  await service.printed(answersAt)
  return service
}

type Answer = { status: number; isLast: boolean }

/** Sends a request over one of the agent's connections, or a new one. */
function ask({ url }: Running, path: string, agent?: Agent): Promise<Answer> {
  const headers = { authorization: `Bearer ${secret}` }
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers, agent: agent ?? false }, response => {
      response.resume()
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, isLast: response.headers.connection === 'close' }),
      )
    })
      .on('error', reject)
      .end()
  })
}

const statusOf = (service: Running, path: string) =>
  ask(service, path).then(
    ({ status }) => status,
    ({ code }) => code,
  )

test('after SIGTERM a process is not ready but still serves for a while, even if no connection is open, and then refuses connections', async () => {
  const service = await start(2)

  service.child.kill('SIGTERM')
  await expect.poll(() => statusOf(service, '/readyz'), { interval: 10 }).toBe(503)
  const served = await ask(service, '/v1/pets')
  await expect
    .poll(() => statusOf(service, '/v1/pets'), { interval: 10, timeout: 5_000 })
    .toBe('ECONNREFUSED')

  expect(served.status).toBe(200)
  expect(await service.ended).toBe(0)
})

test('a second SIGTERM ends a process at once, whatever DRAIN_SECONDS is', async () => {
  const service = await start(3600)
  service.child.kill('SIGTERM')
  await expect.poll(() => statusOf(service, '/readyz'), { interval: 10 }).toBe(503)

  service.child.kill('SIGTERM')

  expect(await service.ended).toBe(1)
})

test.each([
  ['half a header', 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n'],
  ['half a body', 'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n{'],
  ['nothing', ''],
])('a client that stops after %s does not delay the end of the service', async (_what, text) => {
  const service = await start(0)
  const { socket, ended } = await openRawConnection(service.url)
  socket.write(text)
  // When this request is answered, the service has also read the bytes of the first connection.
  await ask(service, '/livez')

  service.child.kill('SIGTERM')

  expect(await service.ended).toBe(0)
  await ended
})

test.each([0, 1])(
  'a request that is still arriving when the listener closes is answered, DRAIN_SECONDS=%i',
  async seconds => {
    const service = await start(seconds)
    const { socket, answers } = await openRawConnection(service.url)
    const body = '{"name":"Max","categoryId":1}'
    const head = `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n`
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
    await ask(service, '/livez')

    service.child.kill('SIGTERM')
    await expect.poll(() => statusOf(service, '/livez'), { interval: 5, timeout: 5_000 }).toBe('ECONNREFUSED')
    socket.write(body.slice(5))

    expect(await answers()).toMatchObject([{ status: 201 }])
    expect(await service.ended).toBe(0)
  },
)

test('after the listener is closed, an open connection gets one more answer, which closes the connection', async () => {
  const service = await start(1)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  expect(await ask(service, '/v1/pets', agent)).toEqual({ status: 200, isLast: false })

  service.child.kill('SIGTERM')
  await expect.poll(() => statusOf(service, '/livez'), { interval: 5, timeout: 5_000 }).toBe('ECONNREFUSED')
  const last = await ask(service, '/v1/pets', agent)

  expect(last).toEqual({ status: 200, isLast: true })
  expect(await service.ended).toBe(0)
})

test('connections accepted just before the listener closes are answered, even if the process was busy', async () => {
  const service = await start(2)
  service.child.kill('SIGTERM')
  await expect.poll(() => statusOf(service, '/readyz'), { interval: 10 }).toBe(503)

  // Stop the process for two seconds. During these two seconds, the listener should close. While the process is
  // stopped, only the operating system accepts connections.
  service.child.kill('SIGSTOP')
  const standsSince = performance.now()
  const pending = Array.from({ length: 20 }, () => ask(service, '/v1/pets'))
  const answers = Promise.all(pending)
  await pause(standsSince + 2_000 - performance.now())
  service.child.kill('SIGCONT')

  expect(await answers).toEqual(Array(20).fill({ status: 200, isLast: true }))
  expect(await service.ended).toBe(0)
})

test('if a service without a load balancer ends, no connection is cut before the request on the connection is answered', async () => {
  const service = await start(1)
  const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const failures: unknown[] = []
  let answered = 0
  const client = async (agent?: Agent) => {
    for (;;) {
      try {
        const { status } = await ask(service, '/v1/pets', agent)
        if (status === 200) answered++
        else failures.push(status)
      } catch (fault) {
        // The listener is closed.
        if ((fault as NodeJS.ErrnoException).code === 'ECONNREFUSED') return
        failures.push(fault)
      }
    }
  }

  const clients = [...agents.map(client), ...agents.map(() => client())]
  await expect.poll(() => answered, { timeout: 20_000 }).toBeGreaterThan(200)
  service.child.kill('SIGTERM')
  await Promise.all(clients)

  expect(failures).toEqual([])
  expect(await service.ended).toBe(0)
  for (const agent of agents) agent.destroy()
})

test('a request that never ends does not delay the end of the process', async () => {
  const own = await startApp()
  const { secret } = await own.makeProject()
  const { socket, ended } = await openRawConnection(own.url)
  const head = ['host: localhost', `authorization: Bearer ${secret}`, 'content-type: application/json']
  socket.write(`POST /v1/pets HTTP/1.1\r\n${head.join('\r\n')}\r\ncontent-length: 100\r\n\r\n{`)
  await expect.poll(() => own.tools.metrics.requests.inFlight).toBe(1)

  await own.stop()

  expect(await Promise.race([ended.then(() => 'cut'), pause(3_000, 'held')])).toBe('cut')
  socket.destroy()
})
