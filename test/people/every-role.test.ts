import { readFileSync } from 'node:fs'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roles, scopesOfRole } from '../../src/core/keys/roles.ts'
import { type Scope, scopes } from '../../src/core/keys/scopes.ts'
import { removeMember } from '../../src/core/people/members.ts'
import { composeField } from '../support/compose-field.ts'
import { contract } from '../support/contract-document.ts'
import { join, type SignedIn, signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
let petOfStore: string
const people = new Map<string, SignedIn>()
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
  const other = await app.makeProject()
  petOfStore = (await store.post('/v1/pets', { name: 'Only here', categoryId: 1 })).text
  for (const role of roles) {
    people.set(role, await signedIn(app.tools, app.url, store.project, role))
    people.set(`other ${role}`, await signedIn(app.tools, app.url, other.project, role))
  }
  people.set('removed', await signedIn(app.tools, app.url, store.project, 'owner'))
  const { personId = '' } = people.get('removed') ?? {}
  await removeMember(app.tools.db, app.tools.clock, store.project, personId)
  await app.tools.changes.read()
}, 120_000)
afterAll(() => app.stop())

const person = (name: string) => people.get(name) as SignedIn

/**
 * Returns the scope that the description of an operation names after the word `Needs`; null if the description names no
 * scope.
 */
function scopeNamedIn(description: string): Scope | null {
  const [, name] = /Needs (?:the\s+scope )?`(\w+:\w+)`/.exec(description.replace(/\s+/g, ' ')) ?? []
  return scopes.find(scope => scope === name) ?? null
}

type Methods = Record<string, { operationId: string; description: string }>
const restOperations = Object.entries<Methods>(contract.paths).flatMap(([template, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, description }]) => {
    const scope = scopeNamedIn(description)
    const path = `/v1${template.replace(/\{\w+\}/g, '999999999')}`
    return scope ? [{ operationId, method: method.toUpperCase(), scope, path }] : []
  }),
)
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'), { assumeValid: true })
const rootFields = (
  [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const
).flatMap(([kind, type]) =>
  Object.values(type?.getFields() ?? {}).flatMap(field => {
    const scope = scopeNamedIn(field.description ?? '')
    return scope ? [{ kind, field, name: field.name, scope }] : []
  }),
)

async function rest(name: string, { method, path }: (typeof restOperations)[number]) {
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }
  return person(name).ask(path, { method, ...body, headers: { 'content-type': 'application/json' } })
}
async function graphql(name: string, query: string) {
  const answer = await person(name).ask('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { errors = [] } = answer.json as { errors?: { extensions: { code: string } }[] }
  return { answer, codes: errors.map(({ extensions }) => extensions.code) }
}

describe.each(roles)('a %s', role => {
  const holds = (scope: Scope) => (scopesOfRole[role] as readonly Scope[]).includes(scope)

  it('a role is refused exactly the REST operations whose scope it lacks', async () => {
    const wrong: string[] = []
    for (const operation of restOperations) {
      const { status, json } = await rest(role, operation)
      const { code = '' } = (json ?? {}) as { code?: string }
      if ((code === 'insufficient_scope') === holds(operation.scope) || [401, 500, 503].includes(status))
        wrong.push(`${operation.operationId} ${status} ${code}`)
    }

    expect(restOperations.length).toBeGreaterThan(25)
    expect(wrong).toEqual([])
  })

  it('a role is refused exactly the GraphQL fields whose scope it lacks', async () => {
    const wrong: string[] = []
    for (const { kind, field, name, scope } of rootFields) {
      const { codes } = await graphql(role, composeField(kind, field, scope))
      if (codes.includes('insufficient_scope') === holds(scope) || codes.includes('internal_error'))
        wrong.push(`${name} ${codes}`)
    }

    expect(rootFields.length).toBeGreaterThan(40)
    expect(wrong).toEqual([])
  })

  it('a member of another project sees nothing of this project', async () => {
    const { id } = JSON.parse(petOfStore) as { id: number }

    const one = await person(`other ${role}`).ask(`/v1/pets/${id}`)
    const all = await person(`other ${role}`).ask('/v1/pets')
    const { answer } = await graphql(
      `other ${role}`,
      `{ node(id: "${id}") { id } project(slug: "${store.project.slug}") { id members { name } } }`,
    )

    expect([one.status, all.text]).toEqual([404, '[]'])
    expect(answer.text).not.toContain('Only here')
    expect(answer.json).toMatchObject({ data: { node: null, project: null } })
  })
})

it('a removed owner is refused everything', async () => {
  await join(app.tools, store.project, 'owner')
  const statuses = new Set<number>()
  for (const operation of restOperations) statuses.add((await rest('removed', operation)).status)
  const { codes } = await graphql('removed', '{ viewer { id } }')

  expect([...statuses]).toEqual([401])
  expect(codes).toEqual(['unauthorized'])
})
