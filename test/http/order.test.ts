import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openRawConnection } from '../support/raw-connection.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
})
afterAll(() => app.stop())

async function answersTo(bytes: string) {
  const { socket, answers } = await openRawConnection(app.url)
  socket.write(bytes, 'latin1')
  return answers()
}

function addition(name: string, ...lines: string[]): string {
  const body = JSON.stringify({ name, categoryId: 1 })
  return `${headOf(`content-length: ${body.length}`, ...lines)}${body}`
}

function headOf(...lines: string[]): string {
  const known = ['host: localhost', `authorization: Bearer ${store.secret}`, 'content-type: application/json']
  return `POST /v1/pets HTTP/1.1\r\n${[...known, ...lines].join('\r\n')}\r\n\r\n`
}

async function namesOfPets(): Promise<string[]> {
  const { json } = await store.get('/v1/pets?limit=100')
  return (json as { name: string }[]).map(({ name }) => name)
}

it.each([
  ['garbage', 'what?\r\n\r\n', 400, 'malformed_request'],
  ['one byte too many', 'x', 400, 'malformed_request'],
  ['a header of 20 KB', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
])(
  'a creation is answered with 201 before the invalid request that is pipelined after it: %s',
  async (follower, bytes, status, code) => {
    const answers = await answersTo(addition(`Before ${follower}`) + bytes)

    expect(answers.map(answer => answer.status)).toEqual([201, status])
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ name: `Before ${follower}` })
    expect(JSON.parse(answers[1]?.body ?? '')).toMatchObject({ code, status })
    expect(answers[1]?.headers.get('connection')).toBe('close')
    expect(await namesOfPets()).toContain(`Before ${follower}`)
  },
)

it('a request with Connection: close is answered, and the request after it is ignored', async () => {
  const answers = await answersTo(addition('Last', 'connection: close') + addition('Too late'))

  expect(answers.map(answer => answer.status)).toEqual([201])
  expect(await namesOfPets()).not.toContain('Too late')
})

it('if invalid text follows several pipelined requests, the service first answers these requests and then sends an error', async () => {
  const answers = await answersTo(`${addition('One')}${addition('Two')}${addition('Three')}?`)

  expect(answers.map(answer => answer.status)).toEqual([201, 201, 201, 400])
})

it('a chunked body that becomes invalid in the middle is refused once, after the answers to earlier requests', async () => {
  const broken = `${headOf('transfer-encoding: chunked')}5\r\n{"nam\r\nnonsense\r\n`

  const alone = await answersTo(broken)
  const second = await answersTo(addition('Before a broken one') + broken)

  expect(alone.map(answer => answer.status)).toEqual([400])
  expect(alone[0]?.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  expect(JSON.parse(alone[0]?.body ?? '')).toMatchObject({ code: 'malformed_request', status: 400 })
  expect(second.map(answer => answer.status)).toEqual([201, 400])
  // If the service refuses the request before it has looked up the key, the answer shows the limits of the IP address.
  // So try until the answer shows the limits of the key.
  const { headers } = await store.get('/v1/rate-limit')
  const limitHeader = async () => (await answersTo(broken))[0]?.headers.get('x-ratelimit-limit')
  await expect.poll(limitHeader).toBe(headers['x-ratelimit-limit'])
})

it.each([
  '/v1/pets',
  '/v1/pets/5',
  '/v1/pets/export',
  '/v1/rate-limit',
  `/graphql?query=${encodeURIComponent('{ pets { nodes { id } } }')}`,
  '/openapi.yaml',
  '/reference',
  '/dashboard/',
  '/readyz',
])(
  'a request for %s whose body breaks off while it is answered gets one answer and logs no error',
  async path => {
    await store.get(path)
    const errors = vi.spyOn(app.tools.log, 'error')
    const lines = ['host: localhost', 'accept-encoding: br', `authorization: Bearer ${store.secret}`]

    const answers = await answersTo(
      `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n`,
    )
    // After these requests, any late answer would have arrived.
    await app.ask('/openapi.yaml', { headers: { 'accept-encoding': 'br' } })
    await store.get(path)

    expect(answers).toHaveLength(1)
    expect([200, 400, 404]).toContain(answers[0]?.status)
    expect(errors).not.toHaveBeenCalled()
    errors.mockRestore()
  },
)

it.each([
  ['an unknown key', 'authorization: Bearer as_unknown', 'transfer-encoding: chunked'],
  ['no key', 'accept: */*', 'transfer-encoding: chunked'],
  ['an unknown transfer coding', 'accept: */*', 'transfer-encoding: gzip'],
])(
  'a request whose body cannot be parsed, and which the app refuses for %s, gets exactly one answer',
  async (_what, ...lines) => {
    const answers = await answersTo(
      `POST /v1/pets HTTP/1.1\r\nhost: localhost\r\n${lines.join('\r\n')}\r\n\r\nnonsense\r\n`,
    )

    expect(answers).toHaveLength(1)
    expect([400, 401, 501]).toContain(answers[0]?.status)
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ status: answers[0]?.status })
  },
)
