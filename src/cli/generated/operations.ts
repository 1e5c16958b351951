/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Whether a key works. */
export type ApiKeyState =
  /** Works. */
  | 'active'
  /** Its time has run out. */
  | 'expired'
  /** Was rotated and still works until `expiresAt`: move its users to the new key. */
  | 'overlapping'
  /** Was revoked. */
  | 'revoked';

/** The weight of a log line. */
export type DeployLogLevel =
  /** Made the deploy fail. */
  | 'error'
  /** For information. */
  | 'info'
  /** Works, but deserves a look. */
  | 'warning';

/** How a deploy ended. */
export type DeployState =
  /** Was refused, and changed nothing. */
  | 'failed'
  /** Was put into service, or would have been in a dry run. */
  | 'succeeded';

/** The kinds of problem with a certificate. */
export type DomainCertificateProblemCode =
  /** The certificate authority asks to wait, or too many validations failed lately. */
  | 'ca_rate_limited'
  /** The certificate authority refused the order, or something went wrong on the way. */
  | 'ca_refused'
  /** The certificate authority cannot be reached. */
  | 'ca_unreachable'
  /** A CAA record forbids the platform's certificate authority to issue. */
  | 'caa_blocks'
  /** DNS could not be asked for the name's CAA records. */
  | 'dns_unreachable'
  /** The platform cannot open a private key that it has stored: of the certificate, of the order, or of its account. Re-verify has new ones made. */
  | 'key_unreadable'
  /** Nothing came of it 30 minutes after verification: confirm that the domain still verifies, check that no CAA record blocks, and re-verify. */
  | 'overdue'
  /** The project has sent as many orders as it may within an hour or a day; the next attempt is when it may again. */
  | 'too_many_orders'
  /** The certificate authority could not validate the name. */
  | 'validation_failed';

/** How a domain's certificate stands. */
export type DomainCertificateState =
  /** Is valid but ends soon, and its renewal has not succeeded yet. */
  | 'expiring'
  /** Could not be issued; the problem is named, and another attempt follows. */
  | 'failed'
  /** Is there and valid. */
  | 'issued'
  /** Is being issued. */
  | 'issuing'
  /** There is none; the domain is not verified yet. */
  | 'none';

/** Whether a domain is served. */
export type DomainHostState =
  /** Is served, but its record has changed since; it is forgiven for seven days. */
  | 'drifted'
  /** Its record is right and the domain is served. */
  | 'live'
  /** Is in order but not served: the project is suspended, or its plan has no domains and the time of grace is over. Nothing is renewed after the grace; both come back with the plan. */
  | 'paused'
  /** Waits for its DNS record, which is looked up again on a growing schedule up to 48 hours. */
  | 'pending'
  /** Waited 48 hours for its record in vain; rests until it is verified again. */
  | 'stale';

/** The result of a look at a domain's DNS. */
export type DomainVerdictCode =
  /** An A or AAAA record on the same name blocks the CNAME. */
  | 'address_record_conflict'
  /** The apex resolves to other addresses than the platform host. */
  | 'apex_differs'
  /** The record is right, but another project has proven the name and still shows its record. */
  | 'claimed_elsewhere'
  /** DNS could not be asked, which says nothing about the record. */
  | 'dns_unreachable'
  /** The CNAME records lead in a circle. */
  | 'loop'
  /** The record is right, but another project has claimed or held the name: the domain's `ownershipRecord` has to prove whose it is. */
  | 'ownership_required'
  /** A proxy of the DNS provider answers for the name, such as Cloudflare's orange cloud, so that the record behind it cannot be seen. */
  | 'proxied'
  /** There is a CNAME, but it shows another value. */
  | 'record_differs'
  /** There is no record for the name. */
  | 'record_missing'
  /** The name has more than one CNAME, and DNS allows one. */
  | 'several_cnames'
  /** The record is right. */
  | 'verified';

/** The ways into the store. */
export type Door =
  /** The GraphQL interface at /graphql, counted by root fields. */
  | 'graphql'
  /** The REST interface at /v1. */
  | 'rest';

/** An API key to issue. */
export type NewApiKey = {
  /** When it shall end by itself; leave out for never. */
  expiresAt?: string | null | undefined;
  /** A name by which to recognise it, 1 to 100 characters. */
  name: string;
  /** The id of the project, which an operator must name; a key's own where it is left out. */
  projectId?: string | null | undefined;
  /** What it shall allow; at least one scope, and none that the calling key lacks. */
  scopes: Array<Scope>;
};

