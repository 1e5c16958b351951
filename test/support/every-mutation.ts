import { addEndpoint } from '../../src/core/events/endpoints.ts'
import { invite } from '../../src/core/people/invitations.ts'
import { numberAll } from './events.ts'
import { join, signedIn } from './people.ts'
import type { App, TestProject } from './start-app.ts'

export type Objects = Record<
  | 'pet'
  | 'order'
  | 'orderToApprove'
  | 'orderToDeliver'
  | 'key'
  | 'domain'
  | 'deploy'
  | 'slug'
  | 'webhook'
  | 'event'
  | 'person'
  | 'member'
  | 'otherMember'
  | 'invitation'
  | 'session'
  | 'passkey',
  string
> & { n: number }

/** For every mutation: an input that succeeds for these objects, and the fields to select. */
export const mutations: Readonly<
  Record<string, (objects: Objects) => [input: string | null, select: string]>
> = {
  petCreate: ({ n }) => [
    `{ name: "New ${n}", categoryId: 1, idempotencyKey: "pet-${n}" }`,
    'pet { id category { name petCount } orders(first: 1) { nodes { id } } }',
  ],
  petUpdate: ({ pet, n }) => [`{ id: "${pet}", name: "Now ${n}" }`, 'pet { id etag }'],
  petDelete: ({ pet }) => [`{ id: "${pet}" }`, 'deletedId'],
  petsUpdate: ({ pet, n }) => [`{ ids: ["${pet}"], change: { name: "Now ${n}" } }`, 'updatedIds'],
  petsDelete: ({ pet }) => [`{ ids: ["${pet}"] }`, 'deletedIds'],
  categorySet: ({ n }) => [`{ id: "category_${n}", name: "Kind ${n}" }`, 'category { id etag }'],
  categoryRemove: () => ['{ id: "category_1" }', 'deletedId'],
  orderPlace: ({ pet, n }) => [
    `{ petId: "${pet}", reference: "ref ${n}", idempotencyKey: "order-${n}" }`,
    'order { id etag }',
  ],
  orderApprove: ({ orderToApprove }) => [`{ id: "${orderToApprove}" }`, 'order { id etag }'],
  orderDeliver: ({ orderToDeliver }) => [`{ id: "${orderToDeliver}" }`, 'order { id etag }'],
  orderCancel: ({ order }) => [`{ id: "${order}" }`, 'order { id etag }'],
  apiKeyIssue: ({ n }) => [`{ name: "Key ${n}", scopes: [pets_read] }`, 'secret apiKey { id }'],
  apiKeyRotate: ({ key }) => [`{ id: "${key}" }`, 'secret apiKey { id }'],
  apiKeyRename: ({ key, n }) => [`{ id: "${key}", name: "Name ${n}" }`, 'apiKey { id }'],
  apiKeyRevoke: ({ key }) => [`{ id: "${key}" }`, 'apiKey { id }'],
  apiKeyBan: ({ key }) => [`{ id: "${key}", seconds: 60 }`, '__typename'],
  apiKeyLiftBan: ({ key }) => [`{ id: "${key}" }`, '__typename'],
  projectCreate: ({ n }) => [`{ slug: "made-${n}" }`, '__typename'],
  projectSetPlan: ({ slug }) => [`{ id: "project_${slug}", plan: pro }`, '__typename'],
  projectSetLeakedKeys: () => ['{ leakedKeys: rotate }', 'project { id leakedKeys }'],
  projectSuspend: ({ slug }) => [`{ id: "project_${slug}" }`, '__typename'],
  projectResume: ({ slug }) => [`{ id: "project_${slug}" }`, '__typename'],
  projectResetRateLimit: ({ slug }) => [`{ id: "project_${slug}" }`, '__typename'],
  certificatesResume: () => [null, '__typename'],
  domainAdd: ({ slug, n }) => [
    `{ name: "n${n}-${slug}.test", withPartner: true }`,
    'domain { id name } partner { id }',
  ],
  domainVerify: ({ domain }) => [`{ id: "${domain}" }`, 'domain { id host verdict { code } }'],
  domainReverify: ({ domain }) => [`{ id: "${domain}" }`, 'domain { id host verdict { code } }'],
  domainRemove: ({ domain }) => [`{ id: "${domain}" }`, 'deletedId'],
  webhookCreate: ({ n }) => [`{ url: "https://shop.example/${n}" }`, 'webhook { id } secret'],
  webhookUpdate: ({ webhook, n }) => [`{ id: "${webhook}", description: "Hook ${n}" }`, 'webhook { id }'],
  webhookDelete: ({ webhook }) => [`{ id: "${webhook}" }`, 'deletedId'],
  webhookRotateSecret: ({ webhook }) => [`{ id: "${webhook}" }`, 'webhook { id } secret'],
  webhookTest: ({ webhook }) => [`{ id: "${webhook}" }`, 'status problem'],
  webhookRedeliver: ({ webhook, event }) => [`{ id: "${webhook}", event: "${event}" }`, 'webhook { id }'],
  webhookRewind: ({ webhook }) => [`{ id: "${webhook}", after: "0" }`, 'webhook { id }'],
  deployCreate: ({ n }) => [`{ title: "Title ${n}" }`, 'deploy { id state }'],
  deployRollback: ({ deploy }) => [`{ id: "${deploy}" }`, 'deploy { id state }'],
  memberInvite: () => ['{ role: viewer }', 'url invitation { id }'],
  memberSetRole: ({ otherMember }) => [`{ id: "${otherMember}", role: developer }`, 'member { id role }'],
  memberRemove: ({ otherMember }) => [`{ id: "${otherMember}" }`, 'memberId apiKeys { id }'],
  invitationWithdraw: ({ invitation }) => [`{ id: "${invitation}" }`, 'invitationId'],
  viewerRename: ({ n }) => [`{ name: "Name ${n}" }`, 'viewer { id name }'],
  viewerDelete: ({ person }) => [`{ id: "${person}" }`, 'viewerId'],
  sessionEnd: ({ session }) => [`{ id: "${session}" }`, 'sessionId'],
  sessionsEnd: () => ['{ current: false }', 'count'],
  operatorAdd: ({ person }) => [`{ id: "${person}" }`, 'operator { id passkeys { id } }'],
  operatorRemove: ({ person }) => [`{ id: "${person}" }`, 'operatorId'],
  joinDomainSet: ({ n }) => [`{ domain: "n${n}.example.org", role: viewer }`, 'joinDomain { domain }'],
  joinDomainRemove: () => ['{ domain: "acme.example" }', 'wasSet'],
  passkeyRemove: ({ passkey }) => [`{ id: "${passkey}" }`, 'passkeyId'],
}

