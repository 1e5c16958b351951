// Translates a question into the request of each contestant. The requests differ, but they ask for the same rows, and
// the answers must have the same bytes.
import { createHash } from 'node:crypto'
import { makeCursor } from '../src/core/cursor.ts'
import type { Project } from '../src/core/project.ts'
import { type Request, requestOf } from './clients.ts'
import type { Keys } from './fill.ts'
import { type Library, newPets, type Question } from './questions.ts'

/** Returns the contestant's request; a promise if a client library makes it. */
export type Dialect = (question: Question, keys: Keys) => Request | Promise<Request>

const list = `query Pets($after: String) {
  pets(first: 20, after: $after) { nodes { id name categoryId status } pageInfo { hasNextPage } } }`
const create = `mutation Add($input: NewPet!) {
  createPet(input: $input) { id name categoryId status } }`

const petCreate = `mutation Add($input: PetCreateInput!) {
  createPet: petCreate(input: $input) { pet { id name categoryId status } } }`

const petUpdate = `mutation Change($input: PetUpdateInput!) {
  updatePet: petUpdate(input: $input) { pet { id name categoryId status } } }`

const update = `mutation Change($petId: ID!, $input: PetChange!) {
  updatePet(petId: $petId, input: $input) { id name categoryId status } }`

export const ours: Dialect = speak({
  after: (id, project, newestFirst) =>
    `cursor=${makeCursor(project, BigInt(id), newestFirst ? 'newest pets' : 'pets')}`,
  list,
  listVariables: (project, after) =>
    after === undefined ? {} : { after: makeCursor(project, BigInt(after), 'pets') },
  create: petCreate,
  createVariables: (_, name) => ({ input: { name, categoryId: '7' } }),
  update: petUpdate,
  updateVariables: (id, change) => ({ input: { id, ...change } }),
})

export const plain: Dialect = speak({
  after: id => `after=${id}`,
  list,
  listVariables: (_, after) => (after === undefined ? {} : { after: String(after) }),
  create,
  createVariables: (_, name) => ({ input: { name, categoryId: '7' } }),
  update,
  updateVariables: (petId, input) => ({ petId, input }),
})

export const postgraphile: Dialect = speak({
  after: id => `after=${id}`,
  list: `query Pets($project: Int!, $after: Cursor) {
    pets: allPets(first: 20, after: $after, condition: { projectId: $project }) {
      nodes { id: rowId name categoryId status } pageInfo { hasNextPage } } }`,
  listVariables: ({ id: project }, after) =>
    after === undefined ? { project } : { project, after: relayCursor(project, after) },
  create: `mutation Add($pet: PetInput!) {
    createPet(input: { pet: $pet }) { pet { id: rowId name categoryId status } } }`,
  createVariables: (project, name) => ({ pet: { projectId: project.id, name, categoryId: '7' } }),
})

type Words = {
  after(id: number, project: Project, newestFirst: boolean): string
  list: string
  listVariables(project: Project, after?: number): object
  create: string
  createVariables(project: Project, name: string): object
  /** Absent for PostGraphile, because it is not a contestant in the works that update. */
  update?: string
  updateVariables?(id: string, change: object): object
}