/** The configuration to publish. */
export type NewDeploy = {
  /** A description for that page, up to 1,000 characters. */
  description?: string | null | undefined;
  /** How the custom domains shall be used. */
  domains?: NewDomainsConfiguration | null | undefined;
  /** The id of the project, which an operator must name; a key's own where it is left out. */
  projectId?: string | null | undefined;
  /** The title of the project's own reference page, up to 100 characters. */
  title?: string | null | undefined;
};

/** A domain to add. */
export type NewDomain = {
  /** The name in any spelling: mixed case, Unicode, a final dot, a pasted address. */
  name: string;
  /** The id of the project, which an operator must name; a key's own where it is left out. */
  projectId?: string | null | undefined;
  /** Adds the www or apex partner too, and publishes a redirect from it with a 301, which is in service on every process when the answer comes. Refused where the published configuration does not allow that redirect. */
  withPartner?: boolean | null | undefined;
};

/** A redirect to publish. */
export type NewDomainRedirect = {
  /** The domain that shall redirect; never the primary one. */
  from: string;
  /** The HTTP status: 301, 302, 307 or 308. */
  status?: number | null | undefined;
  /** The domain it shall redirect to; no other redirect may start there. */
  to: string;
};

/** How the custom domains shall be used. */
export type NewDomainsConfiguration = {
  /** The domain the project shall be known by. */
  primary?: string | null | undefined;
  /** The redirects between the project's hosts, at most 50. */
  redirects?: Array<NewDomainRedirect> | null | undefined;
};

/** The requests agreed with an enterprise project. */
export type NewLimits = {
  /** Requests in a day, no fewer than in a minute. */
  requestsPerDay: number;
  /** Requests in a minute, at least 1. */
  requestsPerMinute: number;
};

/** A project to create. */
export type NewProject = {
  /** The numbers agreed with an enterprise project; required for `enterprise`, refused for the others. */
  limits?: NewLimits | null | undefined;
  /** The name for people, 1 to 100 characters; the slug if left out. */
  name?: string | null | undefined;
  /** The plan to start on. */
  plan?: PlanName;
  /** The short name in addresses: 3 to 40 lower-case letters, digits and inner hyphens, starting with a letter. */
  slug: string;
};

/** The plans. */
export type PlanName =
  /** 1,000 requests a minute, 100,000 a day; custom domains. */
  | 'business'
  /** Numbers agreed with each project; custom domains. */
  | 'enterprise'
  /** 60 requests a minute, 1,000 a day. */
  | 'free'
  /** 300 requests a minute, 10,000 a day; custom domains. */
  | 'pro';

/** What an API key allows. */
export type Scope =
  /** Read orders (`orders:read`). */
  | 'orders_read'
  /** Place, approve, deliver and cancel orders (`orders:write`). */
  | 'orders_write'
  /** Read pets (`pets:read`). */
  | 'pets_read'
  /** Add and change pets, and name categories (`pets:write`). */
  | 'pets_write'
  /** Read the project, its usage, keys, deploys and domains (`project:read`). */
  | 'project_read'
  /** Change keys, deploys and domains (`project:write`). */
  | 'project_write';

export type RecordLineFragment = { type: string, alternativeType: string | null, name: string, value: string, ttl: number };

export type DomainLineFragment = { id: string, name: string, displayName: string, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, verifiedAt: string | null, verifyAgainAt: string, servedUntil: string | null, redirect: { to: string, status: number } | null, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number }>, partner: { name: string, added: boolean } | null, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null, dnsProvider: { name: string, url: string } | null } | null, certificateDetails: { issuer: string | null, notAfter: string | null, renewsAt: string | null, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null };

export type DeployLineFragment = { id: string, state: DeployState, current: boolean, rollbackOf: string | null, createdAt: string, configuration: { title: string | null, description: string | null, domains: { primary: string | null, redirects: Array<{ from: string, to: string, status: number }> } } };

export type DeployWithLogFragment = { id: string, state: DeployState, current: boolean, rollbackOf: string | null, createdAt: string, log: Array<{ at: string, level: DeployLogLevel, message: string }>, configuration: { title: string | null, description: string | null, domains: { primary: string | null, redirects: Array<{ from: string, to: string, status: number }> } } };

export type ListDomainsQueryVariables = Exact<{
  project?: string | null | undefined;
}>;


