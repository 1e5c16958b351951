import { readFileSync } from 'node:fs'
import { buildSchema, isInputObjectType, isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addEndpoint } from '../../src/core/events/endpoints.ts'
import { codesOf, type GraphqlAnswer, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-bounds-0123456789abcdef'
let app: App
let owner: TestProject
beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
})
afterAll(() => app.stop())

type Value = number | string
type Send = (value: Value) => Promise<GraphqlAnswer<Deployed | null>>
type Deployed = { deploy?: { state: string }; deployCreate?: { deploy: { state: string } } }
type Row = { bounds: [number, number]; of: 'numbers' | 'characters' | 'letters'; send: Send }

/**
 * Sends the operation with the owner's key. Replaces `$value` by the value, and `$pet` and `$key` by the ids of a new
 * pet and a new key of the owner.
 */
const asOwner =
  (operation: string): Send =>
  async value => {
    const made = operation.includes('$pet') && (await owner.post('/v1/pets', { name: 'Max', categoryId: 1 }))
    // A new key, because the owner's own key must stay valid.
    const key = operation.includes('$key') && (await owner.issueKey())
    const query = operation
      .replace('$value', JSON.stringify(value))
      .replace('$pet', made ? JSON.stringify(String((made.json as { id: number }).id)) : '')
      .replace('$key', key ? `"key_${key.keyId}"` : '')
    return graphqlOf(app, owner)(query)
  }
/** Sends the operation as an owner who is signed in. */
const asPerson =
  (operation: string): Send =>
  async value => {
    const person = await signedIn(app.tools, app.url, owner.project, 'owner')
    const token = await person.token(owner.project.slug)
    return sendGraphql(app.url, token, operation.replace('$value', JSON.stringify(value)))
  }
/** Sends the operation with `$webhook` replaced by the id of a new endpoint. */
const withWebhook =
  (operation: string): Send =>
  async value => {
    const { endpoint } = await addEndpoint(app.tools.webhooks, owner.project, {
      url: 'https://shop.example/',
    })
    return asOwner(operation.replace('$webhook', `"webhook_${endpoint.id}"`))(value)
  }
let projects = 0
const asOperator =
  (operation: string): Send =>
  value =>
    sendGraphql(
      app.url,
      operatorKey,
      operation
        .replace('$value', JSON.stringify(value))
        .replace('$slug', `"bounded-${++projects}"`)
        .replace('$key', `"key_${owner.keyId}"`),
    )

const numbers = (least: number, most: number, operation: string, as = asOwner): Row => ({
  bounds: [least, most],
  of: 'numbers',
  send: as(operation),
})
const letters = (least: number, most: number, operation: string, as = asOwner): Row => ({
  bounds: [least, most],
  of: 'letters',
  send: as(operation),
})
const characters = (...row: Parameters<typeof letters>): Row => ({ ...letters(...row), of: 'characters' })
const letterOf = { letters: 'x', characters: '🐈' }
const page = '{ nodes { __typename } }'
const counted = '{ requests }'
const project = (field: string) => `{ project { ${field} } }`

