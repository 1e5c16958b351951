import { readFileSync } from 'node:fs'
import { buildSchema, parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpointLabel } from '../../src/core/events/endpoints.ts'
import { operationsOf, readContract } from '../../src/reference/contract.ts'
import { graphqlSample } from '../../src/reference/graphql-sample.ts'
import { sameOperations } from '../../src/reference/same-operations.ts'
import { type Language, placeForKey, type Sample, samplesOf } from '../../src/reference/samples.ts'
import { makeSampleFolder, runSample } from '../support/run-sample.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operations = operationsOf(readContract())
const languages: Language[] = ['curl', 'JavaScript', 'TypeScript', 'Python', 'GraphQL']

let app: App
let place: Awaited<ReturnType<typeof makeSampleFolder>>
let project: TestProject

beforeAll(async () => {
  app = await startApp()
  place = await makeSampleFolder()
  project = await app.makeProject({ plan: 'business' })
  expect((await project.post('/v1/pets', { name: 'Biscuit', categoryId: 7 })).json).toMatchObject({ id: 1 })
})
afterAll(async () => {
  await app?.stop()
  place?.remove()
})

/**
 * Before each sample, creates what the contract's examples name: pet 1, category 7, and order 12 in a suitable status.
 */
async function prepare(operationId: string): Promise<void> {
  const { db } = app.tools
  const projectId = project.project.id
  const key = { projectId, id: 1n }
  await db.pet.updateMany({ where: { projectId }, data: { openOrderId: null } })
  await db.order.deleteMany({ where: { projectId } })
  const pet = { name: 'Biscuit', categoryId: 7n, status: 'available' as const }
  // Create pet 2 only for operations that run after createPet, because the sequence gives the id 2 to createPet.
  for (const id of /^(update|delete)Pets$/.test(operationId) ? [1n, 2n] : [1n]) {
    const one = { projectId, id }
    await db.pet.upsert({ where: { projectId_id: one }, update: pet, create: { ...one, ...pet } })
  }
  const dogs = { projectId, id: 7n, name: 'Dogs' }
  await db.category.upsert({ where: { projectId_id: { projectId, id: 7n } }, update: dogs, create: dogs })
  // Enable the webhook endpoint only for redelivery. For other operations the endpoint is disabled, because the service
  // would send all events to an enabled endpoint.
  if (/Event|Webhook/.test(operationId)) await prepareEvents(operationId === 'redeliverWebhook')
  if (!/^(get|approve|deliver|cancel)Order$/.test(operationId)) return
  const status = operationId === 'deliverOrder' ? 'approved' : 'placed'
  await db.order.create({
    data: { projectId, id: 12n, petId: 1n, petName: 'Biscuit', categoryId: 7n, status },
  })
  await db.pet.update({ where: { projectId_id: key }, data: { openOrderId: 12n, status: 'pending' } })
}

/** Creates the event and the webhook endpoint that the examples name. */
async function prepareEvents(enabled: boolean): Promise<void> {
  const { db, hosting } = app.tools
  const projectId = project.project.id
  const era = 0x3f2a91bc
  await db.$executeRaw`INSERT INTO event_numbers (project_id, last) VALUES (${projectId}, 42)
    ON CONFLICT (project_id) DO UPDATE SET last = greatest(event_numbers.last, 42)`
  await db.$executeRaw`DELETE FROM events WHERE project_id = ${projectId} AND number = 42`
  await db.$executeRaw`INSERT INTO events (project_id, era, number, at, is_management, type, data)
    VALUES (${projectId}, ${era}, 42, now(), false, 'pets.replaced', '{}')`
  const id = '0199f1c2-7a3b-7c4d-9e5f-6a7b8c9d0e1f'
  await db.webhookEndpoint.deleteMany({ where: { projectId } })
  const sealedSecret = await hosting.seal.close('whsec_AAAA', endpointLabel(id))
  const data = {
    id,
    projectId,
    url: 'https://shop.example.com/hooks',
    delivered: 42n,
    enabled,
    sealedSecret,
  }
  await db.webhookEndpoint.create({ data })
}

async function runHere({ language, code }: Sample): Promise<string> {
  const filled = code.replaceAll(placeForKey, project.secret)
  return language === 'GraphQL' ? runGraphql(filled) : runSample(place.folder, language, filled)
}

const asJson = { method: 'POST', headers: { 'content-type': 'application/json' } }

async function runGraphql(text: string): Promise<string> {
  const [query, given = '{}'] = text.split('\n\n# variables\n')
  const variables = JSON.parse(given.replace(/^# /gm, ''))
  return (await project.ask('/graphql', { ...asJson, body: JSON.stringify({ query, variables }) })).text
}

describe.each(operations.map(operation => [operation.operationId, operation] as const))(
  'the samples of %s',
  (_id, operation) => {
    const samples = () => samplesOf(operation, `${app.url}/v1`, true)

    it('each operation has a sample in each language, and one for GraphQL if a field of GraphQL does the same', () => {
      const hasField = sameOperations.some(({ rest }) => rest === operation.operationId)
      expect(samples().map(({ language }) => language)).toEqual(
        languages.filter(language => language !== 'GraphQL' || hasField),
      )
    })

    it.each(languages)('a sample runs as shown: %s', async language => {
      const sample = samples().find(other => other.language === language)
      if (!sample) return
      await prepare(operation.operationId)

      expect(await runHere(sample)).not.toMatch(/"code": ?"|"errors"/)
    })
  },
)

describe('the GraphQL operations that the reference offers to try', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap(type =>
    Object.keys(type?.getFields() ?? {}).map(field => [type?.name ?? '', field] as const),
  )

  it.each(fields)('the sample operation of a GraphQL field is valid: %s.%s', (root, field) => {
    const { document, variables } = graphqlSample(root, field)

    expect(validate(schema, parse(document))).toEqual([])
    expect(() => JSON.parse(variables)).not.toThrow()
  })
})
