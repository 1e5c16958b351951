import { readFileSync } from 'node:fs'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Scope, scopes } from '../src/core/keys/scopes.ts'
import { composeField } from './support/compose-field.ts'
import { contract } from './support/contract-document.ts'
import { type App, startApp, type TestProject } from './support/start-app.ts'

let app: App
let owner: TestProject
const keys = new Map<string, TestProject>()
beforeAll(async () => {
  app = await startApp()
  owner = await app.makeProject()
  for (const scope of scopes) {
    keys.set(`only ${scope}`, await owner.issueKey([scope]))
    keys.set(`all but ${scope}`, await owner.issueKey(scopes.filter(other => other !== scope)))
  }
})
afterAll(() => app.stop())

const keyWith = (name: string) => keys.get(name) as TestProject
const lacks = (scope: Scope) => ({
  code: 'insufficient_scope',
  message: `This API key lacks the scope ${scope}.`,
})
/** Returns the scope at the end of a description. */
function scopeNamedIn(description: string): Scope | null {
  const [, name] = /Needs (?:the\s+scope )?`(\w+:\w+)`/.exec(description.replace(/\s+/g, ' ')) ?? []
  return scopes.find(scope => scope === name) ?? null
}

type Methods = Record<string, { operationId: string; description: string }>
const restOperations = Object.entries<Methods>(contract.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, { operationId, description }]) => ({
    ...{ operationId, method: method.toUpperCase(), scope: scopeNamedIn(description) },
    path: `/v1${template.replace(/\{\w+\}/g, '999999999')}`,
  })),
)

describe('the scope that openapi.yaml names', () => {
  it('openapi.yaml names the required scope of every operation except getRateLimit', () => {
    const without = restOperations.filter(({ scope }) => scope === null)
    expect(without.map(({ operationId }) => operationId)).toEqual(['getRateLimit'])
  })

  it.each(restOperations.filter(({ scope }) => scope))(
    'the scope in openapi.yaml is the only scope that $operationId requires',
    async ({ method, path, scope }) => {
      const needed = scope as Scope
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }
      const question = { method, ...body, headers: { 'content-type': 'application/json' } }

      const refused = await keyWith(`all but ${needed}`).ask(path, question)
      const passed = await keyWith(`only ${needed}`).ask(path, question)

      expect([refused.status, refused.json]).toEqual([403, { ...lacks(needed), status: 403 }])
      expect([401, 403, 429, 500, 503]).not.toContain(passed.status)
    },
  )
})

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'), { assumeValid: true })
const kinds = [
  ['query', schema.getQueryType()],
  ['mutation', schema.getMutationType()],
] as const
const rootFields = kinds.flatMap(([kind, type]) =>
  Object.values(type?.getFields() ?? {}).map(field => ({
    ...{ kind, field, name: field.name, scope: scopeNamedIn(field.description ?? '') },
  })),
)

describe('the scope that schema.graphql names', () => {
  it('schema.graphql names the required scope of every field, except those for any key or for operators only', () => {
    const without = rootFields.filter(({ scope }) => scope === null)
    expect(without.map(({ name }) => name)).toEqual([
      ...['node', 'caller', 'rateLimit', 'viewer', 'operators', 'plans'],
      ...['projects', 'apiKeyBan', 'apiKeyLiftBan', 'projectCreate', 'projectSetPlan', 'projectSuspend'],
      ...['projectResume', 'projectResetRateLimit', 'certificatesResume'],
      ...[
        'memberInvite',
        'memberSetRole',
        'memberRemove',
        'invitationWithdraw',
        'joinDomainSet',
        'joinDomainRemove',
      ],
      ...['viewerRename'],
      ...['viewerDelete', 'sessionEnd', 'sessionsEnd', 'passkeyRemove', 'operatorAdd', 'operatorRemove'],
      ...['createProject', 'setPlan', 'suspendProject', 'resumeProject', 'resumeCertificates'],
      ...['banApiKey', 'liftBan', 'resetRateLimit'],
    ])
  })

  it.each(rootFields.filter(({ scope }) => scope))(
    'the scope in schema.graphql is the only scope that $name requires',
    async ({ kind, field, scope }) => {
      const needed = scope as Scope
      const query = composeField(kind, field, needed)
      const ask = async (key: string) => {
        const { json } = await keyWith(key).post('/graphql', { query })
        const { errors = [] } = json as { errors?: { message: string; extensions: { code: string } }[] }
        return errors.map(({ message, extensions: { code } }) => ({ code, message }))
      }

      expect(await ask(`all but ${needed}`)).toEqual([lacks(needed)])
      const codes = (await ask(`only ${needed}`)).map(({ code }) => code)
      for (const code of ['insufficient_scope', 'unauthorized', 'internal_error', 'malformed_request'])
        expect(codes).not.toContain(code)
    },
  )

  it.each(rootFields.filter(({ scope }) => /^(pets|orders):/.test(scope ?? '')))(
    '$name reports the missing scope before it reports a faulty variable',
    async ({ kind, field, scope }) => {
      const needed = scope as Scope
      const query = composeField(kind, field, needed)
        .replace(kind, `${kind}($yes: Boolean!)`)
        .replace(/\}$/, '__typename @include(if: $yes) }')
      const ask = async (key: string) =>
        (await keyWith(key).post('/graphql', { query, variables: { yes: 'x' } })).json

      expect(await ask(`all but ${needed}`)).toMatchObject({
        errors: [{ message: lacks(needed).message, extensions: { code: 'insufficient_scope' } }],
      })
      expect(await ask(`only ${needed}`)).toMatchObject({
        errors: [{ extensions: { code: 'invalid_input' } }],
      })
    },
  )

  it.each(rootFields.filter(({ field }) => /For operators/.test(field.description ?? '')))(
    'no key of a project can use $name, which is for operators only, whatever scopes the key has',
    async ({ kind, field, name }) => {
      const { json } = await owner.post('/graphql', { query: composeField(kind, field, 'project:write') })

      expect(json).toMatchObject({
        data: { [name]: null },
        errors: [{ extensions: { code: 'insufficient_scope' } }],
      })
    },
  )
})

it.each([
  'apiKeys { nodes { id } }',
  'domains { nodes { name } }',
  'domain(name: "shop.example") { name }',
  'domainWarnings { message }',
  'deploys { nodes { id } }',
  'currentDeploy { id }',
  'usage { requests }',
  'members { role }',
])('a key without project:read cannot read the %s of a project that a mutation returns', async field => {
  const query = `mutation { projectSetLeakedKeys(input: { leakedKeys: tell }) { project { ${field} } } }`

  const read = await keyWith('all but project:read').post('/graphql', { query })

  const { code, message } = lacks('project:read')
  expect(read.json).toMatchObject({ errors: [{ message, extensions: { code } }] })
})