/** The bounds in the schema's descriptions, each with an operation that tests it. */
const bounded: Record<string, Row> = {
  'Query.pets(first)': numbers(1, 100, `{ pets(first: $value) ${page} }`),
  'Query.pets(name)': characters(1, 100, `{ pets(name: $value) ${page} }`),
  'Query.categories(first)': numbers(1, 100, `{ categories(first: $value) ${page} }`),
  'Query.categories(name)': characters(1, 100, `{ categories(name: $value) ${page} }`),
  'Query.orders(first)': numbers(1, 100, `{ orders(first: $value) ${page} }`),
  'Query.orders(search)': characters(1, 100, `{ orders(search: $value) ${page} }`),
  'Query.events(first)': numbers(1, 100, `{ events(first: $value) ${page} }`),
  'Query.auditLog(first)': numbers(1, 100, `{ auditLog(first: $value) ${page} }`),
  'Query.webhooks(first)': numbers(1, 50, `{ webhooks(first: $value) ${page} }`),
  'Query.usage(days)': numbers(1, 90, `{ usage(days: $value) ${counted} }`),
  'Query.usage(hours)': numbers(1, 48, `{ usage(hours: $value) ${counted} }`),
  'Query.apiKeys(first)': numbers(1, 100, `{ apiKeys(first: $value) ${page} }`),
  'Query.apiKeys(search)': characters(0, 100, `{ apiKeys(search: $value) ${page} }`),
  'Query.projects(search)': characters(0, 100, `{ projects(search: $value) ${page} }`, asOperator),
  'Query.projects(first)': numbers(1, 100, `{ projects(first: $value) ${page} }`, asOperator),
  'Query.domains(first)': numbers(1, 50, `{ domains(first: $value) ${page} }`),
  'Query.domains(first) of operators': numbers(1, 100, `{ domains(first: $value) ${page} }`, asOperator),
  'Query.deploys(first)': numbers(1, 50, `{ deploys(first: $value) ${page} }`),
  'Project.pets(first)': numbers(1, 100, project(`pets(first: $value) ${page}`)),
  'Project.pets(name)': characters(1, 100, project(`pets(name: $value) ${page}`)),
  'Project.categories(first)': numbers(1, 100, project(`categories(first: $value) ${page}`)),
  'Project.categories(name)': characters(1, 100, project(`categories(name: $value) ${page}`)),
  'Project.orders(first)': numbers(1, 100, project(`orders(first: $value) ${page}`)),
  'Project.orders(search)': characters(1, 100, project(`orders(search: $value) ${page}`)),
  'Project.apiKeys(first)': numbers(1, 100, project(`apiKeys(first: $value) ${page}`)),
  'Project.apiKeys(search)': characters(0, 100, project(`apiKeys(search: $value) ${page}`)),
  'Project.domains(first)': numbers(1, 50, project(`domains(first: $value) ${page}`)),
  'Project.deploys(first)': numbers(1, 50, project(`deploys(first: $value) ${page}`)),
  'Project.usage(days)': numbers(1, 90, project(`usage(days: $value) ${counted}`)),
  'Project.usage(hours)': numbers(1, 48, project(`usage(hours: $value) ${counted}`)),
  'Usage.keys(first)': numbers(1, 100, `{ usage { keys(first: $value) ${counted} } }`),
  'ApiKey.usage(days)': numbers(1, 90, `{ apiKeys(first: 1) { nodes { usage(days: $value) ${counted} } } }`),
  'ApiKey.usage(hours)': numbers(
    1,
    48,
    `{ apiKeys(first: 1) { nodes { usage(hours: $value) ${counted} } } }`,
  ),
  'Pet.orders(first)': numbers(1, 100, `{ getPet(petId: $pet) { orders(first: $value) ${page} } }`),
  'Mutation.createPet(idempotencyKey)': letters(
    1,
    255,
    'mutation { createPet(input: { name: "Max", categoryId: 1 }, idempotencyKey: $value) { id } }',
  ),
  'Mutation.placeOrder(idempotencyKey)': letters(
    1,
    255,
    'mutation { placeOrder(input: { petId: $pet }, idempotencyKey: $value) { id } }',
  ),
  'Mutation.setCategory(name)': characters(
    1,
    100,
    'mutation { setCategory(categoryId: 7, name: $value) { id } }',
  ),
  'Mutation.renameApiKey(name)': characters(
    1,
    100,
    'mutation { renameApiKey(id: $key, name: $value) { name } }',
  ),
  'Mutation.rotateApiKey(overlapSeconds)': numbers(
    0,
    30 * 86_400,
    'mutation { rotateApiKey(id: $key, overlapSeconds: $value) { secret } }',
  ),
  'PetCreateInput.name': characters(
    1,
    255,
    'mutation { petCreate(input: { name: $value, categoryId: 1 }) { pet { id } } }',
  ),
  'PetCreateInput.idempotencyKey': letters(
    1,
    255,
    'mutation { petCreate(input: { name: "Max", categoryId: 1, idempotencyKey: $value }) { pet { id } } }',
  ),
  'PetUpdateInput.name': characters(
    1,
    255,
    'mutation { petUpdate(input: { id: $pet, name: $value }) { pet { id } } }',
  ),
  'CategorySetInput.name': characters(
    1,
    100,
    'mutation { categorySet(input: { id: "category_7", name: $value }) { category { id } } }',
  ),
  'OrderPlaceInput.reference': characters(
    1,
    100,
    'mutation { orderPlace(input: { petId: $pet, reference: $value }) { order { id } } }',
  ),
  'OrderPlaceInput.note': characters(
    1,
    1000,
    'mutation { orderPlace(input: { petId: $pet, note: $value }) { order { id } } }',
  ),
  'OrderPlaceInput.idempotencyKey': letters(
    1,
    255,
    'mutation { orderPlace(input: { petId: $pet, idempotencyKey: $value }) { order { id } } }',
  ),
  'ApiKeyIssueInput.name': characters(
    1,
    100,
    'mutation { apiKeyIssue(input: { name: $value, scopes: [pets_read] }) { secret } }',
  ),
  'ApiKeyRotateInput.overlapSeconds': numbers(
    0,
    30 * 86_400,
    'mutation { apiKeyRotate(input: { id: $key, overlapSeconds: $value }) { secret } }',
  ),
  'ApiKeyRenameInput.name': characters(
    1,
    100,
    'mutation { apiKeyRename(input: { id: $key, name: $value }) { apiKey { name } } }',
  ),
  'ApiKeyBanInput.seconds': numbers(
    1,
    30 * 86_400,
    'mutation { apiKeyBan(input: { id: $key, seconds: $value }) { ban { endsAt } } }',
    asOperator,
  ),
  // Replace `x` by `y`, because each slug can be used only once: the test of the deprecated mutation that creates
  // projects uses the slugs that consist of `x`.
  'ProjectCreateInput.slug': letters(
    3,
    40,
    'mutation { projectCreate(input: { slug: $value }) { project { slug } } }',
    operation => value => asOperator(operation)(String(value).replaceAll('x', 'y')),
  ),
  'ProjectCreateInput.name': characters(
    1,
    100,
    'mutation { projectCreate(input: { slug: $slug, name: $value }) { project { slug } } }',
    asOperator,
  ),
  'DeployCreateInput.title': characters(
    0,
    100,
    'mutation { deployCreate(input: { title: $value, dryRun: true }) { deploy { state } } }',
  ),
  'DeployCreateInput.description': characters(
    0,
    1000,
    'mutation { deployCreate(input: { description: $value, dryRun: true }) { deploy { state } } }',
  ),
  'ViewerRenameInput.name': characters(
    1,
    100,
    'mutation { viewerRename(input: { name: $value }) { viewer { name } } }',
    asPerson,
  ),
  'Webhook.deliveries(first)': numbers(
    1,
    100,
    `{ webhook(id: $webhook) { deliveries(first: $value) ${page} } }`,
    withWebhook,
  ),
  'WebhookCreateInput.description': characters(
    1,
    200,
    'mutation { webhookCreate(input: { url: "https://shop.example/", description: $value }) { secret } }',
  ),
  'WebhookUpdateInput.description': characters(
    1,
    200,
    'mutation { webhookUpdate(input: { id: $webhook, description: $value }) { webhook { id } } }',
    withWebhook,
  ),
  'NewPet.name': characters(1, 255, 'mutation { createPet(input: { name: $value, categoryId: 1 }) { id } }'),
  'PetChange.name': characters(1, 255, 'mutation { updatePet(petId: $pet, input: { name: $value }) { id } }'),
  'PetFilter.name': characters(
    1,
    100,
    'mutation { deletePets(input: { filter: { name: $value } }) { deleted } }',
  ),
  'NewOrder.reference': characters(
    1,
    100,
    'mutation { placeOrder(input: { petId: $pet, reference: $value }) { id } }',
  ),
  'NewOrder.note': characters(
    1,
    1000,
    'mutation { placeOrder(input: { petId: $pet, note: $value }) { id } }',
  ),
  'NewApiKey.name': characters(
    1,
    100,
    'mutation { issueApiKey(input: { name: $value, scopes: [pets_read] }) { secret } }',
  ),
  'BanApiKeyInput.seconds': numbers(
    1,
    30 * 86_400,
    'mutation { banApiKey(input: { id: $key, seconds: $value }) { ban { endsAt } } }',
    asOperator,
  ),
  'NewProject.slug': letters(
    3,
    40,
    'mutation { createProject(input: { slug: $value }) { project { slug } } }',
    asOperator,
  ),
  'NewProject.name': characters(
    1,
    100,
    'mutation { createProject(input: { slug: $slug, name: $value }) { project { slug } } }',
    asOperator,
  ),
  'NewDeploy.title': characters(
    0,
    100,
    'mutation { deploy(input: { title: $value }, dryRun: true) { state } }',
  ),
  'NewDeploy.description': characters(
    0,
    1000,
    'mutation { deploy(input: { description: $value }, dryRun: true) { state } }',
  ),
}