export type ListDomainsQuery = { project: { id: string, domains: { nodes: Array<{ id: string, name: string, displayName: string, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, verifiedAt: string | null, verifyAgainAt: string, servedUntil: string | null, redirect: { to: string, status: number } | null, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number }>, partner: { name: string, added: boolean } | null, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null, dnsProvider: { name: string, url: string } | null } | null, certificateDetails: { issuer: string | null, notAfter: string | null, renewsAt: string | null, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null }> } } | null };

export type ListAllDomainsQueryVariables = Exact<{
  host?: DomainHostState | null | undefined;
  certificate?: DomainCertificateState | null | undefined;
  name?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type ListAllDomainsQuery = { domains: { nodes: Array<{ id: string, projectSlug: string, name: string, displayName: string, host: DomainHostState, certificate: DomainCertificateState, verdict: { code: DomainVerdictCode, lookedAt: string, nextLookAt: string | null } | null, certificateDetails: { notAfter: string | null, problem: { code: DomainCertificateProblemCode } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ShowDomainQueryVariables = Exact<{
  project?: string | null | undefined;
  name: string;
}>;


export type ShowDomainQuery = { project: { id: string, domain: { id: string, name: string, displayName: string, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, verifiedAt: string | null, verifyAgainAt: string, servedUntil: string | null, redirect: { to: string, status: number } | null, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number }>, partner: { name: string, added: boolean } | null, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null, dnsProvider: { name: string, url: string } | null } | null, certificateDetails: { issuer: string | null, notAfter: string | null, renewsAt: string | null, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null } | null } | null };

export type AddDomainMutationVariables = Exact<{
  input: NewDomain;
}>;


export type AddDomainMutation = { addDomain: { domain: { id: string, name: string, displayName: string, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, verifiedAt: string | null, verifyAgainAt: string, servedUntil: string | null, redirect: { to: string, status: number } | null, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number }>, partner: { name: string, added: boolean } | null, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null, dnsProvider: { name: string, url: string } | null } | null, certificateDetails: { issuer: string | null, notAfter: string | null, renewsAt: string | null, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null }, partner: { id: string, name: string, displayName: string, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, verifiedAt: string | null, verifyAgainAt: string, servedUntil: string | null, redirect: { to: string, status: number } | null, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number }>, partner: { name: string, added: boolean } | null, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null, dnsProvider: { name: string, url: string } | null } | null, certificateDetails: { issuer: string | null, notAfter: string | null, renewsAt: string | null, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null } | null } | null };

export type VerifyDomainMutationVariables = Exact<{
  id: string;
}>;


export type VerifyDomainMutation = { verifyDomain: { id: string, name: string, displayName: string, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, verifiedAt: string | null, verifyAgainAt: string, servedUntil: string | null, redirect: { to: string, status: number } | null, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number }>, partner: { name: string, added: boolean } | null, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null, dnsProvider: { name: string, url: string } | null } | null, certificateDetails: { issuer: string | null, notAfter: string | null, renewsAt: string | null, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null } | null };

export type ReverifyDomainMutationVariables = Exact<{
  id: string;
}>;


export type ReverifyDomainMutation = { reverifyDomain: { id: string, name: string, displayName: string, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, verifiedAt: string | null, verifyAgainAt: string, servedUntil: string | null, redirect: { to: string, status: number } | null, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number }>, partner: { name: string, added: boolean } | null, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null, dnsProvider: { name: string, url: string } | null } | null, certificateDetails: { issuer: string | null, notAfter: string | null, renewsAt: string | null, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null } | null };

export type RemoveDomainMutationVariables = Exact<{
  id: string;
}>;


export type RemoveDomainMutation = { removeDomain: { domainId: string, name: string, note: string } | null };

export type PublishDeployMutationVariables = Exact<{
  input: NewDeploy;
  dryRun?: boolean | null | undefined;
}>;


export type PublishDeployMutation = { deploy: { id: string, state: DeployState, current: boolean, rollbackOf: string | null, createdAt: string, log: Array<{ at: string, level: DeployLogLevel, message: string }>, configuration: { title: string | null, description: string | null, domains: { primary: string | null, redirects: Array<{ from: string, to: string, status: number }> } } } | null };

export type RollbackMutationVariables = Exact<{
  to: string;
}>;


export type RollbackMutation = { rollback: { id: string, state: DeployState, current: boolean, rollbackOf: string | null, createdAt: string, log: Array<{ at: string, level: DeployLogLevel, message: string }>, configuration: { title: string | null, description: string | null, domains: { primary: string | null, redirects: Array<{ from: string, to: string, status: number }> } } } | null };

