import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AnimalStore, StoreError } from '../../clients/typescript/src/index.ts'
import { profilesFile } from '../../src/cli/profiles.ts'
import { data, runHere, runWithAnswers } from '../support/run-command.ts'
import { standIn } from '../support/stand-in.ts'

const url = 'http://127.0.0.1:9'
const key = 'as_secret'
const notHttp = 'must be an http or https address, such as https://store.example'
const addresses = [
  ...['foo', '/x', 'http://[::1', 'localhost:4000', 'ftp://store.example', 'http://', 'http:store.example'],
  ...[
    'http:\\\\store.example',
    'http://sto\nre.example',
    'http://sto\tre.example',
    'http://store.example/\u001b[2J',
  ],
]
const keys = ['as_secret\nb', 'as_secret b', 'as_secret\u00e4', 'as_secret\u001b[2J', '\tas_secret']

describe('an invalid address', () => {
  it.each(addresses)(
    'an invalid address ends each command with a message and exit code 2: --url %s',
    async address => {
      for (const args of [['pets', 'list'], ['limits'], ['login']]) {
        const { exitCode, output, errors } = await runHere({}, [...args, '--url', address, '--key', key])

        expect([exitCode, output]).toEqual([2, ''])
        const trimmed = JSON.stringify(address.replace(/\/+$/, ''))
        expect(errors).toBe(`The address ${trimmed} (from --url) ${notHttp}.\n`)
      }
    },
  )

  it('with --json an invalid address is reported as JSON that names the source of the address', async () => {
    const env = { ANIMAL_STORE_URL: 'foo', ANIMAL_STORE_KEY: key }
    const { exitCode, errors } = await runHere(env, ['pets', 'list', '--json'])

    expect(exitCode).toBe(2)
    expect(JSON.parse(errors)).toEqual({
      code: 'invalid_input',
      message: `The address "foo" (from ANIMAL_STORE_URL) ${notHttp}.`,
      details: [{ field: '--url', message: notHttp }],
    })
  })

  it('an invalid address is not shown if it holds a password', async () => {
    const env = { ANIMAL_STORE_KEY: key }
    const { exitCode, errors } = await runHere(env, ['pets', 'list', '--url', 'http://me:hush@127.0.0.1:9'])

    expect([exitCode, errors]).toEqual([
      2,
      'The address (from --url) must not contain a user name or a password.\n',
    ])
    const keyless = await runHere({}, ['pets', 'list', '--url', 'http://me:hush@127.0.0.1:9'])
    expect(keyless.errors).not.toContain('hush')
  })

  it('an invalid address is reported even if there is no key for it', async () => {
    const { exitCode, errors } = await runHere({ ANIMAL_STORE_URL: 'foo' }, ['pets', 'list'])

    expect([exitCode, errors]).toEqual([2, `The address "foo" (from ANIMAL_STORE_URL) ${notHttp}.\n`])
  })

  it.each(['--url', '--key', '--profile'])(
    'an empty %s is refused, so that a script with an unset variable does not use a default instead',
    async option => {
      const env = { ANIMAL_STORE_URL: url, ANIMAL_STORE_KEY: key }
      for (const args of [['pets', 'list'], ['limits'], ['login']]) {
        const { exitCode, errors } = await runHere(env, [...args, option, ''])

        expect([exitCode, errors]).toEqual([2, `${option} must not be empty.\n`])
      }
    },
  )

  it.each(addresses)('a program cannot create a client with an invalid address: %s', address => {
    const open = () => new AnimalStore({ url: address, key })

    expect(open).toThrow(StoreError)
    expect(open).toThrow(expect.objectContaining({ code: 'invalid_input', message: `url ${notHttp}.` }))
  })
})