/** Every request has its project's key and, for contestants without key checks, the project's number. */
function speak(words: Words): Dialect {
  return (question, keys) => {
    switch (question.act) {
      case 'list': {
        const { after, status, category, name, newestFirst } = question
        const query = [
          after === undefined ? '' : words.after(after, keys.project(question.project), newestFirst ?? false),
          status ? `status=${status}` : '',
          category ? `categoryId=${category}` : '',
          name ? `name=${name}` : '',
          newestFirst ? 'sort=-id' : '',
        ].filter(Boolean)
        return get(`/v1/pets${query.length > 0 ? `?${query.join('&')}` : ''}`, keys, question.project)
      }
      case 'get':
        return get(`/v1/pets/${question.id}`, keys, question.project)
      case 'inventory':
        return get('/v1/store/inventory', keys, question.project)
      case 'events':
        return get('/v1/events', keys, question.project)
      case 'export':
        return get('/v1/pets/export', keys, question.project)
      case 'update': {
        const request = post(`/v1/pets/${question.id}`, keys, question.project, question.change)
        return { ...request, method: 'PATCH' }
      }
      case 'import':
        return {
          method: 'POST',
          path: '/v1/pets/import',
          headers: { ...known(keys, question.project), 'content-type': 'application/x-ndjson' },
          body: inLines(question.pets),
        }
      case 'place':
        return post('/v1/store/orders', keys, question.project, { petId: question.pet })
      case 'create':
        return post('/v1/pets', keys, question.project, { name: question.name, categoryId: 7 })
      case 'graphql-list': {
        const variables = words.listVariables(keys.project(question.project), question.after)
        if (question.by) return sent(question.by, words.list, variables, keys, question.project)
        if (!question.persisted)
          return post('/graphql', keys, question.project, { query: words.list, variables })
        const sha256Hash = createHash('sha256').update(words.list).digest('hex')
        return post('/graphql', keys, question.project, {
          ...(question.persisted === 'register' && { query: words.list }),
          variables,
          extensions: { persistedQuery: { version: 1, sha256Hash } },
        })
      }
      case 'graphql-create': {
        const variables = words.createVariables(keys.project(question.project), question.name)
        return question.by
          ? sent(question.by, words.create, variables, keys, question.project)
          : post('/graphql', keys, question.project, { query: words.create, variables })
      }
      case 'graphql-update': {
        const variables = words.updateVariables?.(String(question.id), question.change)
        return post('/graphql', keys, question.project, { query: words.update, variables })
      }
      case 'tool-list':
        return call(keys, question.project, 'list_pets', {})
      case 'tool-create':
        return call(keys, question.project, 'add_pet', { name: question.name, categoryId: '7' })
      case 'refused':
        return get('/v1/pets', keys, keys.refused[question.which % keys.refused.length] ?? 0)
      case 'wrong-key':
        return {
          method: 'GET',
          path: '/v1/pets',
          headers: {
            authorization: `Bearer ${keys.wrong[question.which % keys.wrong.length]}`,
            'x-forwarded-for': address(question.which),
          },
        }
    }
  }
}

const bodies = new Map<number, string>()

function inLines(count: number): string {
  const body = bodies.get(count) ?? newPets(count).map(writeLine).join('')
  bodies.set(count, body)
  return body
}

const writeLine = ({ status, ...pet }: ReturnType<typeof newPets>[number]) =>
  `${JSON.stringify(status === null ? pet : { ...pet, status })}\n`

/** Each wrong key comes from another address: a single address would soon get 429 instead of 401. */
const address = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

/**
 * Builds a cursor as PostGraphile does: from a digest of the sort order, which is by primary key, and from the primary
 * key itself.
 */
const relayCursor = (project: number, id: number) =>
  Buffer.from(JSON.stringify(['affe233a85', project, String(id)])).toString('base64')

const get = (path: string, keys: Keys, project: number): Request => ({
  method: 'GET',
  path,
  headers: known(keys, project),
})

const post = (path: string, keys: Keys, project: number, body: object): Request => ({
  method: 'POST',
  path,
  headers: { ...known(keys, project), 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Builds a tool call as agents send it in the protocol revision 2025-11-25. */
function call(keys: Keys, project: number, name: string, args: object): Request {
  const request = post('/mcp', keys, project, {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name, arguments: args },
  })
  return { ...request, headers: { ...request.headers, accept: 'application/json, text/event-stream' } }
}

async function sent(by: Library, operation: string, variables: object, keys: Keys, project: number) {
  const request = await requestOf(by, operation, variables)
  return { ...request, headers: { ...request.headers, ...known(keys, project) } }
}

const known = (keys: Keys, project: number) => ({
  authorization: `Bearer ${keys.secret(project)}`,
  'x-project': String(project),
})
