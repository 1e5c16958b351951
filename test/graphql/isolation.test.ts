import { isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findNewestEvent } from '../../src/core/events/log.ts'
import { eventId } from '../../src/core/events/position.ts'
import { issueAccess } from '../../src/core/people/access.ts'
import { invite } from '../../src/core/people/invitations.ts'
import { beginSession } from '../../src/core/people/sessions.ts'
import { makeSchema } from '../../src/graphql/schema.ts'
import { numberAll } from '../support/events.ts'
import { graphqlOf } from '../support/graphql.ts'
import { limiters, thrice } from '../support/limiters.ts'
import { join, signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const domain = 'www.secret-shop.example'
const deployId = 1_888_888_888
const orderId = 1_777_777_777n
// An id that does not occur elsewhere in an answer.
const petId = 4_611_686_018_427_387_904n

/**
 * Names of objects that do not exist. The answers about them must equal the answers about another project's objects.
 */
const missing = {
  pet: '9223372036854775807',
  key: '00000000-0000-7000-8000-000000000000',
  slug: 'nobody',
  domain: 'www.nobody.example',
  domainId: '00000000-0000-7000-8000-00000000000d',
  deploy: '1999999999',
  order: '9223372036854775806',
  webhook: '00000000-0000-4000-8000-00000000000e',
  event: '00000001-1',
  person: '00000000-0000-7000-8000-00000000000f',
  invitation: '00000000-0000-7000-8000-0000000000aa',
  session: '00000000-0000-7000-8000-0000000000bb',
}
type Names = typeof missing

/**
 * Every root field, called with names of another project's objects. A field that takes no such names must not show the
 * other project.
 */
const table: Record<string, (names: Names) => string> = {
  'Query.pets': () => '{ pets(first: 100) { nodes { id name } } }',
  'Query.getPet': ({ pet }) => `{ getPet(petId: "${pet}") { name } }`,
  'Query.categories': () => '{ categories { nodes { name } } }',
  'Query.category': () => '{ category(categoryId: 5) { name } }',
  'Query.orders': ({ pet }) => `{ orders(petId: "${pet}") { nodes { id petName } } }`,
  'Query.order': ({ order }) => `{ order(id: "order_${order}") { id petName } }`,
  'Query.events': () =>
    '{ events(first: 100) { nodes { id data } } last: events(last: 100) { nodes { id data } } }',
  'Query.event': ({ event }) => `{ event(id: "${event}") { id data } }`,
  'Query.auditLog': ({ slug, key }) =>
    `{ own: auditLog(first: 100, actor: "api_key:${key}") { nodes { eventId data } } auditLog(slug: "${slug}") { nodes { id data } } }`,
  'Query.webhooks': () => '{ webhooks { nodes { id url deliveries { nodes { id } } } } }',
  'Query.webhook': ({ webhook }) => `{ webhook(id: "webhook_${webhook}") { id url } }`,
  'Query.inventory': () => '{ inventory { total } }',
  'Query.node': ({ pet, key, slug, domainId, deploy, order, webhook, event }) => `{
    webhook: node(id: "webhook_${webhook}") { id } event: node(id: "${event}") { id }
    order: node(id: "order_${order}") { id }
    node(id: "${pet}") { id } key: node(id: "key_${key}") { id } project: node(id: "project_${slug}") { id }
    domain: node(id: "domain_${domainId}") { id } deploy: node(id: "deploy_${deploy}") { id } budget: node(id: "budget_${slug}") { id }
  }`,
  'Query.viewer': () => '{ viewer { id name memberships { projectSlug } } }',
  'Query.operators': () => '{ operators { id name } }',
  'Query.caller': () => '{ caller { operator keyPrefix projectSlug } }',
  'Query.project': ({ slug }) => `{ project(slug: "${slug}") { name plan { name } platformHost } }`,
  'Query.rateLimit': () => '{ rateLimit { minute { limit } } }',
  'Query.plans': () => '{ plans { name } }',
  'Query.usage': ({ slug, key }) => `{
    project(slug: "${slug}") { usage { requests keys { key { name } requests } } }
    key: node(id: "key_${key}") { ... on ApiKey { usage { requests } } }
    usage { keys { key { id } requests } }
  }`,
  'Query.apiKeys': ({ slug }) => `{ project(slug: "${slug}") { apiKeys { nodes { id name } } } }`,
  'Query.projects': () => '{ projects { nodes { slug } } }',
  'Query.domains': ({ slug, domain }) => `{
    project(slug: "${slug}") { domains { nodes { id name } } } domains { nodes { id name projectSlug } }
    named: domains(name: "${domain}") { nodes { id name projectSlug } } pending: domains(host: pending) { nodes { id name projectSlug } }
    bare: domains(certificate: none, first: 50) { nodes { id name projectSlug } }
  }`,
  'Query.domain': ({ slug }) => `{ project(slug: "${slug}") { domain(name: "secret.example") { id } } }`,
  'Query.domainPreconditions': ({ slug }) => `{ project(slug: "${slug}") { domainPreconditions { met } } }`,
  'Query.deploys': ({ slug }) =>
    `{ project(slug: "${slug}") { deploys { nodes { id configuration { title } } } } }`,
  'Mutation.petCreate': () =>
    'mutation { petCreate(input: { name: "Mine", categoryId: 1 }) { pet { name } } }',
  'Mutation.petUpdate': ({ pet }) =>
    `mutation { petUpdate(input: { id: "${pet}", name: "Mine" }) { pet { id name } } }`,
  'Mutation.petDelete': ({ pet }) => `mutation { petDelete(input: { id: "${pet}" }) { deletedId } }`,
  'Mutation.petsUpdate': ({ pet }) =>
    `mutation { petsUpdate(input: { ids: ["${pet}"], change: { name: "Mine" } }) { updatedIds } }`,
  'Mutation.petsDelete': ({ pet }) => `mutation { petsDelete(input: { ids: ["${pet}"] }) { deletedIds } }`,
  'Mutation.categorySet': () =>
    'mutation { categorySet(input: { id: "category_1", name: "Mine" }) { category { name } } }',
  'Mutation.categoryRemove': () => 'mutation { categoryRemove(input: { id: "category_5" }) { deletedId } }',
  'Mutation.orderPlace': ({ pet }) =>
    `mutation { orderPlace(input: { petId: "${pet}" }) { order { id petName } } }`,
  'Mutation.orderApprove': ({ order }) =>
    `mutation { orderApprove(input: { id: "order_${order}" }) { order { id petName } } }`,
  'Mutation.orderDeliver': ({ order }) =>
    `mutation { orderDeliver(input: { id: "order_${order}" }) { order { id petName } } }`,
  'Mutation.orderCancel': ({ order }) =>
    `mutation { orderCancel(input: { id: "order_${order}" }) { order { id petName } } }`,
  'Mutation.apiKeyIssue': ({ slug }) =>
    `mutation { apiKeyIssue(input: { projectId: "project_${slug}", name: "x", scopes: [pets_read] }) { secret } }`,
  'Mutation.apiKeyRotate': ({ key }) => `mutation { apiKeyRotate(input: { id: "key_${key}" }) { secret } }`,
  'Mutation.apiKeyRename': ({ key }) =>
    `mutation { apiKeyRename(input: { id: "key_${key}", name: "taken" }) { apiKey { name } } }`,
  'Mutation.apiKeyRevoke': ({ key }) =>
    `mutation { apiKeyRevoke(input: { id: "key_${key}" }) { apiKey { state } } }`,
  'Mutation.apiKeyBan': ({ key }) =>
    `mutation { apiKeyBan(input: { id: "key_${key}", seconds: 60 }) { ban { endsAt } } }`,
  'Mutation.apiKeyLiftBan': ({ key }) =>
    `mutation { apiKeyLiftBan(input: { id: "key_${key}" }) { wasBanned } }`,
  'Mutation.projectCreate': () => 'mutation { projectCreate(input: { slug: "taken" }) { secret } }',
  'Mutation.projectSetPlan': ({ slug }) =>
    `mutation { projectSetPlan(input: { id: "project_${slug}", plan: business }) { project { slug } } }`,
  'Mutation.projectSetLeakedKeys': ({ slug }) =>
    `mutation { projectSetLeakedKeys(input: { projectId: "project_${slug}", leakedKeys: tell }) { project { leakedKeys } } }`,
  'Mutation.projectSuspend': ({ slug }) =>
    `mutation { projectSuspend(input: { id: "project_${slug}" }) { project { slug } } }`,
  'Mutation.projectResume': ({ slug }) =>
    `mutation { projectResume(input: { id: "project_${slug}" }) { project { slug } } }`,
  'Mutation.projectResetRateLimit': ({ slug }) =>
    `mutation { projectResetRateLimit(input: { id: "project_${slug}" }) { project { slug } } }`,
  'Mutation.certificatesResume': () => 'mutation { certificatesResume { pauses } }',
  'Mutation.domainAdd': ({ slug }) =>
    `mutation { domainAdd(input: { projectId: "project_${slug}", name: "www.stolen.example" }) { domain { id } } }`,
  'Mutation.domainVerify': ({ domainId }) =>
    `mutation { domainVerify(input: { id: "domain_${domainId}" }) { domain { id } } }`,
  'Mutation.domainReverify': ({ domainId }) =>
    `mutation { domainReverify(input: { id: "domain_${domainId}" }) { domain { id } } }`,
  'Mutation.domainRemove': ({ domainId }) =>
    `mutation { domainRemove(input: { id: "domain_${domainId}" }) { name } }`,
  'Mutation.deployCreate': ({ slug }) =>
    `mutation { deployCreate(input: { projectId: "project_${slug}", title: "taken" }) { deploy { id } } }`,
  'Mutation.deployRollback': ({ deploy }) =>
    `mutation { deployRollback(input: { id: "deploy_${deploy}" }) { deploy { id } } }`,
  'Mutation.webhookCreate': () =>
    'mutation { webhookCreate(input: { url: "https://192.0.2.1/" }) { webhook { id } } }',
  'Mutation.webhookUpdate': ({ webhook }) =>
    `mutation { webhookUpdate(input: { id: "webhook_${webhook}", enabled: false }) { webhook { id } } }`,
  'Mutation.webhookDelete': ({ webhook }) =>
    `mutation { webhookDelete(input: { id: "webhook_${webhook}" }) { deletedId } }`,
  'Mutation.webhookRotateSecret': ({ webhook }) =>
    `mutation { webhookRotateSecret(input: { id: "webhook_${webhook}" }) { secret } }`,
  'Mutation.webhookTest': ({ webhook }) =>
    `mutation { webhookTest(input: { id: "webhook_${webhook}" }) { status } }`,
  'Mutation.webhookRedeliver': ({ webhook }) =>
    `mutation { webhookRedeliver(input: { id: "webhook_${webhook}", event: "1" }) { webhook { id } } }`,
  'Mutation.webhookRewind': ({ webhook }) =>
    `mutation { webhookRewind(input: { id: "webhook_${webhook}", after: "0" }) { webhook { id } } }`,
  'Mutation.memberInvite': ({ slug }) =>
    `mutation { memberInvite(input: { projectId: "project_${slug}", role: owner }) { url } }`,
  'Mutation.memberSetRole': ({ slug, person }) =>
    `mutation { memberSetRole(input: { id: "member_${slug}_${person}", role: viewer }) { member { name } } }`,
  'Mutation.memberRemove': ({ slug, person }) =>
    `mutation { memberRemove(input: { id: "member_${slug}_${person}" }) { memberId } }`,
  'Mutation.invitationWithdraw': ({ slug, invitation }) =>
    `mutation { invitationWithdraw(input: { id: "invitation_${slug}_${invitation}" }) { invitationId } }`,
  'Mutation.joinDomainSet': ({ slug }) =>
    `mutation { joinDomainSet(input: { projectId: "project_${slug}", domain: "taken.example", role: viewer }) { joinDomain { domain } } }`,
  'Mutation.joinDomainRemove': ({ slug }) =>
    `mutation { joinDomainRemove(input: { projectId: "project_${slug}", domain: "acme.example" }) { wasSet } }`,
  'Mutation.viewerRename': () => 'mutation { viewerRename(input: { name: "Mine" }) { viewer { name } } }',
  'Mutation.viewerDelete': ({ person }) =>
    `mutation { viewerDelete(input: { id: "person_${person}" }) { viewerId } }`,
  'Mutation.sessionEnd': ({ session }) =>
    `mutation { sessionEnd(input: { id: "session_${session}" }) { sessionId } }`,
  'Mutation.sessionsEnd': () => 'mutation { sessionsEnd(input: { current: false }) { count } }',
  'Mutation.passkeyRemove': ({ person }) =>
    `mutation { passkeyRemove(input: { id: "passkey_${person}" }) { passkeyId } }`,
  'Mutation.operatorAdd': ({ person }) =>
    `mutation { operatorAdd(input: { id: "person_${person}" }) { operator { name } } }`,
  'Mutation.operatorRemove': ({ person }) =>
    `mutation { operatorRemove(input: { id: "person_${person}" }) { operatorId } }`,
  'Mutation.addDomain': ({ slug }) =>
    `mutation { addDomain(input: { projectId: "project_${slug}", name: "www.stolen.example" }) { domain { id } } }`,
  'Mutation.verifyDomain': ({ domainId }) => `mutation { verifyDomain(id: "domain_${domainId}") { id } }`,
  'Mutation.reverifyDomain': ({ domainId }) => `mutation { reverifyDomain(id: "domain_${domainId}") { id } }`,
  'Mutation.removeDomain': ({ domainId }) => `mutation { removeDomain(id: "domain_${domainId}") { name } }`,
  'Mutation.deploy': ({ slug }) =>
    `mutation { deploy(input: { projectId: "project_${slug}", title: "taken" }) { id } }`,
  'Mutation.rollback': ({ deploy }) => `mutation { rollback(to: "deploy_${deploy}") { id } }`,
  'Mutation.createPet': () => 'mutation { createPet(input: { name: "Mine", categoryId: 1 }) { name } }',
  'Mutation.updatePet': ({ pet }) =>
    `mutation { updatePet(petId: "${pet}", input: { name: "Mine" }) { id name } }`,
  'Mutation.deletePet': ({ pet }) => `mutation { deletePet(petId: "${pet}") { petId } }`,
  'Mutation.updatePets': ({ pet }) =>
    `mutation { updatePets(input: { ids: ["${pet}"], change: { name: "Mine" } }) { ids } }`,
  'Mutation.deletePets': ({ pet }) => `mutation { deletePets(input: { ids: ["${pet}"] }) { ids } }`,
  'Mutation.setCategory': () => 'mutation { setCategory(categoryId: 1, name: "Mine") { name } }',
  'Mutation.removeCategory': () => 'mutation { removeCategory(categoryId: 5) { removedId } }',
  'Mutation.placeOrder': ({ pet }) => `mutation { placeOrder(input: { petId: "${pet}" }) { id petName } }`,
  'Mutation.approveOrder': ({ order }) => `mutation { approveOrder(id: "order_${order}") { id petName } }`,
  'Mutation.deliverOrder': ({ order }) => `mutation { deliverOrder(id: "order_${order}") { id petName } }`,
  'Mutation.cancelOrder': ({ order }) => `mutation { cancelOrder(id: "order_${order}") { id petName } }`,
  'Mutation.issueApiKey': ({ slug }) =>
    `mutation { issueApiKey(input: { projectId: "project_${slug}", name: "x", scopes: [pets_read] }) { secret } }`,
  'Mutation.rotateApiKey': ({ key }) => `mutation { rotateApiKey(id: "key_${key}") { secret } }`,
  'Mutation.renameApiKey': ({ key }) => `mutation { renameApiKey(id: "key_${key}", name: "taken") { name } }`,
  'Mutation.revokeApiKey': ({ key }) => `mutation { revokeApiKey(id: "key_${key}") { state } }`,
  'Mutation.createProject': () => 'mutation { createProject(input: { slug: "taken" }) { owner { secret } } }',
  'Mutation.setPlan': ({ slug }) => `mutation { setPlan(project: "${slug}", plan: business) { slug } }`,
  'Mutation.suspendProject': ({ slug }) => `mutation { suspendProject(project: "${slug}") { slug } }`,
  'Mutation.resumeProject': ({ slug }) => `mutation { resumeProject(project: "${slug}") { slug } }`,
  'Mutation.resumeCertificates': () => 'mutation { resumeCertificates { pauses } }',
  'Mutation.banApiKey': ({ key }) =>
    `mutation { banApiKey(input: { id: "key_${key}", seconds: 60 }) { ban { endsAt } } }`,
  'Mutation.liftBan': ({ key }) => `mutation { liftBan(input: { id: "key_${key}" }) { wasBanned } }`,
  'Mutation.resetRateLimit': ({ slug }) =>
    `mutation { resetRateLimit(input: { id: "project_${slug}" }) { project { slug } } }`,
}

test('the table of this test has every root field of the schema', () => {
  const schema = makeSchema()
  const roots = [schema.getQueryType(), schema.getMutationType()].filter(isObjectType)
  const fields = roots.flatMap(type => Object.keys(type.getFields()).map(field => `${type.name}.${field}`))

  expect(Object.keys(table).sort()).toEqual(fields.sort())
})

describe.each(limiters)('isolation, $counting', ({ counting, redisEnv }) => {
  let app: App
  let owner: TestProject
  let hidden: Awaited<ReturnType<typeof makeSecrets>>
  let before: Awaited<ReturnType<typeof everythingOf>>
  beforeAll(async () => {
    app = await startApp({
      env: { OPERATOR_KEY: 'operator-of-the-tests-0123456789abcdef', ...(await redisEnv()) },
    })
    owner = await app.makeProject()
    hidden = await makeSecrets(app, owner)
    before = await everythingOf(app, owner)
  })
  afterAll(() => app.stop())

  test.each(Object.entries(table))(
    'a key and an owner of another project see and change nothing through %s',
    async (field, query) => {
      const strangers = [await app.makeProject(), await app.makeProject(), await makeForeignOwner(app)]
      const foreign: Names = {
        pet: String(petId),
        key: owner.keyId,
        slug: owner.project.slug,
        domain,
        ...hidden,
        deploy: String(deployId),
        order: String(orderId),
      }
      const askOf = (names: Names) => (who: TestProject) => graphqlOf(app, who)(query(names))

      const isQuery = field.startsWith('Query.')
      // Number the events first. Otherwise a stranger's new event could appear in the second answer, but not in the
      // first.
      if (isQuery) await numberAll(app.tools)
      // Send all requests at once, also the owner's request, so that the test notices if a stranger gets the owner's
      // answer from a request that still runs or from the cache.
      const askAll = () =>
        Promise.all([
          Promise.all(strangers.map(askOf(foreign))),
          Promise.all(strangers.map(askOf(missing))),
          isQuery ? askOf(foreign)(owner) : null,
        ])
      // Only queries are cached, and only with Redis.
      const rounds = isQuery && counting === 'with Redis' ? await thrice(askAll) : [await askAll()]

      for (const [foreignAnswers, nowhere] of rounds) {
        expect(foreignAnswers.map(({ text }) => without(foreign, text))).toEqual(
          nowhere.map(({ text }) => text),
        )
        expect(foreignAnswers.map(({ status }) => status)).toEqual(nowhere.map(({ status }) => status))
        for (const { text } of [...foreignAnswers, ...nowhere]) {
          for (const secret of [/\bSecret/, owner.secret.slice(0, 11)]) expect(text).not.toMatch(secret)
        }
      }
      expect(await everythingOf(app, owner)).toEqual(before)
    },
  )
})

/** Makes a project with a person as owner, and uses the person's token as the project's secret instead of a key. */
async function makeForeignOwner({ tools, makeProject }: App): Promise<TestProject> {
  const { db, clock } = tools
  const made = await makeProject()
  const personId = await join(tools, made.project, 'owner', { name: 'Mine' })
  const { session } = await beginSession(db, clock, personId, 'Firefox on Linux')
  const { token } = await issueAccess(db, clock, session, made.project.slug)
  return { ...made, secret: token }
}

/** Creates the owner's objects, and returns the ids that the database chose. */
async function makeSecrets({ tools, url }: App, { project }: TestProject) {
  const { db, clock } = tools
  const projectId = project.id
  await db.pet.create({ data: { id: petId, projectId, name: 'Secret', categoryId: 1n } })
  await db.category.create({ data: { projectId, id: 5n, name: 'Secret' } })
  await db.order.create({ data: { id: orderId, projectId, petId, petName: 'Secret', categoryId: 1n } })
  const configuration = { title: 'Secret', description: null, domains: { primary: null, redirects: [] } }
  await db.deploy.create({ data: { id: deployId, projectId, succeeded: true, configuration, log: [] } })
  const looked = { createdAt: new Date(), looksSince: new Date() }
  const { id: domainId } = await db.domain.create({ data: { projectId, name: domain, ...looked } })
  const data = {
    url: 'https://secret.example/',
    delivered: 0n,
    enabled: false,
    sealedSecret: new Uint8Array(1),
  }
  const { id: webhook } = await db.webhookEndpoint.create({ data: { projectId, ...data } })
  await db.setAsideEvent.create({ data: { endpointId: webhook, eventNumber: 1n, nextTryAt: new Date() } })
  const { personId: person } = await signedIn(tools, url, project, 'owner', 'Secret')
  const session = await db.session.findFirstOrThrow({ where: { personId: person } })
  const { invitation } = await invite(db, clock, project, { role: 'viewer', invitedBy: person })
  await numberAll(tools)
  const newest = await findNewestEvent(tools.database, { id: projectId })
  const event = newest ? eventId(newest) : ''
  return { domainId, webhook, event, person, invitation: invitation.id, session: session.id }
}

function without(foreign: Names, text: string): string {
  let rest = text
  for (const name of [
    'pet',
    'key',
    'slug',
    'domain',
    'domainId',
    'deploy',
    'order',
    'webhook',
    'event',
    'person',
    'invitation',
    'session',
  ] as const)
    rest = rest.replace(new RegExp(`${foreign[name]}(?!\\d)`, 'g'), missing[name])
  return rest
}

async function everythingOf(app: App, { project }: TestProject) {
  const { db } = app.tools
  const where = { projectId: project.id }
  const keys = await db.apiKey.findMany({ where, omit: { lastUsedAt: true } })
  const [domains, deploys] = [await db.domain.findMany({ where }), await db.deploy.findMany({ where })]
  return [
    await db.project.findUnique({ where: { id: project.id } }),
    await db.pet.findMany({ where }),
    await db.order.findMany({ where }),
    await db.category.findMany({ where }),
    keys,
    domains,
    deploys,
    await db.webhookEndpoint.findMany({ where }),
    await db.setAsideEvent.findMany({ where: { endpoint: where } }),
    await db.membership.findMany({ where, include: { person: { include: { sessions: true } } } }),
    await db.invitation.findMany({ where }),
  ]
}
