import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { administer, freshDatabase } from '../support/databases.ts'
import { until } from '../support/hosting.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { startApp } from '../support/start-app.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  links?: { spanId: string }[]
  status?: { code?: number }
  attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[]
}

/** Starts a collector that receives spans from an SDK. */
async function startCollector() {
  const spans: Span[] = []
  const port = await freePort()
  const server = createServer(async (request, response) => {
    const sent = (await json(request)) as { resourceSpans?: { scopeSpans: { spans: Span[] }[] }[] }
    for (const { scopeSpans } of sent.resourceSpans ?? [])
      spans.push(...scopeSpans.flatMap(scope => scope.spans))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${port}`, spans }
}

/** Writes the file tracing.mjs that the documentation describes, and returns its path. */
function writeLine(): string {
  const [, line = ''] = /^echo "(.*)" > tracing\.mjs$/m.exec(readFileSync('docs/operating.md', 'utf8')) ?? []
  const file = `node_modules/.cache/tracing-${process.pid}.mjs`
  mkdirSync('node_modules/.cache', { recursive: true })
  writeFileSync(file, line)
  onTestFinished(() => rmSync(file))
  return file
}

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const sender = `00-${trace}-00f067aa0ba902b7-01`

it.skipIf(!findProgram('postgres'))(
  'an OpenTelemetry SDK that is loaded as docs/operating.md describes gets spans of requests, GraphQL operations and SQL statements',
  async () => {
    const { url: collector, spans } = await startCollector()
    const database = await freshDatabase()
    onTestFinished(() => database.remove())
    const seeding = await startApp({ env: database.env })
    const { secret, project } = await seeding.makeProject()
    await seeding.stop()
    const service = await startProcess({
      ...database.env,
      NODE_OPTIONS: `--import ./${writeLine()}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    })
    onTestFinished(async () => {
      service.child.kill('SIGKILL')
      await service.ended
    })
    await service.printed(answersAt)
    const ask = (path: string, body?: unknown) =>
      fetch(`${service.url}${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          traceparent: sender,
          connection: 'close',
        },
      }).then(answer => answer.status)

    const statuses = [
      await ask('/v1/pets'),
      await ask('/graphql', { query: 'query Shop { pets { nodes { id } } }' }),
      await ask('/nowhere'),
    ]
    const many = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(`/v1/pets/${n + 1}`)))

    expect(statuses).toEqual([200, 200, 404])
    expect(new Set(many)).toEqual(new Set([404]))
    const find = (name: string) => spans.filter(span => span.name === name)
    await until(
      async () => find('GET /v1/pets/:petId').length,
      count => count === 40,
    )
    const [list] = find('GET /v1/pets')
    const [door] = find('POST /graphql')
    const [operation] = find('GraphQL query')
    expect(list).toMatchObject({ traceId: trace, parentSpanId: '00f067aa0ba902b7' })
    const shown = Object.fromEntries(
      (list?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
    )
    expect(shown).toMatchObject({
      'http.route': '/v1/pets',
      'http.request.method': 'GET',
      'animal_store.project': project.slug,
    })
    expect(Number(shown['http.response.status_code'])).toBe(200)
    expect(find('GET none')).toHaveLength(1)
    expect(operation).toMatchObject({ traceId: trace, parentSpanId: door?.spanId })
    expect(operation?.attributes).toContainEqual({
      key: 'graphql.operation.name',
      value: { stringValue: 'Shop' },
    })

    const statements = spans.filter(span => span.attributes.some(({ key }) => key === 'db.operation.name'))
    const below = (parent: Span | undefined) =>
      statements.filter(span => span.parentSpanId === parent?.spanId)
    expect(below(list)).not.toEqual([])
    expect(below(operation)).not.toEqual([])
    const shared = statements.filter(({ links = [] }) => links.length > 1)
    const requests = new Set(spans.map(({ spanId }) => spanId))
    expect(shared.length).toBeGreaterThan(0)
    for (const { links = [], parentSpanId, traceId } of shared) {
      expect(links.every(({ spanId }) => requests.has(spanId))).toBe(true)
      expect([parentSpanId || null, traceId === trace]).toEqual([null, false])
    }
    // The service reads the log of changes ten times a second. This read belongs to no request, so the read has no
    // span.
    expect(find('read_changes')).toEqual([])

    // The spans of the request and of its statement record a failure.
    await administer(database.env.DATABASE_URL ?? '', 'ALTER TABLE pets RENAME TO pets_away')
    expect(await ask('/v1/pets?limit=9')).toBe(503)
    const failed = () => spans.filter(({ status }) => status?.code === 2)
    await until(
      async () => failed().length,
      count => count >= 2,
    )
    const faulty = failed().find(({ name }) => name === 'GET /v1/pets')
    expect(failed().filter(({ parentSpanId }) => parentSpanId === faulty?.spanId)).toHaveLength(1)
    expect(list?.status?.code ?? 0).toBe(0)

    // The spans also record a bug, which the service answers with 500. A division by zero counts as a bug. A missing
    // table does not count as a bug, because a restore of the database can cause a missing table.
    const bug = `
      ALTER TABLE orders RENAME COLUMN note TO mislaid;
      ALTER TABLE orders RENAME TO mislaid_orders;
      CREATE VIEW orders AS SELECT *, (1 / 0)::text AS note FROM mislaid_orders`
    await administer(database.env.DATABASE_URL ?? '', bug)
    expect(await ask('/v1/store/orders')).toBe(500)
    const codesOf = ({ attributes }: Span) =>
      attributes
        .filter(({ key }) => key === 'http.response.status_code')
        .map(({ value }) => Number(value.intValue))
    await until(
      async () => failed().flatMap(codesOf),
      codes => codes.includes(500),
    )

    const lines = service
      .output()
      .split('\n')
      .filter(line => line.includes('"route":"/v1/pets"'))
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      traceId: trace,
      spanId: list?.spanId,
      traceparent: sender,
    })
  },
  60_000,
)

it('without an SDK a log line has the trace ids that the client sent, and no trace ids if the client sent none', async () => {
  const app = await startApp()
  onTestFinished(() => app.stop())
  const lines: Record<string, unknown>[] = []
  const { info } = app.tools.log
  app.tools.log.info = ((line: Record<string, unknown>) => void lines.push(line)) as typeof info

  await app.ask('/livez', { headers: { traceparent: sender } })
  await app.ask('/livez')

  await expect.poll(() => lines.length).toBe(2)
  expect(lines[0]).toMatchObject({ traceId: trace, spanId: '00f067aa0ba902b7' })
  expect(lines[1]?.traceId).toBeUndefined()
})
