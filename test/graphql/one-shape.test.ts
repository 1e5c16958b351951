import { randomUUID } from 'node:crypto'
import { getNamedType, isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formerSunset, successors } from '../../src/graphql/former-mutations.ts'
import { makeSchema } from '../../src/graphql/schema.ts'
import { movableClock } from '../support/clock.ts'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-shapes-0123456789abcdef'
const clock = movableClock()
let app: App
beforeAll(async () => {
  app = await startApp({ clock, env: { OPERATOR_KEY: operatorKey } })
})
afterAll(() => app.stop())

const mutations = Object.values(makeSchema().getMutationType()?.getFields() ?? {})
const current = mutations.filter(({ deprecationReason }) => !deprecationReason)
const capital = (name: string) => name.replace(/^./, first => first.toUpperCase())

describe('mutations', () => {
  test.each(current.map(field => [field.name, field] as const))(
    'the mutation %s takes one input and returns its own payload type',
    (name, { args, type }) => {
      const inputs = name === 'certificatesResume' ? [] : [['input', `${capital(name)}Input!`]]

      expect(args.map(arg => [arg.name, String(arg.type)])).toEqual(inputs)
      expect(String(type)).toBe(`${capital(name)}Payload`)
    },
  )

  test('no payload has a field `id`, because Relay would store it as the object of that id', () => {
    const payloads = current.map(({ type }) => getNamedType(type)).filter(isObjectType)

    expect(payloads.filter(payload => 'id' in payload.getFields())).toEqual([])
  })

  test('each former mutation names its successor, and no other mutation is deprecated', () => {
    const former = mutations.filter(({ deprecationReason }) => deprecationReason)

    expect(former.map(({ name }) => name).sort()).toEqual(Object.keys(successors).sort())
    for (const { name, deprecationReason } of former) {
      const successor = successors[name as keyof typeof successors]
      expect(deprecationReason).toContain('Will be removed on 31 December 2027')
      expect(deprecationReason).toContain(`Use \`${successor}\`.`)
      expect(current.map(({ name }) => name)).toContain(successor)
    }
  })
})

type Names = Awaited<ReturnType<typeof furnish>>

/** Makes a project with one object of each kind. */
async function furnish() {
  const store = await app.makeProject()
  const send = graphqlOf(app, store)
  const asOperator = (query: string) => sendGraphql(app.url, operatorKey, query)
  const { data } = await send(`mutation {
    free: petCreate(input: { name: "Free", categoryId: 5, status: available }) { pet { id etag } }
    taken: petCreate(input: { name: "Taken", categoryId: 5 }) { pet { id } }
    category: categorySet(input: { id: "category_5", name: "Dogs" }) { category { id } }
    key: apiKeyIssue(input: { name: "spare", scopes: [pets_read] }) { apiKey { id } }
    deploy: deployCreate(input: { title: "First" }) { deploy { id } }
    domain: domainAdd(input: { name: "www.${store.project.slug}.example" }) { domain { id } }
  }`)
  const order = await send(
    `mutation { orderPlace(input: { petId: "${data.taken.pet.id}" }) { order { id } } }`,
  )
  return {
    send,
    asOperator,
    slug: store.project.slug,
    pet: data.free.pet.id as string,
    key: data.key.apiKey.id as string,
    deploy: data.deploy.deploy.id as string,
    domain: data.domain.domain.id as string,
    order: order.data.orderPlace.order.id as string,
  }
}

type Pair = {
  /** Arguments and selection of the former mutation. */
  former: (names: Names) => string
  /** Input and selection of its successor. */
  now: (names: Names) => string
  /** Returns the part of the successor's payload that equals the answer of the former mutation. */
  of: (payload: Record<string, never>) => unknown
  by?: 'operator'
}
const pet = ({ pet }: Record<string, never>) => pet
const order = ({ order }: Record<string, never>) => order
const same = (payload: Record<string, never>) => payload

