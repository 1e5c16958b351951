import type { Answer } from './ask.ts'
import { sendGraphql } from './graphql.ts'
import type { App, TestProject } from './start-app.ts'

export type Filters = { categoryId: string | null; name: string | null; newestFirst: boolean }

/** An act as a client means it; each door has its own way to say it. Ids are the numbers of creations, not ids. */
export type Act =
  | { kind: 'create'; pet: Record<string, unknown>; key: string | null }
  | { kind: 'list'; limit: unknown; status: string | null; after: string | null; filters: Filters }
  | { kind: 'get'; id: string }
  | { kind: 'update'; id: string; change: Record<string, unknown>; ifMatch: string | null }
  | { kind: 'delete'; id: string; ifMatch: string | null }

/** What became of an act, in words that both doors can be held to. */
export type Outcome = {
  code: string | null
  status: number | null
  fields: string[]
  pets: { id: string; name: string; categoryId: string; status: string | null }[]
  cursor: string | null
  /** Of the one pet that was answered. */
  etag: string | null
  remaining: string | undefined
  retryAfter: string | undefined
  isDeprecated: boolean
}

const nothing = { code: null, status: null, fields: [], pets: [], cursor: null, etag: null }

type RestPet = { id: bigint; name: string; categoryId: bigint; status?: string }
type RestError = { code: string; status: number; details?: { field: string }[] }

export async function actByRest(project: TestProject, act: Act): Promise<Outcome> {
  const answer = await askRest(project, act)
  const told = toldByHeaders(answer.headers)
  if (answer.status >= 400) {
    const { code, status, details = [] } = answer.json as RestError
    return { ...nothing, ...told, code, status, fields: details.map(({ field }) => field).sort() }
  }
  const rows = [answer.json ?? []].flat() as RestPet[]
  const pets = rows.map(pet => ({
    id: `${pet.id}`,
    name: pet.name,
    categoryId: `${pet.categoryId}`,
    status: pet.status ?? null,
  }))
  return {
    ...nothing,
    ...told,
    pets,
    cursor: /cursor=([^&>]+)/.exec(String(answer.headers.link))?.[1] ?? null,
    // That of a list names the page.
    etag: act.kind === 'list' ? null : (answer.headers.etag?.slice(1, -1) ?? null),
  }
}

function askRest(project: TestProject, act: Act): Promise<Answer> {
  if (act.kind === 'get') return project.get(`/v1/pets/${encodeURIComponent(act.id)}`)
  if (act.kind === 'update' || act.kind === 'delete') {
    const path = `/v1/pets/${encodeURIComponent(act.id)}`
    const headers: Record<string, string> = act.ifMatch === null ? {} : { 'if-match': act.ifMatch }
    return act.kind === 'delete'
      ? project.delete(path, headers)
      : project.patch(path, toWire(act.change), headers)
  }
  if (act.kind === 'create') {
    return project.post('/v1/pets', toWire(act.pet), act.key === null ? {} : { 'idempotency-key': act.key })
  }
  const query = new URLSearchParams()
  if (act.limit !== null) query.set('limit', `${act.limit}`)
  if (act.status !== null) query.set('status', act.status)
  if (act.after !== null) query.set('cursor', act.after)
  const { categoryId, name, newestFirst } = act.filters
  if (categoryId !== null) query.set('categoryId', categoryId)
  if (name !== null) query.set('name', name)
  if (newestFirst) query.set('sort', '-id')
  return project.get(`/v1/pets?${query}`)
}

function toWire({ categoryId, ...pet }: Record<string, unknown>): Record<string, unknown> {
  if (categoryId === undefined) return pet
  return { ...pet, categoryId: typeof categoryId === 'string' ? JSON.rawJSON(categoryId) : categoryId }
}

const fields = 'id name categoryId status'
const operations = {
  create: `mutation($pet: NewPet!, $key: String) { answer: createPet(input: $pet, idempotencyKey: $key) { ${fields} etag } }`,
  list: `query($limit: Int, $status: PetStatus, $after: String, $categoryId: ID, $name: String, $sort: PetSort) {
    answer: pets(first: $limit, status: $status, after: $after, categoryId: $categoryId, name: $name, sort: $sort) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`,
  get: `query($id: ID!) { answer: getPet(petId: $id) { ${fields} etag } }`,
  update: `mutation($id: ID!, $change: PetChange!, $ifMatch: String) {
    answer: updatePet(petId: $id, input: $change, ifMatch: $ifMatch) { ${fields} etag } }`,
  delete:
    'mutation($id: ID!, $ifMatch: String) { answer: deletePet(petId: $id, ifMatch: $ifMatch) { petId } }',
}

const sortOf = ({ newestFirst }: Filters) => (newestFirst ? 'newest_first' : 'oldest_first')

/** The names that REST has for the same places. */
const restNames: Record<string, string> = {
  first: 'limit',
  after: 'cursor',
  idempotencyKey: 'Idempotency-Key',
  ifMatch: 'If-Match',
  input: 'body',
}

export async function actByGraphql(app: App, project: TestProject, act: Act): Promise<Outcome> {
  const { kind, ...variables } =
    act.kind === 'list' ? { ...act, ...act.filters, sort: sortOf(act.filters) } : act
  const { data, errors, headers } = await sendGraphql(app.url, project.secret, operations[kind], {
    variables,
  })
  const told = toldByHeaders(headers)
  const [error] = errors
  if (error) {
    const { code, status, details = [] } = error.extensions
    const names = details
      .map(({ field }) => field.replace(/^(input|pet|change)\./, ''))
      .map(name => restNames[name] ?? name)
    return { ...nothing, ...told, code, status, fields: names.sort() }
  }
  if (kind === 'delete') return { ...nothing, ...told }
  const { nodes, pageInfo, ...pet } = data.answer
  if (nodes)
    return { ...nothing, ...told, pets: nodes, cursor: pageInfo.hasNextPage ? pageInfo.endCursor : null }
  const { etag, ...shown } = pet
  return { ...nothing, ...told, pets: [shown], etag }
}

function toldByHeaders(headers: Answer['headers']) {
  return {
    remaining: headers['x-ratelimit-remaining'] as string | undefined,
    retryAfter: headers['retry-after'],
    isDeprecated: headers.deprecation !== undefined,
  }
}
