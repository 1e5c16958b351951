import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/core/errors.ts'
import { type Answer, ask } from '../support/ask.ts'
import { randomOf } from '../support/random.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const requestsPerSeed = 400
/** `npm run malformed` tries ten seeds, or as many as SEEDS says; the gate tries two. */
const seeds = Array.from({ length: Number(process.env.SEEDS ?? 2) }, (_, n) => n + 1)

let app: App
let project: TestProject
beforeAll(async () => {
  app = await startApp()
  project = await app.makeProject({ plan: 'enterprise', perMinute: 100_000, perDay: 100_000 })
})
afterAll(() => app.stop())

const known: readonly unknown[] = [
  ...errorCodes,
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]
type Random = ReturnType<typeof randomOf>

const operations = readFileSync('src/cli/operations.graphql', 'utf8').split(/\n(?=query|mutation)/)
const oddValues = [
  null,
  0,
  -1,
  1.5,
  1e300,
  2 ** 53,
  '',
  'x',
  '\u0000',
  '\ud800',
  [],
  {},
  [[[]]],
  { a: { b: [1] } },
  true,
  '9'.repeat(400),
]

/** Makes an operation with some words and signs removed, doubled or swapped. */
function spoiled(random: Random): string {
  const tokens = random.oneOf(operations).match(/[\w$!]+|\s+|[^\w\s]/g) ?? []
  for (let times = random.below(4); times > 0; times--) {
    const at = random.below(tokens.length)
    const odd = random.oneOf([
      '{',
      '}',
      '(',
      ')',
      ':',
      '...',
      '@',
      '"""',
      '"',
      '$',
      '\u0000',
      'fragment',
      'on',
      '__schema',
      '-1',
      '[',
      '\ud83d',
      '@skip(if: true)',
      '#',
    ])
    tokens.splice(
      at,
      random.below(2),
      ...random.oneOf([[], [odd], [tokens[at] ?? '', odd, tokens[at] ?? '']]),
    )
  }
  return tokens.join('')
}

function send(random: Random): Promise<Answer> {
  const query = random.below(10) === 0 ? random.oneOf(oddValues) : spoiled(random)
  const variables = Object.fromEntries(
    ['first', 'after', 'status', 'input', 'id', 'project', 'days', 'plan'].flatMap(name =>
      random.below(2) ? [[name, random.oneOf(oddValues)]] : [],
    ),
  )
  const body = random.oneOf<unknown>([
    { query, variables },
    { query, variables, operationName: random.oneOf(oddValues) },
    { query, variables: random.oneOf(oddValues) },
    {
      query,
      extensions: random.oneOf([...oddValues, { persistedQuery: random.oneOf(oddValues) }, { cost: true }]),
    },
    [{ query }],
    random.oneOf(oddValues),
  ])
  const text = random.below(20) === 0 ? random.bytes(random.below(200)) : JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${project.secret}`,
    'content-type': random.oneOf([
      'application/json',
      'application/json',
      'application/json; charset=utf-16',
      'text/plain',
      'application/graphql',
    ]),
    accept: random.oneOf([
      '*/*',
      'application/json',
      'application/graphql-response+json',
      'image/png',
      'multipart/mixed',
      ';;',
    ]),
  }
  if (random.below(6) > 0) return ask(`${app.url}/graphql`, { method: 'POST', headers, body: text })
  const search = new URLSearchParams({
    query: String(query).toWellFormed(),
    variables: JSON.stringify(random.oneOf(oddValues)),
  })
  return ask(`${app.url}/graphql?${search}`, {
    headers: { authorization: headers.authorization, accept: headers.accept },
  })
}

describe('spoiled GraphQL requests', () => {
  it.each(seeds)(
    `${requestsPerSeed} spoiled requests of seed %d get documented errors and cause no failure`,
    async seed => {
      const random = randomOf(seed)
      for (let i = 0; i < requestsPerSeed; i++) {
        const { status, json, text, headers } = await send(random)

        expect(status, `seed ${seed}, request ${i}: ${text.slice(0, 300)}`).toBeLessThan(500)
        expect(headers['x-request-id']).toBeTruthy()
        expect(text).not.toMatch(/node_modules|\.ts:\d|at \w+ \(/)
        const { errors = [] } = (json ?? {}) as {
          errors?: { extensions?: { code?: string; status?: number } }[]
        }
        if (status >= 400) expect(errors.length, text).toBeGreaterThan(0)
        for (const { extensions } of errors) expect(known, text).toContain(extensions?.code)
        expect(
          errors.every(({ extensions }) => extensions?.code !== 'internal_error'),
          text,
        ).toBe(true)
      }
    },
    120_000,
  )
})

const create = JSON.stringify('mutation($input: NewPet!) { createPet(input: $input) { id } }')
const deep = `${'['.repeat(15_000)}${']'.repeat(15_000)}`
const unknown = Array.from({ length: 4000 }, (_, i) => `"unknown${i}":1`).join(',')

describe('a huge request', () => {
  it.each([
    ['nested lists as an unknown variable', `{"query":${create},"variables":{"other":${deep}}}`],
    ['nested lists as a variable', `{"query":${create},"variables":{"input":${deep}}}`],
    ['4,000 unknown fields', `{"query":${create},"variables":{"input":{${unknown}}}}`],
    ['an unknown field of 60,000 letters', `{"query":"{ ${'a'.repeat(60_000)} }"}`],
    ['a slug of 60,000 digits', `{"query":"{ project(slug: \\"${'9'.repeat(60_000)}\\") { slug } }"}`],
    ['60,000 open braces', `{"query":"${'{'.repeat(60_000)}"}`],
  ])('a huge request with %s gets a short answer', async (_name, body) => {
    const answer = await project.post('/graphql', body)

    expect(answer.status).toBeLessThan(500)
    expect(answer.text).toContain('"errors"')
    expect(answer.text).not.toContain('internal_error')
    expect(answer.text.length).toBeLessThan(10_000)
  })
})

it.each([
  ['apiKeys', 'key', ['', '7', 'x', "' OR true --", '\u0000', '019ab2f0-5d1c-7c3a-9d2e']],
  ['deploys', 'deploy', ['', 'x', '-1', '1.5', '1e3', '9999999999', '0x7', '\u0000']],
])('a made-up cursor of %s is rejected with an error for the argument after', async (field, list, keys) => {
  for (const key of keys) {
    const after = Buffer.from(`${list} ${key}`).toString('base64url')

    const { json } = await project.post('/graphql', {
      query: `query ($after: String) { ${field}(after: $after) { nodes { id } } }`,
      variables: { after },
    })

    expect([key, json]).toMatchObject([
      key,
      { errors: [{ extensions: { code: 'invalid_input', details: [{ field: 'after' }] } }] },
    ])
  }
})
