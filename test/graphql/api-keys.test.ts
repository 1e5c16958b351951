import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mostActive } from '../../src/core/keys/room.ts'
import { fillKeys } from '../support/fill-keys.ts'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let project: TestProject
let send: ReturnType<typeof graphqlOf>

beforeAll(async () => {
  app = await startApp()
  project = await app.makeProject()
  send = graphqlOf(app, project)
})
afterAll(() => app.stop())

const issue = `mutation($input: NewApiKey!) { issueApiKey(input: $input) {
  secret apiKey { id name prefix scopes state current expiresAt revokedAt lastUsedAt successorId deprecatedUse { field count } }
} }`
const issueKey = async (input = {}) =>
  (await send(issue, { variables: { input: { name: 'CI', scopes: ['pets_read'], ...input } } })).data
    .issueApiKey
const list = async () =>
  (
    await send(
      '{ apiKeys { nodes { id name state successorId lastUsedAt expiresAt deprecatedUse { field count lastUsedAt } } } }',
    )
  ).data.apiKeys.nodes
const find = async (id: string) => (await list()).find((apiKey: { id: string }) => apiKey.id === id)
const pets = (secret: string) => app.ask('/v1/pets', { headers: { authorization: `Bearer ${secret}` } })

describe('API keys over GraphQL', () => {
  test('an issued key works at once, and its secret is not shown again', async () => {
    const { secret, apiKey } = await issueKey()

    expect((await pets(secret)).status).toBe(200)
    expect(apiKey).toMatchObject({
      name: 'CI',
      prefix: secret.slice(0, 11),
      scopes: ['pets_read'],
      state: 'active',
      current: false,
    })
    expect(JSON.stringify(await list())).not.toContain(secret)
  })

  test('a key cannot grant a scope that it lacks', async () => {
    const limited = await project.issueKey(['project:write', 'pets:read'])
    const asLimited = graphqlOf(app, limited)
    const powerful = await issueKey({ scopes: ['pets_write'] })

    const wider = await asLimited(issue, {
      variables: { input: { name: 'x', scopes: ['pets_read', 'pets_write'] } },
    })
    const rotated = await asLimited('mutation($id: ID!) { rotateApiKey(id: $id) { secret } }', {
      variables: { id: powerful.apiKey.id },
    })
    const same = await asLimited(issue, { variables: { input: { name: 'x', scopes: ['pets_read'] } } })

    expect(codesOf(wider)).toEqual(['insufficient_scope'])
    expect(codesOf(rotated)).toEqual(['insufficient_scope'])
    expect(codesOf(same)).toEqual([])
  })

  test('listing keys needs project:read, and changing them needs project:write', async () => {
    const reader = graphqlOf(app, await project.issueKey(['project:read']))
    const stranger = graphqlOf(app, await project.issueKey(['pets:read', 'pets:write']))

    expect(codesOf(await reader('{ apiKeys { nodes { id } } }'))).toEqual([])
    expect(
      codesOf(await reader(issue, { variables: { input: { name: 'x', scopes: ['project_read'] } } })),
    ).toEqual(['insufficient_scope'])
    expect(codesOf(await stranger('{ apiKeys { nodes { id } } }'))).toEqual(['insufficient_scope'])
  })

  test('both secrets work during the overlap of a rotation, and the list shows when the old secret was last used', async () => {
    const old = await issueKey()
    const rotated = await send(
      'mutation($id: ID!) { rotateApiKey(id: $id, overlapSeconds: 3600) { secret apiKey { id } } }',
      { variables: { id: old.apiKey.id } },
    )
    const { secret, apiKey } = rotated.data.rotateApiKey

    expect((await pets(secret)).status).toBe(200)
    expect((await pets(old.secret)).status).toBe(200)
    await app.tools.usageCounter.flush()
    const listed = await find(old.apiKey.id)
    expect(listed).toMatchObject({ state: 'overlapping', successorId: apiKey.id })
    expect(Date.parse(listed.lastUsedAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(Date.parse(listed.expiresAt)).toBeLessThan(Date.now() + 3_601_000)
  })

  test('a rotation without overlap ends the old secret within a second', async () => {
    const old = await issueKey()
    expect((await pets(old.secret)).status).toBe(200)

    await send('mutation($id: ID!) { rotateApiKey(id: $id, overlapSeconds: 0) { secret } }', {
      variables: { id: old.apiKey.id },
    })

    await expect.poll(async () => (await pets(old.secret)).status, { timeout: 3000 }).toBe(401)
    expect(await find(old.apiKey.id)).toMatchObject({ state: 'expired' })
    const again = await send('mutation($id: ID!) { rotateApiKey(id: $id) { secret } }', {
      variables: { id: old.apiKey.id },
    })
    expect(codesOf(again)).toEqual(['api_key_ended'])
  })

  test('a revoked key ends within a second, and revoking it again changes nothing', async () => {
    const { secret, apiKey } = await issueKey()
    expect((await pets(secret)).status).toBe(200)
    const revoke = () =>
      send('mutation($id: ID!) { revokeApiKey(id: $id) { state revokedAt } }', {
        variables: { id: apiKey.id },
      })

    const first = await revoke()
    const again = await revoke()

    expect(first.data.revokeApiKey.state).toBe('revoked')
    expect(again.data).toEqual(first.data)
    await expect.poll(async () => (await pets(secret)).status, { timeout: 3000 }).toBe(401)
  })

  test('a key can be renamed', async () => {
    const { apiKey } = await issueKey()
    const rename = (name: string) =>
      send('mutation($id: ID!, $name: String!) { renameApiKey(id: $id, name: $name) { name } }', {
        variables: { id: apiKey.id, name },
      })

    expect((await rename(' Web shop ')).data.renameApiKey.name).toBe('Web shop')
    expect(codesOf(await rename(''))).toEqual(['invalid_input'])
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ scopes: ['everything'] }, 'scopes[0]'],
  ])('a key with %j is rejected, and the error names the field', async (more, field) => {
    const { errors } = await send(issue, {
      variables: { input: { name: 'CI', scopes: ['pets_read'], ...more } },
    })

    expect(errors[0]?.extensions).toMatchObject({
      code: 'invalid_input',
      details: [{ field: `input.${field}` }],
    })
  })

  test('the list of keys has pages, newest key first', async () => {
    const own = await app.makeProject()
    for (let i = 0; i < 3; i++) await own.issueKey()
    const page = async (after: string | null) =>
      (
        await graphqlOf(app, own)(
          'query($after: String) { apiKeys(first: 2, after: $after) { nodes { id createdAt } pageInfo { endCursor hasNextPage } } }',
          {
            variables: { after },
          },
        )
      ).data.apiKeys

    const first = await page(null)
    const second = await page(first.pageInfo.endCursor)

    expect([...first.nodes, ...second.nodes]).toHaveLength(4)
    expect([first, second].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, false])
    expect(second.nodes[1].id).toBe(`key_${own.keyId}`)
    expect((await page(second.pageInfo.endCursor)).nodes).toEqual([])
  })

  test('the list of keys filters keys by name, state and expiry, alone and combined', async () => {
    const own = await app.makeProject()
    const ask = graphqlOf(app, own)
    const hour = 3_600_000
    const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
    const issued = async (name: string, expiresAt: string | null) => {
      const input = { name, scopes: ['pets_read'], expiresAt }
      return (await ask(issue, { variables: { input } })).data.issueApiKey.apiKey.id
    }
    await issued('Shop soon', at(1))
    await issued('Shop later', at(48))
    await issued('Shop for ever', null)
    const revoked = await issued('Till soon', at(2))
    await ask('mutation($id: ID!) { revokeApiKey(id: $id) { id } }', { variables: { id: revoked } })
    const names = async (filters: string) =>
      (await ask(`{ apiKeys(${filters}) { nodes { name } } }`)).data.apiKeys.nodes.map(
        ({ name }: { name: string }) => name,
      )

    expect(await names('search: "shop"')).toEqual(['Shop for ever', 'Shop later', 'Shop soon'])
    expect(await names('states: [revoked]')).toEqual(['Till soon'])
    expect(await names(`endsBefore: "${at(24)}"`)).toEqual(['Till soon', 'Shop soon'])
    expect(await names(`endsBefore: "${at(72)}", states: [active]`)).toEqual(['Shop later', 'Shop soon'])
    expect(await names(`endsBefore: "${at(72)}", states: [active], search: "SOON"`)).toEqual(['Shop soon'])
  })

  test('one active key more than a project may have is refused with too_many_api_keys, but keys can still be rotated', async () => {
    const own = await app.makeProject()
    await fillKeys(app.tools.db, own.project, mostActive - 1)
    const ask = graphqlOf(app, own)

    const refused = await ask(
      'mutation { apiKeyIssue(input: { name: "CI", scopes: [pets_read] }) { secret } }',
    )
    const rotated = await ask('mutation($id: ID!) { apiKeyRotate(input: { id: $id }) { secret } }', {
      variables: { id: `key_${own.keyId}` },
    })

    expect(refused.errors).toMatchObject([
      {
        message: 'A project has at most 1,000 active API keys; revoke one first.',
        extensions: { code: 'too_many_api_keys', status: 409 },
      },
    ])
    expect(rotated.errors).toEqual([])
  })

  test('revoking an API key by an unknown id fails with api_key_not_found, whatever the form of the id', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000'
    for (const id of [`key_${unknown}`, unknown, `domain_${project.keyId}`, 'key_x', 'x', project.secret]) {
      expect(
        codesOf(await send('mutation($id: ID!) { revokeApiKey(id: $id) { id } }', { variables: { id } })),
      ).toEqual(['api_key_not_found'])
    }
  })
})