/** Each former mutation with its successor, on stores that are alike. */
const pairs: Record<keyof typeof successors, Pair> = {
  createPet: {
    former: () => '(input: { name: " New ", categoryId: 7 }, idempotencyKey: "k") { name categoryId status }',
    now: () =>
      '(input: { name: " New ", categoryId: 7, idempotencyKey: "k" }) { pet { name categoryId status } }',
    of: pet,
  },
  updatePet: {
    former: ({ pet }) =>
      `(petId: "${pet}", input: { name: "Renamed", status: null }, ifMatch: "*") { name status categoryId }`,
    now: ({ pet }) =>
      `(input: { id: "${pet}", name: "Renamed", status: null, ifMatch: "*" }) { pet { name status categoryId } }`,
    of: pet,
  },
  deletePet: {
    former: ({ pet }) => `(petId: "${pet}", ifMatch: "*") { petId }`,
    now: ({ pet }) => `(input: { id: "${pet}", ifMatch: "*" }) { deletedId }`,
    of: ({ deletedId }) => ({ petId: deletedId }),
  },
  updatePets: {
    former: ({ pet }) => `(input: { ids: ["${pet}"], change: { name: "All" } }) { updated ids }`,
    now: ({ pet }) => `(input: { ids: ["${pet}"], change: { name: "All" } }) { updated updatedIds }`,
    of: ({ updated, updatedIds }) => ({ updated, ids: updatedIds }),
  },
  deletePets: {
    former: () => '(input: { filter: { status: available } }) { deleted ids }',
    now: () => '(input: { filter: { status: available } }) { deleted deletedIds }',
    of: ({ deleted, deletedIds }) => ({ deleted, ids: deletedIds }),
  },
  setCategory: {
    former: () => '(categoryId: 5, name: " Hounds ", ifMatch: "*") { id name petCount }',
    now: () =>
      '(input: { id: "category_5", name: " Hounds ", ifMatch: "*" }) { category { id name petCount } }',
    of: ({ category }) => category,
  },
  removeCategory: {
    former: () => '(categoryId: 5) { removedId }',
    now: () => '(input: { id: "category_5" }) { deletedId }',
    of: ({ deletedId }) => ({ removedId: deletedId }),
  },
  placeOrder: {
    former: ({ pet }) =>
      `(input: { petId: "${pet}", note: "Ring" }, idempotencyKey: "o") { petId note status pet { status } }`,
    now: ({ pet }) =>
      `(input: { petId: "${pet}", note: "Ring", idempotencyKey: "o" }) { order { petId note status pet { status } } }`,
    of: order,
  },
  approveOrder: {
    former: ({ order }) => `(id: "${order}") { id status }`,
    now: ({ order }) => `(input: { id: "${order}" }) { order { id status } }`,
    of: order,
  },
  deliverOrder: {
    former: ({ order }) => `(id: "${order}") { id status }`,
    now: ({ order }) => `(input: { id: "${order}" }) { order { id status } }`,
    of: order,
  },
  cancelOrder: {
    former: ({ order }) => `(id: "${order}", ifMatch: "*") { id status }`,
    now: ({ order }) => `(input: { id: "${order}", ifMatch: "*" }) { order { id status } }`,
    of: order,
  },
  issueApiKey: {
    former: () => '(input: { name: "new", scopes: [pets_read] }) { apiKey { name scopes expiresAt } }',
    now: () => '(input: { name: "new", scopes: [pets_read] }) { apiKey { name scopes expiresAt } }',
    of: same,
  },
  rotateApiKey: {
    former: ({ key }) => `(id: "${key}", overlapSeconds: 5) { apiKey { name scopes state } }`,
    now: ({ key }) => `(input: { id: "${key}", overlapSeconds: 5 }) { apiKey { name scopes state } }`,
    of: same,
  },
  renameApiKey: {
    former: ({ key }) => `(id: "${key}", name: "other") { id name }`,
    now: ({ key }) => `(input: { id: "${key}", name: "other" }) { apiKey { id name } }`,
    of: ({ apiKey }) => apiKey,
  },
  revokeApiKey: {
    former: ({ key }) => `(id: "${key}") { id state }`,
    now: ({ key }) => `(input: { id: "${key}" }) { apiKey { id state } }`,
    of: ({ apiKey }) => apiKey,
  },
  banApiKey: {
    former: ({ key }) => `(input: { id: "${key}", seconds: 60 }) { apiKey { name } inAllProcesses }`,
    now: ({ key }) => `(input: { id: "${key}", seconds: 60 }) { apiKey { name } inAllProcesses }`,
    of: same,
    by: 'operator',
  },
  liftBan: {
    former: ({ key }) => `(input: { id: "${key}" }) { apiKey { name } wasBanned inAllProcesses }`,
    now: ({ key }) => `(input: { id: "${key}" }) { apiKey { name } wasBanned inAllProcesses }`,
    of: same,
    by: 'operator',
  },
  createProject: {
    former: () =>
      `(input: { slug: "former-${randomUUID().slice(0, 8)}", name: "Shop", plan: pro }) { project { name plan { name } } owner { apiKey { scopes } } }`,
    now: () =>
      `(input: { slug: "now-${randomUUID().slice(0, 8)}", name: "Shop", plan: pro }) { project { name plan { name } } apiKey { scopes } }`,
    of: ({ project, apiKey }) => ({ project, owner: { apiKey } }),
    by: 'operator',
  },
  setPlan: {
    former: ({ slug }) =>
      `(project: "${slug}", plan: enterprise, limits: { requestsPerMinute: 7, requestsPerDay: 70 }) { plan { name } limits { requestsPerDay } }`,
    now: ({ slug }) =>
      `(input: { id: "project_${slug}", plan: enterprise, limits: { requestsPerMinute: 7, requestsPerDay: 70 } }) { project { plan { name } limits { requestsPerDay } } }`,
    of: ({ project }) => project,
    by: 'operator',
  },
  suspendProject: {
    former: ({ slug }) => `(project: "${slug}") { suspended }`,
    now: ({ slug }) => `(input: { id: "project_${slug}" }) { project { suspended } }`,
    of: ({ project }) => project,
    by: 'operator',
  },
  resumeProject: {
    former: ({ slug }) => `(project: "${slug}") { suspended }`,
    now: ({ slug }) => `(input: { id: "project_${slug}" }) { project { suspended } }`,
    of: ({ project }) => project,
    by: 'operator',
  },
  resetRateLimit: {
    former: ({ slug }) => `(input: { id: "project_${slug}" }) { project { suspended } inAllProcesses }`,
    now: ({ slug }) => `(input: { id: "project_${slug}" }) { project { suspended } inAllProcesses }`,
    of: same,
    by: 'operator',
  },
  resumeCertificates: {
    former: () => '{ pauses certificates }',
    now: () => '{ pauses certificates }',
    of: same,
    by: 'operator',
  },
  addDomain: {
    former: ({ slug }) =>
      `(input: { name: "shop.${slug}.example", withPartner: true }) { domain { host } partner { host } }`,
    now: ({ slug }) =>
      `(input: { name: "shop.${slug}.example", withPartner: true }) { domain { host } partner { host } }`,
    of: same,
  },
  verifyDomain: {
    former: ({ domain }) => `(id: "${domain}") { id host }`,
    now: ({ domain }) => `(input: { id: "${domain}" }) { domain { id host } }`,
    of: ({ domain }) => domain,
  },
  reverifyDomain: {
    former: ({ domain }) => `(id: "${domain}") { id host }`,
    now: ({ domain }) => `(input: { id: "${domain}" }) { domain { id host } }`,
    of: ({ domain }) => domain,
  },
  removeDomain: {
    former: ({ domain }) => `(id: "${domain}") { domainId name note }`,
    now: ({ domain }) => `(input: { id: "${domain}" }) { deletedId name note }`,
    of: ({ deletedId, ...more }) => ({ domainId: deletedId, ...more }),
  },
  deploy: {
    former: () => '(input: { title: "Second" }, dryRun: true) { state configuration { title } }',
    now: () => '(input: { title: "Second", dryRun: true }) { deploy { state configuration { title } } }',
    of: ({ deploy }) => deploy,
  },
  rollback: {
    former: ({ deploy }) => `(to: "${deploy}") { state rollbackOf configuration { title } }`,
    now: ({ deploy }) =>
      `(input: { id: "${deploy}" }) { deploy { state rollbackOf configuration { title } } }`,
    of: ({ deploy }) => deploy,
  },
}