/** A refused deploy returns no error; its state is `failed`. */
function isRefused(answer: GraphqlAnswer<Deployed | null>): boolean {
  const deploy = answer.data?.deploy ?? answer.data?.deployCreate?.deploy
  return deploy ? deploy.state === 'failed' : String(codesOf(answer)) === 'invalid_input'
}

describe.each(Object.entries(bounded))('%s', (_where, { bounds: [least, most], of, send }) => {
  // The service counts Unicode characters, not UTF-16 units.
  const make = (size: number): Value => (of === 'numbers' ? size : letterOf[of].repeat(size))
  const within = [least, most]
  const beyond = of !== 'numbers' && least === 0 ? [most + 1] : [least - 1, most + 1]

  beforeAll(async () => {
    owner = await app.makeProject()
  })

  test.each(within)(
    'a value of a field or an argument is accepted if the size of the value is at a documented limit: %i',
    async size => {
      const answer = await send(make(size))

      expect(answer.errors).toEqual([])
      expect(isRefused(answer)).toBe(false)
    },
  )

  test.each(beyond)(
    'a value of a field or an argument is rejected if the size of the value is one beyond a documented limit: %i',
    async size => {
      expect(isRefused(await send(make(size)))).toBe(true)
    },
  )
})

test('the list of tested bounds has every bound that a description in schema.graphql states', () => {
  const said: [string, number[]][] = []
  const note = (where: string, words: string | null | undefined) => {
    const [, least, most, days] = /\b(?:(\d[\d,]*) to |up to )(\d[\d,]*)( days)?/.exec(words ?? '') ?? []
    const bounds = [least, most].flatMap(text => (text ? [Number(text.replaceAll(',', ''))] : []))
    if (most) said.push([where, bounds.map(bound => bound * (days ? 86_400 : 1))])
  }
  for (const type of Object.values(buildSchema(readFileSync('schema.graphql', 'utf8')).getTypeMap())) {
    if (isInputObjectType(type)) {
      for (const { name, description } of Object.values(type.getFields()))
        note(`${type.name}.${name}`, description)
    } else if (isObjectType(type) && !type.name.startsWith('__')) {
      for (const { name, args } of Object.values(type.getFields()))
        for (const argument of args) note(`${type.name}.${name}(${argument.name})`, argument.description)
    }
  }
  const tried = said.map(([where, bounds]) => [where, bounded[where]?.bounds.slice(-bounds.length)])

  expect(said.length).toBeGreaterThan(30)
  expect(tried.toSorted()).toEqual(said.toSorted())
})
