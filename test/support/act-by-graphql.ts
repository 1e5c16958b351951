import {
  type Act,
  type Filters,
  nothing,
  type Outcome,
  readCommonHeaders,
  type ShownOrder,
  timesOf,
} from './both-doors.ts'
import { sendGraphql } from './graphql.ts'
import { relatedByGraphql } from './related.ts'
import type { App, TestProject } from './start-app.ts'

const pet = 'id name categoryId status'
const order = `id petId petName categoryId status reference note placedAt approvedAt deliveredAt cancelledAt`
const category = 'categoryId name petCount'
const page = 'pageInfo { hasNextPage endCursor }'
const move = (name: string) => `mutation($id: ID!) { answer: ${name}(id: $id) { ${order} } }`

const operations: Record<Exclude<Act['kind'], 'related'>, string> = {
  create: `mutation($pet: NewPet!, $key: String) { answer: createPet(input: $pet, idempotencyKey: $key) { ${pet} etag } }`,
  list: `query($limit: Int, $status: PetStatus, $after: String, $categoryId: ID, $name: String, $sort: PetSort) {
    answer: pets(first: $limit, status: $status, after: $after, categoryId: $categoryId, name: $name, sort: $sort) { nodes { ${pet} } ${page} } }`,
  get: `query($id: ID!) { answer: getPet(petId: $id) { ${pet} etag } }`,
  update: `mutation($id: ID!, $change: PetChange!, $ifMatch: String) {
    answer: updatePet(petId: $id, input: $change, ifMatch: $ifMatch) { ${pet} etag } }`,
  delete:
    'mutation($id: ID!, $ifMatch: String) { answer: deletePet(petId: $id, ifMatch: $ifMatch) { petId } }',
  updateMany: 'mutation($input: UpdatePetsInput!) { answer: updatePets(input: $input) { updated ids } }',
  deleteMany: 'mutation($input: DeletePetsInput!) { answer: deletePets(input: $input) { deleted ids } }',
  place: `mutation($order: NewOrder!, $key: String) { answer: placeOrder(input: $order, idempotencyKey: $key) { ${order} } }`,
  approve: move('approveOrder'),
  deliver: move('deliverOrder'),
  cancel: move('cancelOrder'),
  getOrder: `query($id: ID!) { answer: order(id: $id) { ${order} } }`,
  listOrders: `query($limit: Int, $after: String, $status: OrderStatus, $petId: ID, $reference: String) {
    answer: orders(first: $limit, after: $after, status: $status, petId: $petId, reference: $reference) { nodes { ${order} } ${page} } }`,
  setCategory: `mutation($id: ID!, $name: String!) { answer: setCategory(categoryId: $id, name: $name) { ${category} } }`,
  removeCategory: 'mutation($id: ID!) { answer: removeCategory(categoryId: $id) { removedId } }',
  getCategory: `query($id: ID!) { answer: category(categoryId: $id) { ${category} } }`,
  listCategories: `query($limit: Int, $after: String) { answer: categories(first: $limit, after: $after) { nodes { ${category} } ${page} } }`,
}

type Changing = Exclude<keyof typeof operations, `get${string}` | `list${string}`>
const moveNow = (name: string, input: string) =>
  `mutation($input: ${input}!) { payload: ${name}(input: $input) { answer: order { ${order} } } }`

/** The changes as mutations with one input and a payload. */
const mutations: Record<Changing, string> = {
  create: `mutation($input: PetCreateInput!) { payload: petCreate(input: $input) { answer: pet { ${pet} etag } } }`,
  update: `mutation($input: PetUpdateInput!) { payload: petUpdate(input: $input) { answer: pet { ${pet} etag } } }`,
  delete: 'mutation($input: PetDeleteInput!) { answer: petDelete(input: $input) { deletedId } }',
  updateMany:
    'mutation($input: PetsUpdateInput!) { answer: petsUpdate(input: $input) { updated ids: updatedIds } }',
  deleteMany:
    'mutation($input: PetsDeleteInput!) { answer: petsDelete(input: $input) { deleted ids: deletedIds } }',
  place: `mutation($input: OrderPlaceInput!) { payload: orderPlace(input: $input) { answer: order { ${order} } } }`,
  approve: moveNow('orderApprove', 'OrderApproveInput'),
  deliver: moveNow('orderDeliver', 'OrderDeliverInput'),
  cancel: moveNow('orderCancel', 'OrderCancelInput'),
  setCategory: `mutation($input: CategorySetInput!) { payload: categorySet(input: $input) { answer: category { ${category} } } }`,
  removeCategory:
    'mutation($input: CategoryRemoveInput!) { answer: categoryRemove(input: $input) { deletedId } }',
}

