import { isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSchema } from '../../src/graphql/schema.ts'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let owner: TestProject
let stranger: TestProject
let petId: string
let domainId: string
const domain = 'www.secret-shop.example'
const deployId = 1_888_888_888
const orderId = 1_777_777_777n

beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: 'operator-of-the-tests-0123456789abcdef' } })
  owner = await app.makeProject()
  stranger = await app.makeProject()
  // An id that is in no other text of an answer.
  const id = 4_611_686_018_427_387_904n
  await app.tools.db.pet.create({ data: { id, projectId: owner.project.id, name: 'Secret', categoryId: 1n } })
  petId = String(id)
  ;({ id: domainId } = await app.tools.db.domain.create({
    data: { projectId: owner.project.id, name: domain, createdAt: new Date(), looksSince: new Date() },
  }))
  const configuration = { title: 'Secret', description: null, domains: { primary: null, redirects: [] } }
  await app.tools.db.order.create({
    data: {
      id: orderId,
      projectId: owner.project.id,
      petId: BigInt(petId),
      petName: 'Secret',
      categoryId: 1n,
    },
  })
  await app.tools.db.deploy.create({
    data: { id: deployId, projectId: owner.project.id, succeeded: true, configuration, log: [] },
  })
})
afterAll(() => app.stop())

/** Names of nothing, to hold the foreign ones against. */
const missing = {
  pet: '9223372036854775807',
  key: '00000000-0000-7000-8000-000000000000',
  slug: 'nobody',
  domain: 'www.nobody.example',
  domainId: '00000000-0000-7000-8000-00000000000d',
  deploy: '1999999999',
  order: '9223372036854775806',
}
type Names = typeof missing

/** Every root field, asked with names of another project; what takes none must merely show none of its things. */
const table: Record<string, (names: Names) => string> = {
  'Query.pets': () => '{ pets(first: 100) { nodes { id name } } }',
  'Query.getPet': ({ pet }) => `{ getPet(petId: "${pet}") { name } }`,
  'Query.categories': () => '{ categories { nodes { name } } }',
  'Query.category': () => '{ category(categoryId: 5) { name } }',
  'Query.orders': ({ pet }) => `{ orders(petId: "${pet}") { nodes { id petName } } }`,
  'Query.order': ({ order }) => `{ order(id: "order_${order}") { id petName } }`,
  'Query.inventory': () => '{ inventory { total } }',
  'Query.node': ({ pet, key, slug, domainId, deploy, order }) => `{
    order: node(id: "order_${order}") { id }
    node(id: "${pet}") { id } key: node(id: "key_${key}") { id } project: node(id: "project_${slug}") { id }
    domain: node(id: "domain_${domainId}") { id } deploy: node(id: "deploy_${deploy}") { id } budget: node(id: "budget_${slug}") { id }
  }`,
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
}

describe('of another project, a key', () => {
  test('meets every root field of the schema in this table', () => {
    const schema = makeSchema()
    const roots = [schema.getQueryType(), schema.getMutationType()].filter(isObjectType)
    const fields = roots.flatMap(type => Object.keys(type.getFields()).map(field => `${type.name}.${field}`))

    expect(Object.keys(table).sort()).toEqual(fields.sort())
  })

  test.each(Object.keys(table))('sees and changes nothing through %s', async field => {
    const query = table[field]
    if (!query) throw new Error(`no query for ${field}`)
    const before = await everythingOf(owner)
    const foreign: Names = {
      pet: petId,
      key: owner.keyId,
      slug: owner.project.slug,
      domain,
      domainId,
      deploy: String(deployId),
      order: String(orderId),
    }

    const asked = await graphqlOf(app, stranger)(query(foreign))
    const nowhere = await graphqlOf(app, stranger)(query(missing))

    let text = asked.text
    for (const name of ['pet', 'key', 'slug', 'domain', 'domainId', 'deploy', 'order'] as const)
      text = text.replaceAll(foreign[name], missing[name])
    expect(text).toBe(nowhere.text)
    expect(asked.status).toBe(nowhere.status)
    for (const secret of ['Secret', owner.secret.slice(0, 11)]) expect(asked.text).not.toContain(secret)
    expect(await everythingOf(owner)).toEqual(before)
  })
})

async function everythingOf({ project }: TestProject) {
  const { db } = app.tools
  const where = { projectId: project.id }
  const keys = await db.apiKey.findMany({ where, omit: { lastUsedAt: true } })
  const [domains, deploys] = [await db.domain.findMany({ where }), await db.deploy.findMany({ where })]
  return [
    await db.project.findUnique({ where: { id: project.id } }),
    await db.pet.findMany({ where }),
    await db.order.findMany({ where }),
    keys,
    domains,
    deploys,
  ]
}