/** Replaces the names of a store's objects, so that the answers of two stores can be compared. */
function nameless(names: Names, answer: unknown): unknown {
  let text = JSON.stringify(answer) ?? 'null'
  const texts = Object.entries(names).flatMap(([what, name]) =>
    typeof name === 'string' ? [{ what, name }] : [],
  )
  // Replace the longest name first: the digits of a short name may be part of a long one.
  for (const { what, name } of texts.toSorted((a, b) => b.name.length - a.name.length))
    text = text.replaceAll(name, what)
  return JSON.parse(text)
}

describe('a former mutation', () => {
  test.each(Object.entries(pairs))(
    '%s has the same effect and the same answer as its successor',
    async (name, { former, now, of, by }) => {
      const successor = successors[name as keyof typeof successors]
      const [one, other] = [await furnish(), await furnish()]
      // An order is delivered only after it was approved.
      if (name === 'deliverOrder')
        for (const { send, order } of [one, other])
          await send(`mutation { orderApprove(input: { id: "${order}" }) { order { id } } }`)
      const ask = (names: Names) => (by ? names.asOperator : names.send)

      const before = await ask(one)(`mutation { answer: ${name}${former(one)} }`)
      const after = await ask(other)(`mutation { answer: ${successor}${now(other)} }`)

      expect([before.errors, after.errors]).toEqual([[], []])
      expect(nameless(one, before.data.answer)).toEqual(nameless(other, of(after.data.answer)))
      expect(before.headers.sunset).toBe('Fri, 31 Dec 2027 00:00:00 GMT')
      const reason = `${name} is removed on 31 December 2027. Use ${successor} instead.`
      expect(before.extensions.deprecations).toEqual([
        { field: name, sunset: formerSunset.toISOString(), reason },
      ])
      expect([after.headers.sunset, after.extensions]).toEqual([undefined, {}])
    },
  )

  let refusing: Names
  beforeAll(async () => {
    refusing = await furnish()
  })
  test.each([
    ['createPet(input: { name: "", categoryId: 1 }) { id }', 'input.name'],
    ['createPet(input: { name: "x", categoryId: 1 }, idempotencyKey: "") { id }', 'idempotencyKey'],
    ['updatePet(petId: 1, input: {}) { id }', 'input'],
    ['updatePet(petId: 1, input: { name: "x" }, ifMatch: "a b") { id }', 'ifMatch'],
    ['deletePet(petId: 1, ifMatch: "a b") { petId }', 'ifMatch'],
    ['setCategory(categoryId: 1, name: "") { id }', 'name'],
    ['setCategory(categoryId: 1, name: "x", ifMatch: "a b") { id }', 'ifMatch'],
    ['removeCategory(categoryId: 1, ifMatch: "a b") { removedId }', 'ifMatch'],
    ['placeOrder(input: { petId: 1, note: "" }) { id }', 'input.note'],
    ['placeOrder(input: { petId: 1 }, idempotencyKey: "") { id }', 'idempotencyKey'],
    ['approveOrder(id: "order_1", ifMatch: "a b") { id }', 'ifMatch'],
    ['rotateApiKey(id: "KEY", overlapSeconds: -1) { secret }', 'overlapSeconds'],
    ['renameApiKey(id: "KEY", name: "") { id }', 'name'],
    ['petCreate(input: { name: "", categoryId: 1 }) { pet { id } }', 'input.name'],
    [
      'petCreate(input: { name: "x", categoryId: 1, idempotencyKey: "" }) { pet { id } }',
      'input.idempotencyKey',
    ],
    ['petUpdate(input: { id: 1 }) { pet { id } }', 'input'],
    ['petUpdate(input: { id: 1, name: "" }) { pet { id } }', 'input.name'],
    ['petUpdate(input: { id: 1, name: "x", ifMatch: "a b" }) { pet { id } }', 'input.ifMatch'],
    ['petDelete(input: { id: 1, ifMatch: "a b" }) { deletedId }', 'input.ifMatch'],
    ['categorySet(input: { id: "category_1", name: "" }) { category { id } }', 'input.name'],
    ['categoryRemove(input: { id: "category_1", ifMatch: "a b" }) { deletedId }', 'input.ifMatch'],
    ['orderCancel(input: { id: "order_1", ifMatch: "a b" }) { order { id } }', 'input.ifMatch'],
    ['apiKeyRotate(input: { id: "KEY", overlapSeconds: -1 }) { secret }', 'input.overlapSeconds'],
    ['apiKeyRename(input: { id: "KEY", name: "" }) { apiKey { id } }', 'input.name'],
  ])(
    'a former mutation reports a faulty argument by its old path, and the successor by its new path: %s',
    async (mutation, field) => {
      const { send, key } = refusing

      expect((await send(`mutation { ${mutation.replace('KEY', key)} }`)).errors).toMatchObject([
        { extensions: { code: 'invalid_input', details: [{ field }] } },
      ])
    },
  )

  test('a former mutation is counted as deprecated for the key that sends it, and its successor is not', async () => {
    const { send } = await furnish()
    await send('mutation { createPet(input: { name: "x", categoryId: 1 }) { id } }')
    await send('mutation { petCreate(input: { name: "x", categoryId: 1 }) { pet { id } } }')
    await app.tools.usageCounter.flush()

    const { data } = await send('{ apiKeys { nodes { deprecatedUse { field count } } } }')

    const used = data.apiKeys.nodes.flatMap(
      ({ deprecatedUse }: { deprecatedUse: unknown[] }) => deprecatedUse,
    )
    expect(used).toEqual([{ field: 'createPet', count: 1 }])
  })

  test('createPet, petCreate and petCreate with the header Idempotency-Key all return one pet if they are sent with one idempotency key', async () => {
    const { send } = await furnish()
    const sent = [
      await send('mutation { createPet(input: { name: "x", categoryId: 1 }, idempotencyKey: "a") { id } }'),
      await send(
        'mutation { createPet: petCreate(input: { name: "x", categoryId: 1, idempotencyKey: "a" }) { pet { id } } }',
      ),
      await send('mutation { createPet: petCreate(input: { name: "x", categoryId: 1 }) { pet { id } } }', {
        headers: { 'idempotency-key': 'a' },
      }),
    ]

    const [first, ...again] = sent.map(({ data }) => data.createPet)
    expect(again).toEqual([{ pet: first }, { pet: first }])
    expect(sent.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, undefined, 'true'])
  })

  test('a former mutation is refused with gone after its removal date, and its successor still works', async () => {
    const { send } = await furnish()
    const total = async () => (await send('{ inventory { total } }')).data.inventory.total
    const before = await total()
    clock.moveTo('2027-12-31T00:00:01Z')

    const gone = await send('mutation { createPet(input: { name: "x", categoryId: 1 }) { id } }')
    const done = await send('mutation { petCreate(input: { name: "x", categoryId: 1 }) { pet { name } } }')

    expect([gone.status, ...codesOf(gone)]).toEqual([410, 'gone'])
    expect(gone.errors[0]?.message).toBe('createPet was removed on 31 December 2027. Use petCreate instead.')
    expect(done.data.petCreate).toEqual({ pet: { name: 'x' } })
    expect(await total()).toBe(before + 1)
  })
})
