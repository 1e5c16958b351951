import {
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeSchema } from '../../src/graphql/schema.ts'
import { codesOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
let app: App
let bugs: ReturnType<typeof vi.spyOn>
beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
  bugs = vi.spyOn(app.tools.log, 'error')
})
afterAll(() => app.stop())

test('a subscription to anything but events is rejected as malformed and not logged as a bug', async () => {
  const { secret } = await app.makeProject()

  const answer = await sendGraphql(app.url, secret, 'subscription { pets { nodes { id } } }')

  expect(answer.status).toBe(400)
  expect(answer.errors).toMatchObject([{ extensions: { code: 'malformed_request' } }])
  expect(answer.errors[0]?.message).toContain('Subscription')
  expect(bugs).not.toHaveBeenCalled()
})

const schema = makeSchema()
const rootFields = [schema.getQueryType(), schema.getMutationType()]
  .filter(isObjectType)
  .flatMap(type => Object.values(type.getFields()).map(field => ({ root: type.name, field })))
  .filter(({ field }) => field.args.length > 0)

describe.each(['\u0000', 'a\u0000b', '\ud800', '￿', ''])('a text like %j', odd => {
  test.each(rootFields.map(one => [`${one.root}.${one.field.name}`, one] as const))(
    'an argument of %s that is empty or holds an odd character causes no internal error, for a key of a project or of an operator',
    async (_name, { root, field }) => {
      const declared = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ')
      const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ')
      const selection = isObjectType(getNamedType(field.type)) ? ' { __typename }' : ''
      const query = `${root.toLowerCase()}(${declared}) { ${field.name}(${given})${selection} }`
      const { secret, project } = await app.makeProject()

      for (const key of [secret, operatorKey]) {
        for (const variables of spoiledOneByOne(field.args, odd, project.slug)) {
          const answer = await sendGraphql(app.url, key, query, { variables })

          expect(codesOf(answer), JSON.stringify(variables)).not.toContain('internal_error')
        }
      }
      expect(bugs).not.toHaveBeenCalled()
    },
  )
})

/**
 * Returns a list of variables for the arguments. Each item of the list has `odd` in place of a different text, and all
 * other values of the item are valid. If the arguments contain no text, the list has one item, with only valid values.
 */
function spoiledOneByOne(args: readonly GraphQLArgument[], odd: string, slug: string) {
  const all: Record<string, unknown>[] = []
  let spoiled = 0
  let count = 0
  do {
    count = 0
    const one = Object.fromEntries(
      args.map(({ name, type }) => [name, name === 'project' ? text(slug) : sampleOf(type)]),
    )
    all.push(one)
    spoiled += 1
  } while (spoiled < count)
  return all

  function text(usual: string): string {
    return count++ === spoiled ? odd : usual
  }

  function sampleOf(type: GraphQLInputType): unknown {
    const bare = getNullableType(type)
    if (isListType(bare)) return [sampleOf(bare.ofType)]
    if (isEnumType(bare)) return bare.getValues()[0]?.name
    if (isInputObjectType(bare)) {
      const fields = Object.values(bare.getFields()).filter(field => field.name !== 'limits')
      return Object.fromEntries(fields.map(field => [field.name, sampleOf(field.type)]))
    }
    if (isScalarType(bare) && bare.name === 'Int') return 1
    if (isScalarType(bare) && bare.name === 'Boolean') return false
    if (isScalarType(bare) && bare.name === 'DateTime')
      return isNonNullType(type) ? '2040-01-01T00:00:00Z' : null
    return text('1')
  }
}
