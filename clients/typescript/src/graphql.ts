/** Settings of the GraphQL interface for GraphQL Code Generator, Apollo Client, urql and Relay. */

/**
 * For `scalars` in GraphQL Code Generator. An id is a string, because an id can be a name, or an integer of 64 bits,
 * which a JavaScript number cannot hold.
 */
export const scalars = { ID: 'string', DateTime: 'string', Date: 'string', JSON: 'unknown' } as const

/** For `customScalarTypes` in Relay's configuration. */
export const customScalarTypes = { DateTime: 'string', Date: 'string', JSON: 'unknown' } as const

/** For `possibleTypes` of Apollo's InMemoryCache and of graphcache. */
export const possibleTypes = {
  Node: [
    ...['Pet', 'Category', 'Order', 'Project', 'Plan', 'RateLimit', 'ApiKey', 'Domain', 'Deploy'],
    ...['Event', 'AuditEntry', 'Webhook', 'WebhookDelivery'],
  ],
}

const mutations = {
  Pet: 'Create Update Delete',
  Pets: 'Update Delete',
  Category: 'Set Remove',
  Order: 'Place Approve Deliver Cancel',
  ApiKey: 'Issue Rotate Rename Revoke Ban LiftBan',
  Project: 'Create SetPlan SetLeakedKeys Suspend Resume ResetRateLimit',
  Certificates: 'Resume',
  Domain: 'Add Verify Reverify Remove',
  Deploy: 'Create Rollback',
  Webhook: 'Create Update Delete RotateSecret Test Redeliver Rewind',
  Member: 'Invite SetRole Remove',
  Invitation: 'Withdraw',
  JoinDomain: 'Set Remove',
  Viewer: 'Rename Delete',
  Session: 'End',
  Sessions: 'End',
  Passkey: 'Remove',
  Operator: 'Add Remove',
}
const payloads = Object.entries(mutations).flatMap(([noun, verbs]) =>
  verbs.split(' ').map(verb => `${noun}${verb}Payload`),
)

/** Types without an id, which a cache stores inside their parent object. */
const withoutId = [
  ...['Inventory', 'Caller', 'PageInfo', 'Limits', 'RateLimitWindow', 'Ban', 'Membership', 'JoinDomain'],
  ...['PetConnection', 'PetEdge', 'CategoryConnection', 'CategoryEdge', 'OrderConnection', 'OrderEdge'],
  ...['ApiKeyConnection', 'ApiKeyEdge', 'ProjectConnection', 'ProjectEdge', 'DomainConnection', 'DomainEdge'],
  ...['DeployConnection', 'DeployEdge', 'DeployLogLine', 'DeployConfiguration', 'DomainsConfiguration'],
  ...['Usage', 'KeyUsage', 'UsageDay', 'UsageHour', 'UsageByDoor', 'DoorLatency', 'DeprecatedUse'],
  ...['DnsRecordToCreate', 'AddressRecordToCreate', 'DnsRecordFound', 'DnsProvider', 'DomainVerdict'],
  ...['DomainCertificate', 'DomainCertificateProblem', 'DomainPartner', 'DomainRedirect', 'DomainWarning'],
  ...['DomainPreconditions', 'Precondition', 'EventConnection', 'EventEdge'],
  ...['AuditEntryConnection', 'AuditEntryEdge', 'AuditActor'],
  ...['WebhookConnection', 'WebhookEdge', 'WebhookDeliveryConnection', 'WebhookDeliveryEdge'],
  ...payloads,
  ...[
    'DeletedPet',
    'UpdatePetsPayload',
    'DeletePetsPayload',
    'RemovedCategory',
    'RemovedDomain',
    'AddedDomain',
  ],
  ...['IssuedApiKey', 'CreatedProject', 'ResumedCertificates'],
  ...['BanApiKeyPayload', 'LiftBanPayload', 'ResetRateLimitPayload'],
]

/** For `keys` of urql's graphcache. */
export const keys: Record<string, () => null> = Object.fromEntries(withoutId.map(type => [type, () => null]))

/** For `typePolicies` of Apollo's InMemoryCache: merges parts of an object that different queries have read. */
export const typePolicies: Record<string, { merge: true }> = Object.fromEntries(
  withoutId.filter(type => !/(Connection|Edge)$/.test(type)).map(type => [type, { merge: true }]),
)