let changes = 0

/**
 * Returns a GraphQL operation for the act. The changes alternate between the deprecated mutations in `operations` and
 * the current ones in `mutations`, which take one input.
 */
function operationFor(act: Exclude<Act, { kind: 'related' }>): { query: string; variables: object } {
  const variables = variablesOf(act)
  const query = mutations[act.kind as Changing]
  if (!query || changes++ % 2 === 0) return { query: operations[act.kind], variables }
  if (act.kind === 'updateMany' || act.kind === 'deleteMany') return { query, variables }
  const { pet, order, change, key, kind, id, ...rest } = variables as Record<string, unknown>
  const whole = {
    ...(pet ?? order ?? change ?? {}),
    ...rest,
    ...(key !== undefined && { idempotencyKey: key }),
  }
  const named = act.kind === 'setCategory' || act.kind === 'removeCategory' ? `category_${id}` : id
  return { query, variables: { input: { ...whole, ...(id !== undefined && { id: named }) } } }
}

/** Maps names of fields in GraphQL's errors to REST's names. */
const restNames: Record<string, string> = {
  first: 'limit',
  after: 'cursor',
  idempotencyKey: 'Idempotency-Key',
  ifMatch: 'If-Match',
  input: 'body',
}

export async function actByGraphql(app: App, project: TestProject, act: Act): Promise<Outcome> {
  if (act.kind === 'related') return relatedByGraphql(app, project)
  const { query, variables } = operationFor(act)
  const { data: sent, errors, headers } = await sendGraphql(app.url, project.secret, query, { variables })
  const data = sent?.payload ?? sent
  const answered = readCommonHeaders(headers)
  // A mutation of the former shape is deprecated in GraphQL, although the act is not deprecated in REST.
  const isFormer = query === operations[act.kind] && act.kind in mutations
  const common = { ...answered, isDeprecated: answered.isDeprecated && !isFormer }
  const [error] = errors
  if (error) {
    const { code, status, details = [] } = error.extensions
    const names = details
      .map(({ field }) => field.replace(/^((input|pet|change|order)\.)+/, ''))
      .map(name => restNames[name] ?? name)
    return { ...nothing, ...common, code, status, fields: names.sort() }
  }
  if (act.kind === 'updateMany' || act.kind === 'deleteMany')
    return { ...nothing, ...common, changed: data.answer.ids }
  if (act.kind === 'delete' || act.kind === 'removeCategory') return { ...nothing, ...common }
  const { nodes = [data.answer], pageInfo } = data.answer
  const cursor = pageInfo?.hasNextPage ? pageInfo.endCursor : null
  if (operations[act.kind].includes(order))
    return { ...nothing, ...common, orders: nodes.map(showOrder), cursor }
  if (operations[act.kind].includes(category))
    return { ...nothing, ...common, categories: nodes.map(showCategory), cursor }
  const { etag = null } = data.answer
  return { ...nothing, ...common, pets: nodes.map(showPet), cursor, etag }
}

function variablesOf({ kind, ...act }: Act): Record<string, unknown> {
  if (kind === 'list' || kind === 'listOrders') {
    const { filters } = act as { filters: Partial<Filters> }
    return { ...act, ...filters, sort: filters.newestFirst ? 'newest_first' : 'oldest_first' }
  }
  if (kind === 'updateMany' || kind === 'deleteMany') {
    const { selection, change } = act as { selection: object; change: object }
    return { input: { ...selection, ...(kind === 'updateMany' && { change }) } }
  }
  const isOfOrder = kind === 'approve' || kind === 'deliver' || kind === 'cancel' || kind === 'getOrder'
  return isOfOrder ? { id: `order_${(act as { id: string }).id}` } : act
}

type GraphqlOrder = Omit<ShownOrder, 'times'> & Record<`${string}At`, string | null>

const showPet = ({ etag, ...shown }: Outcome['pets'][number] & { etag?: string }) => shown

const showOrder = ({ id, placedAt, approvedAt, deliveredAt, cancelledAt, ...shown }: GraphqlOrder) => ({
  ...shown,
  id: id.replace('order_', ''),
  times: timesOf({ placedAt, approvedAt, deliveredAt, cancelledAt }),
})

const showCategory = ({ categoryId, ...shown }: { categoryId: string; name: string; petCount: number }) => ({
  ...shown,
  id: categoryId,
})
