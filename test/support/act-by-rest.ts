import type { Answer } from './ask.ts'
import {
  type Act,
  nothing,
  type Outcome,
  type Paged,
  readCommonHeaders,
  type ShownOrder,
  timesOf,
} from './both-doors.ts'
import { relatedByRest } from './related.ts'
import type { TestProject } from './start-app.ts'

type OneRequest = Exclude<Act, { kind: 'related' }>
type RestPet = { id: bigint; name: string; categoryId: bigint; status?: string }
type RestOrder = { id: bigint; petId: bigint; categoryId: bigint; reference?: string; note?: string } & Omit<
  ShownOrder,
  'times'
>
type RestCategory = { id: bigint; name: string; petCount: number }
type RestError = { code: string; status: number; details?: { field: string }[] }

export async function actByRest(project: TestProject, act: Act): Promise<Outcome> {
  if (act.kind === 'related') return relatedByRest(project)
  const answer = await askRest(project, act)
  const common = readCommonHeaders(answer.headers)
  if (answer.status >= 400) {
    const { code, status, details = [] } = answer.json as RestError
    return { ...nothing, ...common, code, status, fields: details.map(({ field }) => field).sort() }
  }
  const cursor = /cursor=([^&>]+)/.exec(String(answer.headers.link))?.[1] ?? null
  if (act.kind === 'updateMany' || act.kind === 'deleteMany') {
    const { ids } = answer.json as { ids: (number | bigint)[] }
    return { ...nothing, ...common, changed: ids.map(String) }
  }
  const rows = [answer.json ?? []].flat()
  switch (kindShown[act.kind]) {
    case 'pet':
      return {
        ...nothing,
        ...common,
        pets: (rows as RestPet[]).map(showPet),
        cursor,
        // The ETag of a list belongs to the page, not to a pet.
        etag: act.kind === 'list' ? null : (answer.headers.etag?.slice(1, -1) ?? null),
      }
    case 'order':
      return { ...nothing, ...common, orders: (rows as RestOrder[]).map(showOrder), cursor }
    case 'category':
      return { ...nothing, ...common, categories: (rows as RestCategory[]).map(showCategory), cursor }
  }
}

const kindShown = {
  create: 'pet',
  list: 'pet',
  get: 'pet',
  update: 'pet',
  delete: 'pet',
  place: 'order',
  approve: 'order',
  deliver: 'order',
  cancel: 'order',
  getOrder: 'order',
  listOrders: 'order',
  setCategory: 'category',
  removeCategory: 'category',
  getCategory: 'category',
  listCategories: 'category',
} as const satisfies Record<Exclude<OneRequest['kind'], 'updateMany' | 'deleteMany'>, string>

const showPet = ({ id, name, categoryId, status }: RestPet) => ({
  id: `${id}`,
  name,
  categoryId: `${categoryId}`,
  status: status ?? null,
})

const showOrder = (order: RestOrder): ShownOrder => ({
  id: `${order.id}`,
  petId: `${order.petId}`,
  petName: order.petName,
  categoryId: `${order.categoryId}`,
  status: order.status,
  reference: order.reference ?? null,
  note: order.note ?? null,
  times: timesOf(order),
})

const showCategory = ({ id, name, petCount }: RestCategory) => ({ id: `${id}`, name, petCount })

function askRest(project: TestProject, act: OneRequest): Promise<Answer> {
  const once = (key: string | null): Record<string, string> =>
    key === null ? {} : { 'idempotency-key': key }
  const pet = (id: string) => `/v1/pets/${encodeURIComponent(id)}`
  const order = (id: string) => `/v1/store/orders/${encodeURIComponent(id)}`
  const category = (id: string) => `/v1/categories/${encodeURIComponent(id)}`
  switch (act.kind) {
    case 'create':
      return project.post('/v1/pets', toWire(act.pet), once(act.key))
    case 'get':
      return project.get(pet(act.id))
    case 'update':
      return project.patch(pet(act.id), toWire(act.change), ifMatching(act.ifMatch))
    case 'delete':
      return project.delete(pet(act.id), ifMatching(act.ifMatch))
    case 'list': {
      const { categoryId, name, newestFirst } = act.filters
      const sort = newestFirst ? '-id' : null
      return project.get(`/v1/pets?${query(act, { status: act.status, categoryId, name, sort })}`)
    }
    case 'updateMany':
      return project.patch('/v1/pets', { ...act.selection, change: toWire(act.change) })
    case 'deleteMany': {
      const headers = { 'content-type': 'application/json' }
      return project.ask('/v1/pets', { method: 'DELETE', headers, body: JSON.stringify(act.selection) })
    }
    case 'place':
      return project.post('/v1/store/orders', toWire(act.order), once(act.key))
    case 'approve':
    case 'deliver':
    case 'cancel':
      return project.post(`${order(act.id)}/${act.kind}`, '')
    case 'getOrder':
      return project.get(order(act.id))
    case 'listOrders':
      return project.get(`/v1/store/orders?${query(act, act.filters)}`)
    case 'setCategory':
      return project.ask(category(act.id), {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: act.name }),
      })
    case 'removeCategory':
      return project.delete(category(act.id))
    case 'getCategory':
      return project.get(category(act.id))
    case 'listCategories':
      return project.get(`/v1/categories?${query(act, {})}`)
  }
}

const ifMatching = (tag: string | null): Record<string, string> =>
  tag === null ? {} : { 'if-match': /^[\w-]+$/.test(tag) ? `"${tag}"` : tag }

function query({ limit, after }: Paged, filters: Record<string, string | null>): URLSearchParams {
  const all = { limit: limit === null ? null : `${limit}`, cursor: after, ...filters }
  return new URLSearchParams(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}

/** Writes numbers as JSON numbers, whatever their size. */
function toWire(input: Record<string, unknown>): Record<string, unknown> {
  const numbers = ['categoryId', 'petId']
  const isNumber = (value: unknown): value is string =>
    typeof value === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      numbers.includes(name) && isNumber(value) ? JSON.rawJSON(value) : value,
    ]),
  )
}
