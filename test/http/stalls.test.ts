import type { Response } from 'express'
import { afterEach, expect, it, vi } from 'vitest'
import { watchStalls } from '../../src/http/stalls.ts'
import { openLog } from '../../src/tools/log.ts'
import { freePort } from '../support/programs.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await app?.stop()
  app = undefined
})

function burn(milliseconds: number): void {
  const begin = process.threadCpuUsage()
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system - begin.user - begin.system) / 1000
  }
  while (used() < milliseconds);
}

const aMoment = () => new Promise(resolve => setTimeout(resolve, 50))
const answer = (requestId: string) => ({ req: { method: 'GET' }, locals: { requestId } }) as Response

it('a request that blocks the event loop for 50 ms of CPU time causes one log line', async () => {
  app = await startApp()
  const store = await app.makeProject()
  const warnings = vi.spyOn(app.tools.log, 'warn')
  const list = app.tools.pets.list
  vi.spyOn(app.tools.pets, 'list').mockImplementation(async (...args) => {
    burn(80)
    return list(...args)
  })

  // Loads GraphQL.
  await store.post('/graphql', { query: '{ __typename }' })
  await aMoment()
  warnings.mockClear()

  await store.get('/v1/pets?limit=7')
  await aMoment()
  await store.post('/graphql', { query: '{ a: pets(first: 3) { nodes { name } } }' })
  await aMoment()

  // Ignore shorter stalls, such as garbage collection, which the test does not cause.
  const lines = warnings.mock.calls
    .map(([line, message]) => ({ ...(line as { milliseconds: number }), message }))
    .filter(({ milliseconds }) => milliseconds >= 80)
  const message = 'a request blocked the event loop'
  const project = store.project.slug
  expect(lines).toMatchObject([
    { milliseconds: expect.any(Number), requests: [{ route: '/v1/pets', method: 'GET', project }], message },
    { requests: [{ route: '/graphql', operation: 'query pets', project }], message },
  ])
})

it('no stall is logged for several requests in one turn of the event loop, or for a fast request', async () => {
  const log = openLog('silent')
  const warnings = vi.spyOn(log, 'warn')
  const watch = watchStalls(log)

  for (const name of ['a', 'b', 'c', 'd']) watch.begin(answer(name))
  burn(80)
  await aMoment()
  watch.begin(answer('e'))
  await aMoment()
  expect(warnings).not.toHaveBeenCalled()

  watch.begin(answer('f'))
  burn(80)
  await aMoment()
  watch.stop()
  expect(warnings).toHaveBeenCalledTimes(1)
})

it('the longest stall of the event loop since the last read is a metric', async () => {
  const opsPort = await freePort()
  app = await startApp({ env: { OPS_PORT: String(opsPort) } })
  const read = async () => {
    const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
    return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1])
  }
  await read()
  await aMoment()

  burn(300)
  await aMoment()

  expect(await read()).toBeGreaterThan(0.25)
})
