import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
} from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostDomains } from '../../src/core/domains/domains.ts'
import { askAgainMs, driftForgivenMs } from '../../src/core/hosts/dns-check-schedule.ts'
import { getPetDeprecation } from '../../src/core/keys/deprecations.ts'
import { mostActive, mostStored } from '../../src/core/keys/room.ts'
import { retentionMs } from '../../src/core/pets/idempotency.ts'
import { managementPerMinute } from '../../src/core/projects/limits.ts'
import { bodyLimitBytes } from '../../src/http/answer.ts'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
})
afterAll(() => app.stop())

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
const [query, mutation] = [schema.getQueryType(), schema.getMutationType()]
const fieldsOf = (name: string) =>
  (schema.getType(name) as GraphQLObjectType | GraphQLInputObjectType).getFields()
const valueNamed = (type: string, name: string) =>
  (schema.getType(type) as GraphQLEnumType).getValue(name)?.description
const argumentOf = (field: string, name: string) =>
  mutation?.getFields()[field]?.args.find(arg => arg.name === name)?.description
const inWords = (count: number) => count.toLocaleString('en')
const hours = retentionMs / 3_600_000
const removal = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
  getPetDeprecation.sunset,
)

test.each([
  ['management budget', query?.description, `${managementPerMinute} a minute and project`],
  ['management budget of mutations', mutation?.description, `of ${managementPerMinute} a minute`],
  ['removal of getPet', query?.getFields().getPet?.deprecationReason, removal],
  ['removal in the error code gone', valueNamed('ErrorCode', 'gone'), removal],
  ['largest body', valueNamed('ErrorCode', 'body_too_large'), `larger than ${bodyLimitBytes / 1024} KiB`],
  ['maximum number of domains', valueNamed('ErrorCode', 'too_many_domains'), `has ${mostDomains} domains`],
  [
    'maximum number of active keys',
    valueNamed('ErrorCode', 'too_many_api_keys'),
    `has ${inWords(mostActive)}`,
  ],
  ['maximum number of keys', valueNamed('ErrorCode', 'too_many_api_keys'), `or ${inWords(mostStored)} keys`],
  [
    'maximum number of active keys at apiKeyIssue',
    mutation?.getFields().apiKeyIssue?.description,
    `at most ${inWords(mostActive)} active keys`,
  ],
  [
    'pause between verifications',
    valueNamed('ErrorCode', 'verify_too_soon'),
    `in ${{ 10000: 'ten' }[askAgainMs]} seconds`,
  ],
  ['life of an idempotency key', valueNamed('ErrorCode', 'idempotency_mismatch'), `within ${hours} hours`],
  [
    'life of the idempotency key of createPet',
    argumentOf('createPet', 'idempotencyKey'),
    `within ${hours} hours`,
  ],
  [
    'life of the idempotency key of placeOrder',
    argumentOf('placeOrder', 'idempotencyKey'),
    `within ${hours} hours`,
  ],
  [
    'time that a domain may drift',
    valueNamed('DomainHostState', 'drifted'),
    `for ${{ [7 * 86_400_000]: 'seven' }[driftForgivenMs]} days`,
  ],
])('schema.graphql states the number that the service uses: %s', (_what, words, number) => {
  expect(words?.replace(/\s+/g, ' ')).toContain(number)
})

test('the description of each plan states its limits', async () => {
  const { plans } = (
    await graphqlOf(app, store)('{ plans { id name requestsPerMinute requestsPerDay customDomains } }')
  ).data

  for (const { id, name, requestsPerMinute, requestsPerDay, customDomains } of plans) {
    const words = valueNamed('PlanName', name) ?? ''
    const numbers = /^([\d,]+) requests a minute, ([\d,]+) a day/.exec(words) ?? []
    const parsed = numbers.slice(1).map(number => Number(number.replace(',', '')))
    expect(id).toBe(`plan_${name}`)
    expect(parsed).toEqual(requestsPerMinute === null ? [] : [requestsPerMinute, requestsPerDay])
    expect(words.includes('custom domains')).toBe(customDomains)
  }
  expect(plans.map(({ name }: { name: string }) => name)).toEqual(['free', 'pro', 'business', 'enterprise'])
})

test.each([
  [50, 'succeeded'],
  [51, 'failed'],
])('a deploy accepts as many redirects as the schema states: %i', async (count, state) => {
  expect(fieldsOf('NewDomainsConfiguration').redirects?.description).toContain('at most 50')
  const own = await app.makeProject()
  const now = new Date()
  const names = Array.from({ length: count }, (_, n) => `a${n}.many.test`)
  const always = { projectId: own.project.id, createdAt: now, looksSince: now }
  const data = [...names, 'to.many.test'].map(name => ({ ...always, name }))
  await app.tools.db.domain.createMany({ data })
  const redirects = names.map(from => ({ from, to: 'to.many.test' }))

  const { data: parsed } = await graphqlOf(app, own)(
    'mutation($input: NewDeploy!) { deploy(input: $input, dryRun: true) { state log { message } } }',
    { variables: { input: { domains: { redirects } } } },
  )

  expect(parsed.deploy.state).toBe(state)
})
