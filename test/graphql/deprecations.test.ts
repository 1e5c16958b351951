import { isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getPetDeprecation } from '../../src/core/keys/deprecations.ts'
import { successors } from '../../src/graphql/former-mutations.ts'
import { makeSchema } from '../../src/graphql/schema.ts'
import { movableClock } from '../support/clock.ts'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const clock = movableClock()
let app: App
let project: TestProject
let send: ReturnType<typeof graphqlOf>

beforeAll(async () => {
  app = await startApp({ clock })
  project = await app.makeProject()
  send = graphqlOf(app, project)
})
afterAll(() => app.stop())

describe('deprecated fields', () => {
  test('an answer has the deprecation headers of REST and an extension only if a deprecated field is selected', async () => {
    const rest = await project.get('/v1/pets/1')
    const { headers, extensions } = await send('{ old: getPet(petId: 1) { id } }')
    const other = await send('{ pets { nodes { id } } }')

    expect(headers.deprecation).toBe(rest.headers.deprecation)
    expect(headers.sunset).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
    expect(headers.link).toContain('rel="successor-version"')
    const [field, reason] = ['getPet', getPetDeprecation.reason]
    expect(extensions.deprecations).toEqual([{ field, sunset: '2030-12-05T00:00:00.000Z', reason }])
    expect(other.headers.deprecation).toBeUndefined()
    expect(other.extensions).toEqual({})
  })

  test('deprecatedUse shows which key still calls a deprecated field over REST or GraphQL', async () => {
    const own = await app.makeProject()
    const shop = await own.issueKey()
    for (let i = 0; i < 2; i++) await shop.get('/v1/pets/1')
    // A key without the scope is refused, and its call does not count as a use of the deprecated operation.
    const refused = await own.issueKey(['orders:read'])
    expect((await refused.get('/v1/pets/1')).status).toBe(403)
    await graphqlOf(app, shop)('{ a: getPet(petId: 1) { id } b: getPet(petId: 2) { id } }')
    await app.tools.usageCounter.flush()

    const { apiKeys } = (
      await graphqlOf(app, own)('{ apiKeys { nodes { id deprecatedUse { field count lastUsedAt } } } }')
    ).data

    const used = apiKeys.nodes.find((key: { id: string }) => key.id === `key_${shop.keyId}`)
    expect(used.deprecatedUse).toEqual([{ field: 'getPet', count: 4, lastUsedAt: expect.any(String) }])
    for (const { keyId } of [own, refused]) {
      const key = apiKeys.nodes.find((key: { id: string }) => key.id === `key_${keyId}`)
      expect(key.deprecatedUse).toEqual([])
    }
  })

  test('the only deprecated fields of the schema are getPet and the mutations that have a successor', () => {
    const deprecated = Object.values(makeSchema().getTypeMap())
      .filter(type => isObjectType(type) && !type.name.startsWith('__'))
      .flatMap(type => (isObjectType(type) ? Object.values(type.getFields()) : []))
      .filter(field => field.deprecationReason !== undefined && field.deprecationReason !== null)

    expect(deprecated.map(field => field.name).sort()).toEqual(
      [getPetDeprecation.field, ...Object.keys(successors)].sort(),
    )
  })

  test('after the sunset of getPet, GraphQL answers with the code gone and REST with the status 410', async () => {
    clock.moveTo('2030-12-05T00:00:01Z')

    expect(codesOf(await send('{ getPet(petId: 1) { id } }'))).toEqual(['gone'])
    expect((await project.get('/v1/pets/1')).status).toBe(410)
  })

  test('deprecatedUse still counts calls after the sunset', async () => {
    clock.moveTo('2030-12-06T00:00:00Z')
    const own = await app.makeProject()
    await own.get('/v1/pets/1')
    await graphqlOf(app, own)('{ getPet(petId: 1) { id } }')
    await app.tools.usageCounter.flush()

    const { data } = await graphqlOf(app, own)('{ apiKeys { nodes { deprecatedUse { field count } } } }')

    expect(data.apiKeys.nodes).toEqual([{ deprecatedUse: [{ field: 'getPet', count: 2 }] }])
  })
})
