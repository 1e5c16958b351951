import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../support/contract-document.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
const places: Record<string, string> = {}
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject({ plan: 'business' })
  const { id } = (await store.post('/v1/pets', { name: 'Max', categoryId: 1 })).json as { id: number }
  const webhook = (await store.post('/v1/webhooks', { url, enabled: false })).json as { id: string }
  Object.assign(places, { petId: String(id), categoryId: '1', webhookId: webhook.id })
})
afterAll(() => app.stop())

const url = 'https://93.184.216.7/'
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema({ components: contract.components }, 'contract')

/** True if a client that validates by the contract would send the body. */
const isValid = (schema: string, body: unknown) =>
  ajv.validate(`contract#/components/schemas/${schema}`, body)

async function isAccepted(method: string, path: string, body: unknown): Promise<boolean> {
  const { status } = await store.ask(
    path.replace(/\{(\w+)\}/, (_all, name: string) => places[name] ?? ''),
    { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  )
  expect([200, 201, 400]).toContain(status)
  return status !== 400
}

const writes = {
  PetChange: ['PATCH', '/v1/pets/{petId}'],
  WebhookChange: ['PATCH', '/v1/webhooks/{webhookId}'],
  WebhookRewind: ['POST', '/v1/webhooks/{webhookId}/rewind'],
  CategoryName: ['PUT', '/v1/categories/{categoryId}'],
} as const

describe('a body without the required members', () => {
  it.each<[keyof typeof writes, object]>([
    ['PetChange', {}],
    ['PetChange', { color: 'red' }],
    ['PetChange', { color: 'red', name: 'Max' }],
    ['PetChange', { status: null }],
    ['WebhookChange', {}],
    ['WebhookChange', { color: 'red' }],
    ['WebhookChange', { color: 'red', enabled: false }],
    ['WebhookChange', { description: null }],
    ['WebhookRewind', {}],
    ['WebhookRewind', { color: 'red' }],
    ['WebhookRewind', { color: 'red', after: 0 }],
    ['WebhookRewind', { after: 0 }],
    ['WebhookRewind', { after: 0, since: '2026-11-01T00:00:00Z' }],
    ['CategoryName', {}],
    ['CategoryName', { color: 'red' }],
    ['CategoryName', { color: 'red', name: 'Dogs' }],
  ])('the contract and the service agree on a body of %s: %j', async (schema, body) => {
    const [method, path] = writes[schema]

    expect(await isAccepted(method, path, body)).toBe(isValid(schema, body))
  })
})

describe('a name', () => {
  const signs = [
    0x00, 0x01, 0x09, 0x0a, 0x0b, 0x0d, 0x1b, 0x20, 0x7f, 0x85, 0x9f, 0xa0, 0x2028, 0x202e, 0xfeff,
  ]

  it.each(signs.map(sign => [sign.toString(16).padStart(4, '0'), String.fromCharCode(sign)]))(
    'the contract and the service agree on whether the character U+%s is allowed alone, first, last or inside a name',
    async (_code, sign) => {
      for (const name of [sign, `${sign}a`, `a${sign}`, `a${sign}b`]) {
        for (const schema of ['PetChange', 'CategoryName'] as const) {
          const [method, path] = writes[schema]
          const answers = { name, schema, accepted: await isAccepted(method, path, { name }) }
          expect(answers).toEqual({ name, schema, accepted: isValid(schema, { name }) })
        }
        const description = { description: name }
        expect([name, await isAccepted(...writes.WebhookChange, description)]).toEqual([
          name,
          isValid('WebhookChange', description),
        ])
      }
    },
  )
})

describe('the ETags in a change of several pets', () => {
  it.each(['a-_9', '"a-_9"', 'W/"a-_9"', '*', '', 'a b', 'a,b', '!', '"a'])(
    'the contract and the service agree on whether the etag %j is valid in a change of several pets',
    async etag => {
      const id = Number(places.petId)
      const { status } = await store.patch('/v1/pets', {
        ids: [id],
        etags: [{ id, etag }],
        change: { name: 'Max' },
      })

      expect(status).toBe(isValid('PetTag', { id, etag }) ? 412 : 400)
    },
  )
})