export type ListDeploysQueryVariables = Exact<{
  project?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type ListDeploysQuery = { project: { id: string, deploys: { nodes: Array<{ id: string, state: DeployState, current: boolean, rollbackOf: string | null, createdAt: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type ResumeCertificatesMutationVariables = Exact<{ [key: string]: never; }>;


export type ResumeCertificatesMutation = { resumeCertificates: { pauses: number, certificates: number } | null };

export type ProjectLineFragment = { slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } };

export type KeyLineFragment = { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, deprecatedUse: Array<{ field: string, count: number }> };

export type ListProjectsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ListProjectsQuery = { projects: { nodes: Array<{ slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CreateProjectMutationVariables = Exact<{
  input: NewProject;
}>;


export type CreateProjectMutation = { createProject: { project: { slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } }, owner: { secret: string } } | null };

export type SetPlanMutationVariables = Exact<{
  project: string;
  plan: PlanName;
  limits?: NewLimits | null | undefined;
}>;


export type SetPlanMutation = { setPlan: { slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } } | null };

export type SuspendProjectMutationVariables = Exact<{
  project: string;
}>;


export type SuspendProjectMutation = { suspendProject: { slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } } | null };

export type ResumeProjectMutationVariables = Exact<{
  project: string;
}>;


export type ResumeProjectMutation = { resumeProject: { slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } } | null };

export type ListKeysQueryVariables = Exact<{
  project?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type ListKeysQuery = { project: { id: string, apiKeys: { nodes: Array<{ id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, deprecatedUse: Array<{ field: string, count: number }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type IssueKeyMutationVariables = Exact<{
  input: NewApiKey;
}>;


export type IssueKeyMutation = { issueApiKey: { secret: string, apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, deprecatedUse: Array<{ field: string, count: number }> } } | null };

export type RotateKeyMutationVariables = Exact<{
  id: string;
  overlapSeconds?: number | null | undefined;
}>;


export type RotateKeyMutation = { rotateApiKey: { secret: string, apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, deprecatedUse: Array<{ field: string, count: number }> } } | null };

export type RenameKeyMutationVariables = Exact<{
  id: string;
  name: string;
}>;


export type RenameKeyMutation = { renameApiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, deprecatedUse: Array<{ field: string, count: number }> } | null };

export type CallerQueryVariables = Exact<{ [key: string]: never; }>;


export type CallerQuery = { caller: { operator: boolean, scopes: Array<Scope>, keyPrefix: string | null, projectSlug: string | null } | null };

export type RevokeKeyMutationVariables = Exact<{
  id: string;
}>;


export type RevokeKeyMutation = { revokeApiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, deprecatedUse: Array<{ field: string, count: number }> } | null };

export type LimitsQueryVariables = Exact<{ [key: string]: never; }>;


export type LimitsQuery = { rateLimit: { plan: PlanName, minute: { limit: number, remaining: number, resetAt: string }, day: { limit: number, remaining: number, resetAt: string }, management: { limit: number, remaining: number, resetAt: string }, ban: { endsAt: string, retryAfterSeconds: number } | null } | null };

export type UsageQueryVariables = Exact<{
  project?: string | null | undefined;
  days?: number | null | undefined;
  hours?: number | null | undefined;
}>;


export type UsageQuery = { project: { id: string, usage: { requests: number, refusals: number, served: number, faulty: number, failed: number, doors: Array<{ door: Door, requests: number, refusals: number, served: number, faulty: number, failed: number }>, keys: Array<{ requests: number, refusals: number, served: number, faulty: number, failed: number, key: { id: string, name: string, prefix: string }, doors: Array<{ door: Door, requests: number }> }>, days: Array<{ date: string, requests: number, refusals: number, served: number, faulty: number, failed: number, doors: Array<{ door: Door, requests: number, refusals: number }> }>, hours: Array<{ at: string, requests: number, refusals: number, served: number, faulty: number, failed: number, doors: Array<{ door: Door, requests: number, refusals: number }> }> } } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const RecordLineFragmentDoc = new TypedDocumentString(`
    fragment RecordLine on DnsRecordToCreate {
  type
  alternativeType
  name
  value
  ttl
}
    `, {"fragmentName":"RecordLine"}) as unknown as TypedDocumentString<RecordLineFragment, unknown>;
export const DomainLineFragmentDoc = new TypedDocumentString(`
    fragment DomainLine on Domain {
  id
  name
  displayName
  host
  certificate
  primary
  redirect {
    to
    status
  }
  verifiedAt
  verifyAgainAt
  servedUntil
  record {
    ...RecordLine
  }
  ownershipRecord {
    ...RecordLine
  }
  addressRecords {
    type
    name
    value
    ttl
  }
  partner {
    name
    added
  }
  verdict {
    code
    message
    found {
      type
      name
      value
    }
    expected
    recordInTheWay {
      type
      name
      value
    }
    dnsProvider {
      name
      url
    }
    lookedAt
    nextLookAt
  }
  certificateDetails {
    issuer
    notAfter
    renewsAt
    problem {
      code
      message
      recordInTheWay {
        type
        name
        value
      }
    }
    nextAttemptAt
  }
}
    fragment RecordLine on DnsRecordToCreate {
  type
  alternativeType
  name
  value
  ttl
}`, {"fragmentName":"DomainLine"}) as unknown as TypedDocumentString<DomainLineFragment, unknown>;
export const DeployLineFragmentDoc = new TypedDocumentString(`
    fragment DeployLine on Deploy {
  id
  state
  current
  rollbackOf
  createdAt
  configuration {
    title
    description
    domains {
      primary
      redirects {
        from
        to
        status
      }
    }
  }
}
    `, {"fragmentName":"DeployLine"}) as unknown as TypedDocumentString<DeployLineFragment, unknown>;
export const DeployWithLogFragmentDoc = new TypedDocumentString(`
    fragment DeployWithLog on Deploy {
  ...DeployLine
  log {
    at
    level
    message
  }
}
    fragment DeployLine on Deploy {
  id
  state
  current
  rollbackOf
  createdAt
  configuration {
    title
    description
    domains {
      primary
      redirects {
        from
        to
        status
      }
    }
  }
}`, {"fragmentName":"DeployWithLog"}) as unknown as TypedDocumentString<DeployWithLogFragment, unknown>;
export const ProjectLineFragmentDoc = new TypedDocumentString(`
    fragment ProjectLine on Project {
  slug
  name
  plan {
    name
  }
  limits {
    requestsPerMinute
    requestsPerDay
  }
  platformHost
  suspended
}
    `, {"fragmentName":"ProjectLine"}) as unknown as TypedDocumentString<ProjectLineFragment, unknown>;
export const KeyLineFragmentDoc = new TypedDocumentString(`
    fragment KeyLine on ApiKey {
  id
  name
  prefix
  scopes
  state
  current
  createdAt
  expiresAt
  lastUsedAt
  deprecatedUse {
    field
    count
  }
}
    `, {"fragmentName":"KeyLine"}) as unknown as TypedDocumentString<KeyLineFragment, unknown>;
export const ListDomainsDocument = new TypedDocumentString(`
    query ListDomains($project: String) {
  project(slug: $project) {
    id
    domains {
      nodes {
        ...DomainLine
      }
    }
  }
}
    fragment RecordLine on DnsRecordToCreate {
  type
  alternativeType
  name
  value
  ttl
}
fragment DomainLine on Domain {
  id
  name
  displayName
  host
  certificate
  primary
  redirect {
    to
    status
  }
  verifiedAt
  verifyAgainAt
  servedUntil
  record {
    ...RecordLine
  }
  ownershipRecord {
    ...RecordLine
  }
  addressRecords {
    type
    name
    value
    ttl
  }
  partner {
    name
    added
  }
  verdict {
    code
    message
    found {
      type
      name
      value
    }
    expected
    recordInTheWay {
      type
      name
      value
    }
    dnsProvider {
      name
      url
    }
    lookedAt
    nextLookAt
  }
  certificateDetails {
    issuer
    notAfter
    renewsAt
    problem {
      code
      message
      recordInTheWay {
        type
        name
        value
      }
    }
    nextAttemptAt
  }
}`) as unknown as TypedDocumentString<ListDomainsQuery, ListDomainsQueryVariables>;
export const ListAllDomainsDocument = new TypedDocumentString(`
    query ListAllDomains($host: DomainHostState, $certificate: DomainCertificateState, $name: String, $after: String) {
  domains(
    first: 100
    host: $host
    certificate: $certificate
    name: $name
    after: $after
  ) {
    nodes {
      id
      projectSlug
      name
      displayName
      host
      certificate
      verdict {
        code
        lookedAt
        nextLookAt
      }
      certificateDetails {
        notAfter
        problem {
          code
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ListAllDomainsQuery, ListAllDomainsQueryVariables>;
export const ShowDomainDocument = new TypedDocumentString(`
    query ShowDomain($project: String, $name: String!) {
  project(slug: $project) {
    id
    domain(name: $name) {
      ...DomainLine
    }
  }
}
    fragment RecordLine on DnsRecordToCreate {
  type
  alternativeType
  name
  value
  ttl
}
fragment DomainLine on Domain {
  id
  name
  displayName
  host
  certificate
  primary
  redirect {
    to
    status
  }
  verifiedAt
  verifyAgainAt
  servedUntil
  record {
    ...RecordLine
  }
  ownershipRecord {
    ...RecordLine
  }
  addressRecords {
    type
    name
    value
    ttl
  }
  partner {
    name
    added
  }
  verdict {
    code
    message
    found {
      type
      name
      value
    }
    expected
    recordInTheWay {
      type
      name
      value
    }
    dnsProvider {
      name
      url
    }
    lookedAt
    nextLookAt
  }
  certificateDetails {
    issuer
    notAfter
    renewsAt
    problem {
      code
      message
      recordInTheWay {
        type
        name
        value
      }
    }
    nextAttemptAt
  }
}`) as unknown as TypedDocumentString<ShowDomainQuery, ShowDomainQueryVariables>;
export const AddDomainDocument = new TypedDocumentString(`
    mutation AddDomain($input: NewDomain!) {
  addDomain(input: $input) {
    domain {
      ...DomainLine
    }
    partner {
      ...DomainLine
    }
  }
}
    fragment RecordLine on DnsRecordToCreate {
  type
  alternativeType
  name
  value
  ttl
}
fragment DomainLine on Domain {
  id
  name
  displayName
  host
  certificate
  primary
  redirect {
    to
    status
  }
  verifiedAt
  verifyAgainAt
  servedUntil
  record {
    ...RecordLine
  }
  ownershipRecord {
    ...RecordLine
  }
  addressRecords {
    type
    name
    value
    ttl
  }
  partner {
    name
    added
  }
  verdict {
    code
    message
    found {
      type
      name
      value
    }
    expected
    recordInTheWay {
      type
      name
      value
    }
    dnsProvider {
      name
      url
    }
    lookedAt
    nextLookAt
  }
  certificateDetails {
    issuer
    notAfter
    renewsAt
    problem {
      code
      message
      recordInTheWay {
        type
        name
        value
      }
    }
    nextAttemptAt
  }
}`) as unknown as TypedDocumentString<AddDomainMutation, AddDomainMutationVariables>;
export const VerifyDomainDocument = new TypedDocumentString(`
    mutation VerifyDomain($id: ID!) {
  verifyDomain(id: $id) {
    ...DomainLine
  }
}
    fragment RecordLine on DnsRecordToCreate {
  type
  alternativeType
  name
  value
  ttl
}
fragment DomainLine on Domain {
  id
  name
  displayName
  host
  certificate
  primary
  redirect {
    to
    status
  }
  verifiedAt
  verifyAgainAt
  servedUntil
  record {
    ...RecordLine
  }
  ownershipRecord {
    ...RecordLine
  }
  addressRecords {
    type
    name
    value
    ttl
  }
  partner {
    name
    added
  }
  verdict {
    code
    message
    found {
      type
      name
      value
    }
    expected
    recordInTheWay {
      type
      name
      value
    }
    dnsProvider {
      name
      url
    }
    lookedAt
    nextLookAt
  }
  certificateDetails {
    issuer
    notAfter
    renewsAt
    problem {
      code
      message
      recordInTheWay {
        type
        name
        value
      }
    }
    nextAttemptAt
  }
}`) as unknown as TypedDocumentString<VerifyDomainMutation, VerifyDomainMutationVariables>;
export const ReverifyDomainDocument = new TypedDocumentString(`
    mutation ReverifyDomain($id: ID!) {
  reverifyDomain(id: $id) {
    ...DomainLine
  }
}
    fragment RecordLine on DnsRecordToCreate {
  type
  alternativeType
  name
  value
  ttl
}
fragment DomainLine on Domain {
  id
  name
  displayName
  host
  certificate
  primary
  redirect {
    to
    status
  }
  verifiedAt
  verifyAgainAt
  servedUntil
  record {
    ...RecordLine
  }
  ownershipRecord {
    ...RecordLine
  }
  addressRecords {
    type
    name
    value
    ttl
  }
  partner {
    name
    added
  }
  verdict {
    code
    message
    found {
      type
      name
      value
    }
    expected
    recordInTheWay {
      type
      name
      value
    }
    dnsProvider {
      name
      url
    }
    lookedAt
    nextLookAt
  }
  certificateDetails {
    issuer
    notAfter
    renewsAt
    problem {
      code
      message
      recordInTheWay {
        type
        name
        value
      }
    }
    nextAttemptAt
  }
}`) as unknown as TypedDocumentString<ReverifyDomainMutation, ReverifyDomainMutationVariables>;
export const RemoveDomainDocument = new TypedDocumentString(`
    mutation RemoveDomain($id: ID!) {
  removeDomain(id: $id) {
    domainId
    name
    note
  }
}
    `) as unknown as TypedDocumentString<RemoveDomainMutation, RemoveDomainMutationVariables>;
export const PublishDeployDocument = new TypedDocumentString(`
    mutation PublishDeploy($input: NewDeploy!, $dryRun: Boolean) {
  deploy(input: $input, dryRun: $dryRun) {
    ...DeployWithLog
  }
}
    fragment DeployLine on Deploy {
  id
  state
  current
  rollbackOf
  createdAt
  configuration {
    title
    description
    domains {
      primary
      redirects {
        from
        to
        status
      }
    }
  }
}
fragment DeployWithLog on Deploy {
  ...DeployLine
  log {
    at
    level
    message
  }
}`) as unknown as TypedDocumentString<PublishDeployMutation, PublishDeployMutationVariables>;
export const RollbackDocument = new TypedDocumentString(`
    mutation Rollback($to: ID!) {
  rollback(to: $to) {
    ...DeployWithLog
  }
}
    fragment DeployLine on Deploy {
  id
  state
  current
  rollbackOf
  createdAt
  configuration {
    title
    description
    domains {
      primary
      redirects {
        from
        to
        status
      }
    }
  }
}
fragment DeployWithLog on Deploy {
  ...DeployLine
  log {
    at
    level
    message
  }
}`) as unknown as TypedDocumentString<RollbackMutation, RollbackMutationVariables>;
export const ListDeploysDocument = new TypedDocumentString(`
    query ListDeploys($project: String, $after: String) {
  project(slug: $project) {
    id
    deploys(first: 20, after: $after) {
      nodes {
        id
        state
        current
        rollbackOf
        createdAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ListDeploysQuery, ListDeploysQueryVariables>;
export const ResumeCertificatesDocument = new TypedDocumentString(`
    mutation ResumeCertificates {
  resumeCertificates {
    pauses
    certificates
  }
}
    `) as unknown as TypedDocumentString<ResumeCertificatesMutation, ResumeCertificatesMutationVariables>;
export const ListProjectsDocument = new TypedDocumentString(`
    query ListProjects($after: String) {
  projects(first: 100, after: $after) {
    nodes {
      ...ProjectLine
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment ProjectLine on Project {
  slug
  name
  plan {
    name
  }
  limits {
    requestsPerMinute
    requestsPerDay
  }
  platformHost
  suspended
}`) as unknown as TypedDocumentString<ListProjectsQuery, ListProjectsQueryVariables>;
export const CreateProjectDocument = new TypedDocumentString(`
    mutation CreateProject($input: NewProject!) {
  createProject(input: $input) {
    project {
      ...ProjectLine
    }
    owner {
      secret
    }
  }
}
    fragment ProjectLine on Project {
  slug
  name
  plan {
    name
  }
  limits {
    requestsPerMinute
    requestsPerDay
  }
  platformHost
  suspended
}`) as unknown as TypedDocumentString<CreateProjectMutation, CreateProjectMutationVariables>;
export const SetPlanDocument = new TypedDocumentString(`
    mutation SetPlan($project: String!, $plan: PlanName!, $limits: NewLimits) {
  setPlan(project: $project, plan: $plan, limits: $limits) {
    ...ProjectLine
  }
}
    fragment ProjectLine on Project {
  slug
  name
  plan {
    name
  }
  limits {
    requestsPerMinute
    requestsPerDay
  }
  platformHost
  suspended
}`) as unknown as TypedDocumentString<SetPlanMutation, SetPlanMutationVariables>;
export const SuspendProjectDocument = new TypedDocumentString(`
    mutation SuspendProject($project: String!) {
  suspendProject(project: $project) {
    ...ProjectLine
  }
}
    fragment ProjectLine on Project {
  slug
  name
  plan {
    name
  }
  limits {
    requestsPerMinute
    requestsPerDay
  }
  platformHost
  suspended
}`) as unknown as TypedDocumentString<SuspendProjectMutation, SuspendProjectMutationVariables>;
export const ResumeProjectDocument = new TypedDocumentString(`
    mutation ResumeProject($project: String!) {
  resumeProject(project: $project) {
    ...ProjectLine
  }
}
    fragment ProjectLine on Project {
  slug
  name
  plan {
    name
  }
  limits {
    requestsPerMinute
    requestsPerDay
  }
  platformHost
  suspended
}`) as unknown as TypedDocumentString<ResumeProjectMutation, ResumeProjectMutationVariables>;
export const ListKeysDocument = new TypedDocumentString(`
    query ListKeys($project: String, $after: String) {
  project(slug: $project) {
    id
    apiKeys(first: 100, after: $after) {
      nodes {
        ...KeyLine
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment KeyLine on ApiKey {
  id
  name
  prefix
  scopes
  state
  current
  createdAt
  expiresAt
  lastUsedAt
  deprecatedUse {
    field
    count
  }
}`) as unknown as TypedDocumentString<ListKeysQuery, ListKeysQueryVariables>;
export const IssueKeyDocument = new TypedDocumentString(`
    mutation IssueKey($input: NewApiKey!) {
  issueApiKey(input: $input) {
    secret
    apiKey {
      ...KeyLine
    }
  }
}
    fragment KeyLine on ApiKey {
  id
  name
  prefix
  scopes
  state
  current
  createdAt
  expiresAt
  lastUsedAt
  deprecatedUse {
    field
    count
  }
}`) as unknown as TypedDocumentString<IssueKeyMutation, IssueKeyMutationVariables>;
export const RotateKeyDocument = new TypedDocumentString(`
    mutation RotateKey($id: ID!, $overlapSeconds: Int) {
  rotateApiKey(id: $id, overlapSeconds: $overlapSeconds) {
    secret
    apiKey {
      ...KeyLine
    }
  }
}
    fragment KeyLine on ApiKey {
  id
  name
  prefix
  scopes
  state
  current
  createdAt
  expiresAt
  lastUsedAt
  deprecatedUse {
    field
    count
  }
}`) as unknown as TypedDocumentString<RotateKeyMutation, RotateKeyMutationVariables>;
export const RenameKeyDocument = new TypedDocumentString(`
    mutation RenameKey($id: ID!, $name: String!) {
  renameApiKey(id: $id, name: $name) {
    ...KeyLine
  }
}
    fragment KeyLine on ApiKey {
  id
  name
  prefix
  scopes
  state
  current
  createdAt
  expiresAt
  lastUsedAt
  deprecatedUse {
    field
    count
  }
}`) as unknown as TypedDocumentString<RenameKeyMutation, RenameKeyMutationVariables>;
export const CallerDocument = new TypedDocumentString(`
    query Caller {
  caller {
    operator
    scopes
    keyPrefix
    projectSlug
  }
}
    `) as unknown as TypedDocumentString<CallerQuery, CallerQueryVariables>;
export const RevokeKeyDocument = new TypedDocumentString(`
    mutation RevokeKey($id: ID!) {
  revokeApiKey(id: $id) {
    ...KeyLine
  }
}
    fragment KeyLine on ApiKey {
  id
  name
  prefix
  scopes
  state
  current
  createdAt
  expiresAt
  lastUsedAt
  deprecatedUse {
    field
    count
  }
}`) as unknown as TypedDocumentString<RevokeKeyMutation, RevokeKeyMutationVariables>;
export const LimitsDocument = new TypedDocumentString(`
    query Limits {
  rateLimit {
    plan
    minute {
      limit
      remaining
      resetAt
    }
    day {
      limit
      remaining
      resetAt
    }
    management {
      limit
      remaining
      resetAt
    }
    ban {
      endsAt
      retryAfterSeconds
    }
  }
}
    `) as unknown as TypedDocumentString<LimitsQuery, LimitsQueryVariables>;
export const UsageDocument = new TypedDocumentString(`
    query Usage($project: String, $days: Int, $hours: Int) {
  project(slug: $project) {
    id
    usage(days: $days, hours: $hours) {
      requests
      refusals
      served
      faulty
      failed
      doors {
        door
        requests
        refusals
        served
        faulty
        failed
      }
      keys {
        key {
          id
          name
          prefix
        }
        requests
        refusals
        served
        faulty
        failed
        doors {
          door
          requests
        }
      }
      days {
        date
        requests
        refusals
        served
        faulty
        failed
        doors {
          door
          requests
          refusals
        }
      }
      hours {
        at
        requests
        refusals
        served
        faulty
        failed
        doors {
          door
          requests
          refusals
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UsageQuery, UsageQueryVariables>;