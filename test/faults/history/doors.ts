import { AnimalStore, etagOf, StoreError } from '../../../clients/typescript/src/index.ts'
import type { Answer, Client } from '../client.ts'

export type Seen = { id: number; name: string; tag: string | null }

/**
 * The outcome of a call. `refused`: the call had no effect, because the tag that the call sent was old. `none`: the
 * call had no effect for another reason. `unknown`: the call may have had its effect or not.
 */
export type Result<T> =
  | { outcome: 'done'; value: T }
  | { outcome: 'refused' | 'none' | 'unknown'; value: null }

/** A door is one interface of one process for the test clients: REST, GraphQL, MCP or the published client. */
export type Door = {
  name: string
  create(name: string, key: string | null): Promise<Result<Seen>>
  find(id: number): Promise<Result<Seen>>
  list(): Promise<Result<Seen[]>>
  change(id: number, name: string, tag: string): Promise<Result<Seen>>
  placeOrder(petId: number, key: string): Promise<Result<{ id: number }>>
  move(orderId: number, to: 'approve' | 'deliver' | 'cancel'): Promise<Result<{ id: number }>>
}

/** Receives each answer, to check that a 5xx is a documented one. */
export type Note = (url: string, answer: Answer) => void
type Json = { [name: string]: Json } & Json[] & (string | number | null)
export type At = { client: Client; secret: string; url: string; note: Note }

const unknown = { outcome: 'unknown', value: null } as const
const refusalOf = (text: string) =>
  ({ outcome: text.includes('precondition_failed') ? 'refused' : 'none', value: null }) as const
const category = 7

export const doorsOf = (at: At, place: string): Door[] => [
  restDoor(at, `REST at ${place}`),
  graphqlDoor(at, `GraphQL at ${place}`),
  mcpDoor(at, `MCP at ${place}`),
  clientDoor(at, `client at ${place}`),
]

