import { readFileSync } from 'node:fs'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { numberAll } from '../support/events.ts'
import { isOfPeople, makeObjects, makePeople, spellMutation } from '../support/every-mutation.ts'
import { sendGraphql } from '../support/graphql.ts'
import { unusedIssuer } from '../support/issuer.ts'
import { signedIn } from '../support/people.ts'
import { type App, startApp } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-acts-0123456789abcdef'
const fields =
  buildSchema(readFileSync('schema.graphql', 'utf8'), { assumeValid: true }).getMutationType()?.getFields() ??
  {}

/** These mutations are not management: they change pets and orders, end sessions or only send something. */
const isNoAct = (name: string) =>
  /^(pets?|category|order|session)[A-Z]|^sessions|^webhook(Test|Redeliver)|^certificatesResume|^domain(Verify|Reverify)/.test(
    name,
  )
const names = Object.keys(fields).filter(name => fields[name]?.deprecationReason == null && !isNoAct(name))
const isOperators = (name: string) =>
  /^(project(?!SetLeakedKeys)[A-Z]|apiKeyBan|apiKeyLiftBan|operator[A-Z])/.test(name)

let app: App
beforeAll(async () => {
  app = await startApp({ env: { ...unusedIssuer, OPERATOR_KEY: `mara:${operatorKey}` } })
})
afterAll(() => app.stop())

/** Reads the audit log entries of a request: those of all projects and those of the service. */
async function entriesOf(requestId: string): Promise<object[]> {
  await numberAll(app.tools)
  return app.tools.db.$queryRaw`
    SELECT type, actor, door FROM events WHERE is_management AND request_id = ${requestId}`
}
let acts = 0

test.each(names)('the mutation %s writes an audit entry with its actor', async name => {
  const store = await app.makeProject({ plan: 'enterprise', perMinute: 10_000, perDay: 100_000 })
  const { token, ...people } = isOfPeople(name) ? await makePeople(app, store) : { token: store.secret }
  const objects = { ...(await makeObjects(app, store)), ...people }
  if (name === 'projectResume')
    await app.tools.db.project.update({ where: { id: store.project.id }, data: { suspendedAt: new Date() } })
  if (name === 'operatorRemove') await app.tools.db.person.updateMany({ data: { operator: true } })
  if (name === 'apiKeyLiftBan')
    await sendGraphql(app.url, operatorKey, `mutation { ${spellMutation('apiKeyBan', objects)} }`)
  const act = ++acts
  const secret = isOperators(name) ? operatorKey : token
  const headers = { 'x-request-id': `act-${act}` }
  const answer = await sendGraphql(app.url, secret, `mutation { ${spellMutation(name, objects)} }`, {
    headers,
  })
  expect(answer.errors).toEqual([])

  const entries = await entriesOf(`act-${act}`)
  const actor = isOperators(name)
    ? { type: 'operator', name: 'mara' }
    : isOfPeople(name)
      ? { type: 'person', id: people && 'person' in people ? people.person.replace('person_', '') : '' }
      : { type: 'api_key', id: store.keyId }
  expect(entries.length).toBeGreaterThan(0)
  for (const entry of entries) expect(entry).toMatchObject({ actor, door: 'graphql' })
})

test('a person who accepts an invitation by its link is the actor of both events, member.added and invitation.removed', async () => {
  const store = await app.makeProject()
  const { personId } = await signedIn(app.tools, app.url, store.project, 'developer', 'Ada')
  await numberAll(app.tools)

  const answer = await store.get('/v1/events?kind=management&type=member.added,invitation.removed')

  const actor = { type: 'person', id: personId, name: 'Ada' }
  expect(answer.json).toMatchObject([
    { type: 'invitation.removed', actor },
    { type: 'member.added', actor, subject: `member:${personId}`, data: { name: 'Ada', role: 'developer' } },
  ])
})

test('the audit entry of a change over REST names the key and the API of the change', async () => {
  const store = await app.makeProject()
  const { json } = await store.post('/v1/webhooks', { url: 'https://shop.example/hook' })
  await store.patch(`/v1/webhooks/${(json as { id: string }).id}`, { enabled: false })
  await store.delete(`/v1/webhooks/${(json as { id: string }).id}`)
  await numberAll(app.tools)

  const answer = await store.get(
    '/v1/events?kind=management&type=webhook.added,webhook.changed,webhook.removed',
  )

  const by = { actor: { type: 'api_key', id: store.keyId }, door: 'rest' }
  expect(answer.json).toMatchObject([
    { type: 'webhook.added', ...by },
    { type: 'webhook.changed', ...by },
    { type: 'webhook.removed', ...by },
  ])
})