export function spellMutation(
  name: string,
  objects: Objects,
  as: { alias?: string; select?: string } = {},
): string {
  const [input, usual] = mutations[name]?.(objects) ?? [null, '__typename']
  const alias = as.alias ? `${as.alias}: ` : ''
  return `${alias}${name}${input ? `(input: ${input})` : ''} { ${as.select ?? usual} }`
}

/**
 * Returns true if the name of the mutation begins with a word about people, such as `member`, `invitation`, `session`
 * or `passkey`.
 */
export const isOfPeople = (mutation: string) =>
  /^(member|invitation|viewer|session|passkey|operator|joinDomain)/.test(mutation)

let made = 0

/** Makes an object of every kind that a mutation changes. */
export async function makeObjects(app: App, { project, issueKey }: TestProject): Promise<Objects> {
  const { tools } = app
  const n = ++made
  const { db, webhooks } = tools
  const projectId = project.id
  const [pet, ...ordered] = await db.pet.createManyAndReturn({
    data: [0, 1, 2, 3].map(i => ({ projectId, name: `Pet ${n} ${i}`, categoryId: 1n })),
  })
  await db.category.upsert({
    where: { projectId_id: { projectId, id: 1n } },
    create: { projectId, id: 1n, name: 'One' },
    update: {},
  })
  const [order, orderToApprove, orderToDeliver] = await db.order.createManyAndReturn({
    data: ordered.map(({ id, name, categoryId }, i) => ({
      ...{ projectId, petId: id, petName: name, categoryId },
      status: i === 2 ? ('approved' as const) : ('placed' as const),
    })),
  })
  const configuration = { title: null, description: null, domains: { primary: null, redirects: [] } }
  const deploy = await db.deploy.create({ data: { projectId, succeeded: true, configuration, log: [] } })
  const now = new Date()
  const domain = await db.domain.create({
    data: { projectId, name: `d${n}-${project.slug}.test`, createdAt: now, looksSince: now },
  })
  const { keyId } = await issueKey(['pets:read'])
  const { endpoint } = await addEndpoint(webhooks, project, { url: 'https://shop.example/hook' })
  await numberAll(tools)
  const event = await db.event.findFirstOrThrow({ where: { projectId } })
  // Only an event that was sent can be sent again.
  await db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { delivered: event.number } })
  return {
    ...{
      n,
      pet: String(pet?.id),
      order: `order_${order?.id}`,
      orderToApprove: `order_${orderToApprove?.id}`,
    },
    ...{ orderToDeliver: `order_${orderToDeliver?.id}`, key: `key_${keyId}`, domain: `domain_${domain.id}` },
    ...{ webhook: `webhook_${endpoint.id}`, event: String(event.number) },
    ...{ deploy: `deploy_${deploy.id}`, slug: project.slug },
    ...{ person: '', member: '', otherMember: '', invitation: '', session: '', passkey: '' },
  }
}

/**
 * Makes two owners who have an object of each kind that a person can have. Returns the token of the first owner and the
 * ids of all objects.
 */
export async function makePeople({ tools, url }: App, { project }: TestProject) {
  const { db, clock } = tools
  const owner = await signedIn(tools, url, project, 'owner')
  const { personId } = owner
  const otherId = await join(tools, project, 'owner')
  const { invitation } = await invite(db, clock, project, { role: 'viewer', invitedBy: personId })
  const session = await db.session.findFirstOrThrow({ where: { personId } })
  const passkey = await db.passkey.create({
    data: {
      ...{ id: `key-${personId}`, personId, name: 'Laptop', publicKey: new Uint8Array(77), counter: 0n },
      ...{ transports: [], createdAt: new Date(clock.now()) },
    },
  })
  await db.joinDomain.create({
    data: {
      ...{ projectId: project.id, domain: 'acme.example', issuer: 'https://id.acme.example', role: 'viewer' },
      createdAt: new Date(clock.now()),
    },
  })
  return {
    token: await owner.token(project.slug),
    person: `person_${personId}`,
    member: `member_${project.slug}_${personId}`,
    otherMember: `member_${project.slug}_${otherId}`,
    invitation: `invitation_${project.slug}_${invitation.id}`,
    session: `session_${session.id}`,
    passkey: `passkey_${passkey.id}`,
  }
}