describe('an address with the path of REST', () => {
  const caller = { operator: false, scopes: [], keyPrefix: 'as_secret', projectSlug: 'zoo' }
  const rateLimit = { plan: 'pro', ban: null, minute: {}, day: {}, management: {} }

  it.each(['/v1', '/v1/'])(
    'each command reaches the service at an address that ends with %s',
    async ending => {
      const home = mkdtempSync(join(tmpdir(), 'animal-store-home-'))
      onTestFinished(() => rmSync(home, { recursive: true }))
      const paths: unknown[] = []
      const answers: Record<string, object> = { '/graphql': { data: { caller, rateLimit } }, '/v1/pets': [] }
      const store = await standIn((request, response) => {
        const [path = ''] = request.url?.split('?') ?? []
        paths.push(path)
        response.writeHead(answers[path] ? 200 : 404, { 'content-type': 'application/json' })
        response.end(JSON.stringify(answers[path] ?? {}))
      })
      const runAt = (address: string, ...args: string[]) =>
        runHere({ HOME: home, DATA_DIR: join(home, 'none') }, [...args, '--json', '--url', address])
      const profiles = profilesFile({ HOME: home })

      for (const args of [['limits'], ['pets', 'list'], ['login']])
        expect(await runAt(store + ending, ...args, '--key', key)).toMatchObject({ exitCode: 0, errors: '' })
      expect(JSON.parse(readFileSync(profiles, 'utf8')).profiles).toEqual({ default: { url: store, key } })
      // Write the profile as an earlier version of `login` did: with the address as it was given.
      writeFileSync(profiles, readFileSync(profiles, 'utf8').replace(store, store + ending))
      expect(await runAt(store, 'whoami')).toMatchObject({ exitCode: 0, errors: '' })

      expect(paths).toEqual(['/graphql', '/v1/pets', '/graphql', '/graphql'])
    },
  )

  it('the command does not remove v1 from an address if v1 is the host name', async () => {
    const { errors } = await runHere({}, ['limits', '--url', 'http://v1/'])

    expect(errors).toContain('There is no key for http://v1:')
  })
})

describe('an invalid key', () => {
  it.each(keys)(
    'an invalid key ends each command with a message that does not contain the key: %j',
    async wrong => {
      for (const args of [['pets', 'list'], ['limits'], ['whoami']]) {
        const { exitCode, output, errors } = await runHere({ ANIMAL_STORE_KEY: wrong }, [
          ...args,
          '--url',
          url,
        ])

        expect([exitCode, output]).toEqual([2, ''])
        expect(errors).toBe(
          'The key (from ANIMAL_STORE_KEY) must be an API key: visible ASCII characters without spaces.\n',
        )
      }
    },
  )

  it.each(['', ...keys])(
    'a program cannot create a client with an invalid key, and the error does not contain the key: %j',
    wrong => {
      const open = () => new AnimalStore({ url, key: wrong })

      expect(open).toThrow(
        expect.objectContaining({ code: 'invalid_input', message: expect.not.stringContaining('secret') }),
      )
    },
  )
})

it.each(['null', '[]', '{', '"x"'])('a damaged file of keys is reported: %s', async content => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-damaged-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'credentials.json')
  writeFileSync(file, content)

  const { exitCode, errors } = await runHere({ DATA_DIR: folder }, ['pets', 'list'])

  expect([exitCode, errors]).toEqual([
    1,
    `${file} cannot be read as a JSON object. Repair it or delete it.\n`,
  ])
})

it.each([{ url: 7 }, { url: null }, { url: ['http://127.0.0.1:9'] }])(
  'a file of keys whose address is not a text is reported: %j',
  async content => {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-damaged-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'credentials.json')
    writeFileSync(file, JSON.stringify(content))

    const { exitCode, errors } = await runHere({ DATA_DIR: folder }, ['pets', 'list'])

    expect([exitCode, errors]).toEqual([2, `url in ${file} must be a text.\n`])
  },
)

describe('a server that repeats a cursor', () => {
  const message = 'The list repeats a page, so it would never end.'

  it('a list of the client ends with an error if the server repeats a cursor on any page', async () => {
    let received = 0
    const repeating = await standIn((_request, response) => {
      const cursor = ['a', 'b'][received++ % 2]
      response.setHeader('content-type', 'application/json')
      response.setHeader('link', `</v1/pets?cursor=${cursor}>; rel="next"`)
      response.end('[{"id":1,"name":"Rex","categoryId":1}]')
    })
    const store = new AnimalStore({ url: repeating, key })

    const all = Array.fromAsync(store.pets.list())

    await expect(all).rejects.toMatchObject({ name: 'StoreError', code: 'unexpected_answer', message })
    expect(received).toBe(3)
  })

  it('a list of the command line ends with an error if the service repeats a cursor', async () => {
    const page = { nodes: [], pageInfo: { hasNextPage: true, endCursor: 'a' } }
    const answer = data({ project: { apiKeys: page } })

    const { exitCode, errors, received } = await runWithAnswers('keys list', [answer, answer, answer])

    expect([exitCode, errors]).toEqual([
      1,
      'The service repeats a page of the list, so the list would never end.\n',
    ])
    expect(received).toHaveLength(2)
  })
})

it('reading the stream of an export fails with a StoreError if the connection breaks off', async () => {
  const breaking = await standIn((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-length': '100' })
    response.write('{"id":1}\n', () => response.destroy())
  })
  const stream = await new AnimalStore({ url: breaking, key }).pets.export()

  await expect(new Response(stream).text()).rejects.toMatchObject({
    name: 'StoreError',
    code: 'connection_failed',
    message: `The answer of ${breaking} broke off: what was read is incomplete.`,
  })
})