function restDoor({ client, url, note }: At, name: string): Door {
  async function ask<T>(
    method: string,
    path: string,
    read: (json: Json, tag: string | null) => T,
    question: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<Result<T>> {
    const answer = await client.ask(`${url}/v1${path}`, { method, ...question })
    note(url, answer)
    const { status, text, headers } = answer
    if (status === 200 || status === 201) {
      return { outcome: 'done', value: read(JSON.parse(text), headers.etag?.replaceAll('"', '') ?? null) }
    }
    return isRefusal(status, text) ? refusalOf(text) : unknown
  }
  const once = (key: string | null): { headers: Record<string, string> } => ({
    headers: key === null ? {} : { 'idempotency-key': key },
  })
  const body = (name: string) => ({ name, categoryId: category, status: 'available' })
  return {
    name,
    create: (pet, key) => ask('POST', '/pets', seen, { body: body(pet), ...once(key) }),
    find: id => ask('GET', `/pets/${id}`, seen),
    list: () => ask('GET', '/pets?limit=100', json => json.map(pet => seen(pet, null))),
    change: (id, pet, tag) =>
      ask('PATCH', `/pets/${id}`, seen, { body: { name: pet }, headers: { 'if-match': `"${tag}"` } }),
    placeOrder: (petId, key) => ask('POST', '/store/orders', idOf, { body: { petId }, ...once(key) }),
    move: (id, to) => ask('POST', `/store/orders/${id}/${to}`, idOf),
  }
}

const seen = (json: Json, tag: string | null): Seen => ({ id: Number(json.id), name: String(json.name), tag })
const idOf = (json: Json) => ({ id: Number(json.id) })

/**
 * True for a refusal that had no effect. A repeated key whose first call still runs is no refusal, because the outcome
 * is still open.
 */
const isRefusal = (status: number | null, text: string) =>
  status !== null && status >= 400 && status < 500 && !text.includes('idempotency_in_flight')

function graphqlDoor({ client, url, note }: At, name: string): Door {
  async function ask<T>(query: string, variables: object, read: (data: Json) => T): Promise<Result<T>> {
    const answer = await client.ask(`${url}/graphql`, { method: 'POST', body: { query, variables } })
    note(url, answer)
    if (!answer.status || answer.status >= 500 || answer.text[0] !== '{') return unknown
    const { data, errors } = JSON.parse(answer.text)
    if (!errors && data) return { outcome: 'done', value: read(data) }
    const codes = errors ? JSON.stringify(errors) : answer.text
    return /unavailable|internal_error|idempotency_in_flight/.test(codes) ? unknown : refusalOf(codes)
  }
  const pet = '{ pet { id name etag } }'
  const shown = (json: Json) => seen(json, String(json.etag))
  const orderOf = (json: Json) => ({ id: Number(String(json.id).replace('order_', '')) })
  const moves = { approve: 'orderApprove', deliver: 'orderDeliver', cancel: 'orderCancel' }
  const types = { approve: 'OrderApproveInput', deliver: 'OrderDeliverInput', cancel: 'OrderCancelInput' }
  return {
    name,
    create: (pet_, idempotencyKey) =>
      ask(
        `mutation ($input: PetCreateInput!) { petCreate(input: $input) ${pet} }`,
        { input: { name: pet_, categoryId: category, status: 'available', idempotencyKey } },
        ({ petCreate }) => shown(petCreate?.pet as Json),
      ),
    find: id =>
      ask(`query ($id: ID!) { getPet(petId: $id) { id name etag } }`, { id }, data =>
        shown(data.getPet as Json),
      ),
    list: () =>
      ask(`{ pets(first: 100) { nodes { id name etag } } }`, {}, ({ pets }) =>
        ((pets as Json).nodes as Json).map(shown),
      ),
    change: (id, name, ifMatch) =>
      ask(
        `mutation ($input: PetUpdateInput!) { petUpdate(input: $input) ${pet} }`,
        { input: { id, name, ifMatch } },
        ({ petUpdate }) => shown(petUpdate?.pet as Json),
      ),
    placeOrder: (petId, idempotencyKey) =>
      ask(
        `mutation ($input: OrderPlaceInput!) { orderPlace(input: $input) { order { id } } }`,
        { input: { petId, idempotencyKey } },
        ({ orderPlace }) => orderOf(orderPlace?.order as Json),
      ),
    move: (id, to) =>
      ask(
        `mutation ($input: ${types[to]}!) { ${moves[to]}(input: $input) { order { id } } }`,
        { input: { id: `order_${id}` } },
        data => orderOf(data[moves[to]]?.order as Json),
      ),
  }
}

function mcpDoor({ client, url, note }: At, name: string): Door {
  let last = 0
  async function call<T>(tool: string, args: object, read: (json: Json) => T): Promise<Result<T>> {
    const headers = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    }
    const message = {
      jsonrpc: '2.0',
      id: ++last,
      method: 'tools/call',
      params: { name: tool, arguments: args },
    }
    const answer = await client.ask(`${url}/mcp`, { method: 'POST', body: message, headers })
    note(url, answer)
    if (answer.status !== 200) return isRefusal(answer.status, answer.text) ? refusalOf(answer.text) : unknown
    const line = answer.text.startsWith('{') ? answer.text : (/^data: (.+)$/m.exec(answer.text)?.[1] ?? '{}')
    const { result } = JSON.parse(line)
    const text = String(result?.content?.[0]?.text)
    if (result && !result.isError) return { outcome: 'done', value: read(JSON.parse(text)) }
    return /unavailable|internal_error|idempotency_in_flight|undefined/.test(text) ? unknown : refusalOf(text)
  }
  const shown = (json: Json) =>
    seen(json, json.etag === undefined ? null : String(json.etag).replaceAll('"', ''))
  return {
    name,
    create: (pet, idempotencyKey) =>
      call(
        'add_pet',
        {
          ...{ name: pet, categoryId: String(category), status: 'available' },
          ...(idempotencyKey !== null && { idempotencyKey }),
        },
        json => shown(json.pet as Json),
      ),
    find: id => call('get_pet', { petId: String(id) }, json => shown(json.pet as Json)),
    list: () => call('list_pets', { limit: 100 }, json => (json.pets as Json).map(shown)),
    change: (id, pet, etag) =>
      call('update_pet', { petId: String(id), name: pet, etag }, json => shown(json.pet as Json)),
    placeOrder: (petId, idempotencyKey) =>
      call('place_order', { petId: String(petId), idempotencyKey }, json => idOf(json.order as Json)),
    move: (id, to) => call('move_order', { orderId: String(id), move: to }, json => idOf(json.order as Json)),
  }
}

/** The published client, without retries: each attempt has an outcome of its own. */
function clientDoor({ url, secret }: At, name: string): Door {
  const store = new AnimalStore({ url, key: secret, retries: 0 })
  async function ask<T>(act: () => Promise<T>): Promise<Result<T>> {
    try {
      return { outcome: 'done', value: await act() }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      return isRefusal(error.status, error.code) ? refusalOf(error.code) : unknown
    }
  }
  type Pet = Awaited<ReturnType<typeof store.pets.get>>
  const shown = (pet: Pet): Seen => ({
    ...{ id: Number(pet.id), name: pet.name },
    tag: etagOf(pet).replaceAll('"', ''),
  })
  const withId = ({ id }: { id: bigint }) => ({ id: Number(id) })
  const once = (key: string | null) => (key === null ? {} : { idempotencyKey: key })
  return {
    name,
    create: (pet, key) =>
      ask(async () =>
        shown(
          await store.pets.create(
            { name: pet, categoryId: BigInt(category), status: 'available' },
            once(key),
          ),
        ),
      ),
    find: id => ask(async () => shown(await store.pets.get(BigInt(id)))),
    list: () =>
      ask(async () => {
        for await (const { items } of store.pets.list().pages())
          return items.map(pet => ({ ...shownInList(pet) }))
        return []
      }),
    change: (id, pet, tag) =>
      ask(async () => shown(await store.pets.update(BigInt(id), { name: pet }, { ifMatch: `"${tag}"` }))),
    placeOrder: (petId, key) =>
      ask(async () => withId(await store.orders.place({ petId: BigInt(petId) }, once(key)))),
    move: (id, to) => ask(async () => withId(await store.orders[to](BigInt(id)))),
  }
}

const shownInList = ({ id, name }: { id: bigint; name: string }): Seen => ({
  id: Number(id),
  name,
  tag: null,
})
