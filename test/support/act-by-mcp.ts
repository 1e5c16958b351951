import { actByRest } from './act-by-rest.ts'
import { type Act, nothing, type Outcome, readCommonHeaders, type ShownOrder, timesOf } from './both-doors.ts'
import type { TestProject } from './start-app.ts'

/** Maps names of arguments in MCP's errors to REST's names. */
const restNames: Record<string, string> = {
  idempotencyKey: 'Idempotency-Key',
  etag: 'If-Match',
  arguments: 'body',
}

type Error = { code: string; status: number; details?: { field: string }[]; retryAfterSeconds?: number }
type Pet = Outcome['pets'][number] & { etag?: string }
type Answer = {
  pet?: Pet
  pets?: Pet[]
  order?: ShownOrder
  orders?: ShownOrder[]
  category?: Outcome['categories'][number]
  categories?: Outcome['categories']
  nextCursor?: string | null
}

/** Does the act with a tool, or over REST if there is no tool for it. */
export async function actByMcp(project: TestProject, act: Act): Promise<Outcome> {
  const call = toolFor(act)
  if (!call) return actByRest(project, act)
  const [name, given] = call
  const body = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: {
      name,
      arguments: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    },
  }
  const { text, headers } = await project.post('/mcp', body, { accept: '*/*' })
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
  const common = readCommonHeaders(headers)
  if (result.isError) {
    const { code, status, details = [], retryAfterSeconds } = JSON.parse(result.content[0].text) as Error
    const fields = details.map(({ field }) => restNames[field] ?? field).sort()
    return { ...nothing, ...common, code, status, fields, retryAfter: retryAfterSeconds?.toString() }
  }
  const { pet, pets, order, orders, category, categories, nextCursor } = result.structuredContent as Answer
  return {
    ...nothing,
    ...common,
    pets: (pets ?? [pet ?? []].flat()).map(({ id, name, categoryId, status }) => ({
      ...{ id, name, categoryId },
      status: status ?? null,
    })),
    orders: (orders ?? [order ?? []].flat()).map(showOrder),
    categories: categories ?? [category ?? []].flat(),
    cursor: nextCursor ?? null,
    etag: pet?.etag ?? null,
  }
}

function toolFor(act: Act): [name: string, args: Record<string, unknown>] | null {
  switch (act.kind) {
    case 'create':
      return ['add_pet', { ...act.pet, idempotencyKey: act.key }]
    case 'get':
      return ['get_pet', { petId: act.id }]
    case 'update':
      return ['update_pet', { ...act.change, petId: act.id, etag: act.ifMatch }]
    case 'delete':
      return ['delete_pet', { petId: act.id, etag: act.ifMatch }]
    case 'list': {
      const { limit, after: cursor, status, filters } = act
      return ['list_pets', { limit, cursor, status, ...filters }]
    }
    case 'place':
      return ['place_order', { ...act.order, idempotencyKey: act.key }]
    case 'approve':
    case 'deliver':
    case 'cancel':
      return ['move_order', { orderId: act.id, move: act.kind }]
    case 'listOrders':
      return ['list_orders', { limit: act.limit, cursor: act.after, ...act.filters }]
    case 'setCategory':
      return ['name_category', { categoryId: act.id, name: act.name }]
    case 'listCategories':
      return ['list_categories', { limit: act.limit, cursor: act.after }]
    default:
      return null
  }
}

const showOrder = ({ id, petId, petName, categoryId, status, reference, note, ...times }: ShownOrder) => ({
  ...{ id, petId, petName, categoryId, status },
  reference: reference ?? null,
  note: note ?? null,
  times: timesOf(times),
})
