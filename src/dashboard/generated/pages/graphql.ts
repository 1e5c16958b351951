/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
import gql from 'graphql-tag';
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

/** Every way in which the store says no, as `extensions.code` and over REST as `code`; a new one is a change of the contract. */
export type ErrorCode =
  /** The API key is already revoked, expired or rotated, so this cannot be done to it. */
  | 'api_key_ended'
  /** Your project has no API key of that id. */
  | 'api_key_not_found'
  /** The body is larger than 64 KiB. */
  | 'body_too_large'
  /** Your project has given no name to a category of that number. */
  | 'category_not_found'
  /** Your project has no successful deploy of that id. */
  | 'deploy_not_found'
  /** A domain needs something to serve, and the project was never deployed. */
  | 'deploy_required'
  /** Your project has no domain of that name. */
  | 'domain_not_found'
  /** The operation was removed: getPet, on 5 December 2030. */
  | 'gone'
  /** The request's headers are too large. */
  | 'headers_too_large'
  /** The first request with this `Idempotency-Key` is still running. */
  | 'idempotency_in_flight'
  /** The `Idempotency-Key` was used for another pet within 24 hours. */
  | 'idempotency_mismatch'
  /** The API key is valid and lacks the scope that the message names. */
  | 'insufficient_scope'
  /** A fault of ours. */
  | 'internal_error'
  /** A field, a parameter or a header has a value that the store does not take; `details` name each. */
  | 'invalid_input'
  /** The API key went on long after it was refused. */
  | 'key_banned'
  /** The request cannot be read: broken HTTP, a broken URL, no JSON where JSON is due. */
  | 'malformed_request'
  /** The address is known, the method is not possible there. */
  | 'method_not_allowed'
  /** No project is served at the host that the request names, or its TLS connection is for another one. */
  | 'misdirected_host'
  /** `Accept` takes no media type of an answer; nothing was done. */
  | 'not_acceptable'
  /** There is nothing at this address. */
  | 'not_found'
  /** The request is wrapped in a transfer coding other than `chunked`. */
  | 'not_implemented'
  /** A GraphQL operation is longer, deeper or broader than the store takes; the message says by how much. */
  | 'operation_too_complex'
  /** An order of your project has that reference already. */
  | 'order_exists'
  /** Your project has no order of that id. */
  | 'order_not_found'
  /** The order has gone another way, so this cannot be done to it. */
  | 'order_state'
  /** A pet in an open order can neither be deleted nor have its status changed. */
  | 'pet_in_order'
  /** The pet cannot be ordered: it is pending or sold, or another order was faster. */
  | 'pet_not_available'
  /** Your project has no pet of that id, whoever else may have. */
  | 'pet_not_found'
  /** Custom domains need the plan pro or above. */
  | 'plan_required'
  /** The pet has changed since it bore the `ifMatch`. */
  | 'precondition_failed'
  /** A project of that name exists already. */
  | 'project_exists'
  /** There is no project of that name, or it is not yours. */
  | 'project_not_found'
  /** The operator has suspended the project. */
  | 'project_suspended'
  /** The project's minute or day is used up, or the address sent too much without a valid key. */
  | 'rate_limited'
  /** The request took too long to arrive. */
  | 'request_timeout'
  /** The project has 50 domains already. */
  | 'too_many_domains'
  /** The project has sent as many orders for certificates as it may within an hour or a day. */
  | 'too_many_orders'
  /** The API key is missing, unknown, mistyped, expired or revoked; the answer does not say which. */
  | 'unauthorized'
  /** The store cannot reach its database; a change may or may not have been made. */
  | 'unavailable'
  /** The body is not `application/json` in UTF-8. */
  | 'unsupported_media_type'
  /** A domain can be verified once in ten seconds. */
  | 'verify_too_soon';

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

/** An order to place. */
export type NewOrder = {
  /** What is to be known of it, 1 to 1,000 characters. */
  note?: string | null | undefined;
  /** The id of the pet. */
  petId: string;
  /** A name of your own for the order, 1 to 100 characters, unique in the project. */
  reference?: string | null | undefined;
};

/** A pet to add. */
export type NewPet = {
  /** The category the animal belongs to: a 64-bit integer. Beyond 2^53 send it as a string, for JSON numbers are not exact there and are refused. */
  categoryId: string;
  /** The animal's name: 1 to 255 characters, surrounding blanks removed. */
  name: string;
  /** Whether it can be had; may be left unset. */
  status?: PetStatus | null | undefined;
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

/** How far an order has come. */
export type OrderStatus =
  /** Its pet is pending; it waits to be delivered. */
  | 'approved'
  /** Its pet got the status back that it had. */
  | 'cancelled'
  /** Its pet is sold. */
  | 'delivered'
  /** Its pet is pending; it waits to be approved. */
  | 'placed';

/** What to change of a pet; what is left out stays as it is. */
export type PetChange = {
  /** The category the animal belongs to from now on: a 64-bit integer, beyond 2^53 as a string. */
  categoryId?: string | null | undefined;
  /** The animal's new name: 1 to 255 characters, surrounding blanks removed. */
  name?: string | null | undefined;
  /** Whether it can be had from now on; null leaves it unset. */
  status?: PetStatus | null | undefined;
};

/** The order of pets. */
export type PetSort =
  /** By descending id. */
  | 'newest_first'
  /** By ascending id. */
  | 'oldest_first';

/** Whether a pet can be had. */
export type PetStatus =
  /** Can be bought. */
  | 'available'
  /** Is spoken for. */
  | 'pending'
  /** Has found a home. */
  | 'sold';

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

/** The orders of a list of projects. */
export type ProjectOrder =
  /** By requests in the last 30 days, the most first. */
  | 'most_used'
  /** By age, the newest first. */
  | 'newest'
  /** By age, the oldest first. */
  | 'oldest';

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

export type KeyRowFragment = { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, rotatedAt: string | null };

export type ApiKeysQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  project?: string | null | undefined;
  search?: string | null | undefined;
  states?: Array<ApiKeyState> | ApiKeyState | null | undefined;
}>;


export type ApiKeysQuery = { project: { id: string, apiKeys: { nodes: Array<{ id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, rotatedAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type IssueApiKeyMutationVariables = Exact<{
  input: NewApiKey;
}>;


export type IssueApiKeyMutation = { issueApiKey: { secret: string, apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, rotatedAt: string | null } } | null };

export type RotateApiKeyMutationVariables = Exact<{
  id: string;
  overlapSeconds: number;
}>;


export type RotateApiKeyMutation = { rotateApiKey: { secret: string, apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, revokedAt: string | null, lastUsedAt: string | null, rotatedAt: string | null } } | null };

export type RenameApiKeyMutationVariables = Exact<{
  id: string;
  name: string;
}>;


export type RenameApiKeyMutation = { renameApiKey: { id: string, name: string } | null };

export type RevokeApiKeyMutationVariables = Exact<{
  id: string;
}>;


export type RevokeApiKeyMutation = { revokeApiKey: { id: string, state: ApiKeyState, revokedAt: string | null } | null };

export type CategoryRowFragment = { id: string, categoryId: string, name: string, petCount: number };

export type CategoriesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type CategoriesQuery = { categories: { nodes: Array<{ id: string, categoryId: string, name: string, petCount: number }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type SetCategoryMutationVariables = Exact<{
  categoryId: string;
  name: string;
}>;


export type SetCategoryMutation = { setCategory: { id: string, categoryId: string, name: string, petCount: number } | null };

export type RemoveCategoryMutationVariables = Exact<{
  categoryId: string;
}>;


export type RemoveCategoryMutation = { removeCategory: { removedId: string } | null };

export type DeployRowFragment = { id: string, state: DeployState, current: boolean, rollbackOf: string | null, createdAt: string, configuration: { title: string | null, description: string | null, domains: { primary: string | null, redirects: Array<{ from: string, to: string, status: number }> } }, log: Array<{ at: string, level: DeployLogLevel, message: string }> };

export type ConfigurationFragment = { title: string | null, description: string | null, domains: { primary: string | null, redirects: Array<{ from: string, to: string, status: number }> } };

export type DeploysQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  project?: string | null | undefined;
}>;


export type DeploysQuery = { project: { id: string, deploys: { nodes: Array<{ id: string, state: DeployState, current: boolean, rollbackOf: string | null, createdAt: string, configuration: { title: string | null, description: string | null, domains: { primary: string | null, redirects: Array<{ from: string, to: string, status: number }> } }, log: Array<{ at: string, level: DeployLogLevel, message: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type CurrentConfigurationQueryVariables = Exact<{
  project?: string | null | undefined;
}>;


export type CurrentConfigurationQuery = { project: { id: string, slug: string, name: string, currentDeploy: { id: string, configuration: { title: string | null, description: string | null, domains: { primary: string | null, redirects: Array<{ from: string, to: string, status: number }> } } } | null } | null };

export type DeployMutationVariables = Exact<{
  input: NewDeploy;
  dryRun: boolean;
}>;


export type DeployMutation = { deploy: { id: string, state: DeployState, current: boolean, rollbackOf: string | null, createdAt: string, configuration: { title: string | null, description: string | null, domains: { primary: string | null, redirects: Array<{ from: string, to: string, status: number }> } }, log: Array<{ at: string, level: DeployLogLevel, message: string }> } | null };

export type RollbackMutationVariables = Exact<{
  to: string;
}>;


export type RollbackMutation = { rollback: { id: string, state: DeployState, current: boolean, rollbackOf: string | null, createdAt: string, configuration: { title: string | null, description: string | null, domains: { primary: string | null, redirects: Array<{ from: string, to: string, status: number }> } }, log: Array<{ at: string, level: DeployLogLevel, message: string }> } | null };

export type RecordFragment = { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string };

export type FoundFragment = { type: string, name: string, value: string };

export type DomainRowFragment = { id: string, name: string, displayName: string, apex: boolean, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, addedAt: string, verifiedAt: string | null, servedUntil: string | null, verifyAgainAt: string, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number, zoneLine: string }>, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, dnsProvider: { name: string, url: string } | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null } | null, certificateDetails: { issuer: string | null, notBefore: string | null, notAfter: string | null, renewsAt: string | null, attempts: number, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null, partner: { name: string, added: boolean } | null, redirect: { from: string, to: string, status: number } | null };

export type DomainsQueryVariables = Exact<{
  project?: string | null | undefined;
}>;


export type DomainsQuery = { project: { id: string, domains: { nodes: Array<{ id: string, name: string, displayName: string, apex: boolean, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, addedAt: string, verifiedAt: string | null, servedUntil: string | null, verifyAgainAt: string, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number, zoneLine: string }>, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, dnsProvider: { name: string, url: string } | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null } | null, certificateDetails: { issuer: string | null, notBefore: string | null, notAfter: string | null, renewsAt: string | null, attempts: number, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null, partner: { name: string, added: boolean } | null, redirect: { from: string, to: string, status: number } | null }> } } | null };

export type AllDomainsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  host?: DomainHostState | null | undefined;
  certificate?: DomainCertificateState | null | undefined;
  name?: string | null | undefined;
}>;


export type AllDomainsQuery = { domains: { nodes: Array<{ id: string, projectSlug: string, name: string, displayName: string, host: DomainHostState, certificate: DomainCertificateState, verdict: { code: DomainVerdictCode } | null, certificateDetails: { notAfter: string | null, problem: { code: DomainCertificateProblemCode } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type DomainPreconditionsQueryVariables = Exact<{
  project?: string | null | undefined;
}>;


export type DomainPreconditionsQuery = { project: { id: string, domainGraceEndsAt: string | null, domainPreconditions: { met: boolean, plan: { met: boolean, code: ErrorCode | null, message: string }, deploy: { met: boolean, code: ErrorCode | null, message: string } } } | null };

export type PreconditionFragment = { met: boolean, code: ErrorCode | null, message: string };

export type AddDomainMutationVariables = Exact<{
  input: NewDomain;
}>;


export type AddDomainMutation = { addDomain: { domain: { id: string, name: string, displayName: string, apex: boolean, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, addedAt: string, verifiedAt: string | null, servedUntil: string | null, verifyAgainAt: string, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number, zoneLine: string }>, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, dnsProvider: { name: string, url: string } | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null } | null, certificateDetails: { issuer: string | null, notBefore: string | null, notAfter: string | null, renewsAt: string | null, attempts: number, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null, partner: { name: string, added: boolean } | null, redirect: { from: string, to: string, status: number } | null }, partner: { id: string, name: string, displayName: string, apex: boolean, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, addedAt: string, verifiedAt: string | null, servedUntil: string | null, verifyAgainAt: string, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number, zoneLine: string }>, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, dnsProvider: { name: string, url: string } | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null } | null, certificateDetails: { issuer: string | null, notBefore: string | null, notAfter: string | null, renewsAt: string | null, attempts: number, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null, partner: { name: string, added: boolean } | null, redirect: { from: string, to: string, status: number } | null } | null } | null };

export type VerifyDomainMutationVariables = Exact<{
  id: string;
}>;


export type VerifyDomainMutation = { verifyDomain: { id: string, name: string, displayName: string, apex: boolean, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, addedAt: string, verifiedAt: string | null, servedUntil: string | null, verifyAgainAt: string, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number, zoneLine: string }>, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, dnsProvider: { name: string, url: string } | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null } | null, certificateDetails: { issuer: string | null, notBefore: string | null, notAfter: string | null, renewsAt: string | null, attempts: number, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null, partner: { name: string, added: boolean } | null, redirect: { from: string, to: string, status: number } | null } | null };

export type ReverifyDomainMutationVariables = Exact<{
  id: string;
}>;


export type ReverifyDomainMutation = { reverifyDomain: { id: string, name: string, displayName: string, apex: boolean, host: DomainHostState, certificate: DomainCertificateState, primary: boolean, addedAt: string, verifiedAt: string | null, servedUntil: string | null, verifyAgainAt: string, record: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, ownershipRecord: { type: string, alternativeType: string | null, name: string, value: string, ttl: number, zoneLine: string }, addressRecords: Array<{ type: string, name: string, value: string, ttl: number, zoneLine: string }>, verdict: { code: DomainVerdictCode, message: string, expected: Array<string>, lookedAt: string, nextLookAt: string | null, dnsProvider: { name: string, url: string } | null, found: Array<{ type: string, name: string, value: string }>, recordInTheWay: { type: string, name: string, value: string } | null } | null, certificateDetails: { issuer: string | null, notBefore: string | null, notAfter: string | null, renewsAt: string | null, attempts: number, nextAttemptAt: string | null, problem: { code: DomainCertificateProblemCode, message: string, recordInTheWay: { type: string, name: string, value: string } | null } | null } | null, partner: { name: string, added: boolean } | null, redirect: { from: string, to: string, status: number } | null } | null };

export type RemoveDomainMutationVariables = Exact<{
  id: string;
}>;


export type RemoveDomainMutation = { removeDomain: { domainId: string, name: string, note: string } | null };

export type OrderRowFragment = { id: string, status: OrderStatus, petId: string, petName: string, reference: string | null, note: string | null, placedAt: string, approvedAt: string | null, deliveredAt: string | null, cancelledAt: string | null };

export type OrdersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  status?: OrderStatus | null | undefined;
  petId?: string | null | undefined;
  reference?: string | null | undefined;
}>;


export type OrdersQuery = { orders: { nodes: Array<{ id: string, status: OrderStatus, petId: string, petName: string, reference: string | null, note: string | null, placedAt: string, approvedAt: string | null, deliveredAt: string | null, cancelledAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type PlaceOrderMutationVariables = Exact<{
  input: NewOrder;
  idempotencyKey?: string | null | undefined;
}>;


export type PlaceOrderMutation = { placeOrder: { id: string, status: OrderStatus, petId: string, petName: string, reference: string | null, note: string | null, placedAt: string, approvedAt: string | null, deliveredAt: string | null, cancelledAt: string | null, pet: { id: string, name: string, categoryId: string, status: PetStatus | null, etag: string, category: { id: string, name: string } | null } | null } | null };

export type ApproveOrderMutationVariables = Exact<{
  id: string;
}>;


export type ApproveOrderMutation = { moved: { id: string, status: OrderStatus, petId: string, petName: string, reference: string | null, note: string | null, placedAt: string, approvedAt: string | null, deliveredAt: string | null, cancelledAt: string | null } | null };

export type DeliverOrderMutationVariables = Exact<{
  id: string;
}>;


export type DeliverOrderMutation = { moved: { id: string, status: OrderStatus, petId: string, petName: string, reference: string | null, note: string | null, placedAt: string, approvedAt: string | null, deliveredAt: string | null, cancelledAt: string | null } | null };

export type CancelOrderMutationVariables = Exact<{
  id: string;
}>;


export type CancelOrderMutation = { moved: { id: string, status: OrderStatus, petId: string, petName: string, reference: string | null, note: string | null, placedAt: string, approvedAt: string | null, deliveredAt: string | null, cancelledAt: string | null } | null };

export type PetRowFragment = { id: string, name: string, categoryId: string, status: PetStatus | null, etag: string, category: { id: string, name: string } | null };

export type PetsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  status?: PetStatus | null | undefined;
  categoryId?: string | null | undefined;
  name?: string | null | undefined;
  sort: PetSort;
}>;


export type PetsQuery = { pets: { nodes: Array<{ id: string, name: string, categoryId: string, status: PetStatus | null, etag: string, category: { id: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CreatePetMutationVariables = Exact<{
  input: NewPet;
  idempotencyKey?: string | null | undefined;
}>;


export type CreatePetMutation = { createPet: { id: string, name: string, categoryId: string, status: PetStatus | null, etag: string, category: { id: string, name: string } | null } | null };

export type UpdatePetMutationVariables = Exact<{
  petId: string;
  input: PetChange;
  ifMatch?: string | null | undefined;
}>;


export type UpdatePetMutation = { updatePet: { id: string, name: string, categoryId: string, status: PetStatus | null, etag: string, category: { id: string, name: string } | null } | null };

export type DeletePetMutationVariables = Exact<{
  petId: string;
}>;


export type DeletePetMutation = { deletePet: { petId: string } | null };

export type ProjectRowFragment = { id: string, slug: string, name: string, suspended: boolean, plan: { id: string, name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } };

export type ProjectsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  search?: string | null | undefined;
  plan?: PlanName | null | undefined;
  suspended?: boolean | null | undefined;
  order: ProjectOrder;
}>;


export type ProjectsQuery = { projects: { nodes: Array<{ id: string, slug: string, name: string, suspended: boolean, usage: { requests: number, refusals: number }, plan: { id: string, name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CreateProjectMutationVariables = Exact<{
  input: NewProject;
}>;


export type CreateProjectMutation = { createProject: { project: { id: string, slug: string, name: string }, owner: { secret: string, apiKey: { id: string, name: string } } } | null };

export type SetPlanMutationVariables = Exact<{
  project: string;
  plan: PlanName;
  limits?: NewLimits | null | undefined;
}>;


export type SetPlanMutation = { setPlan: { id: string, slug: string, name: string, suspended: boolean, plan: { id: string, name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } } | null };

export type SuspendProjectMutationVariables = Exact<{
  project: string;
}>;


export type SuspendProjectMutation = { suspendProject: { id: string, slug: string, name: string, suspended: boolean, plan: { id: string, name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } } | null };

export type ResumeProjectMutationVariables = Exact<{
  project: string;
}>;


export type ResumeProjectMutation = { resumeProject: { id: string, slug: string, name: string, suspended: boolean, plan: { id: string, name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } } | null };

export type PlansQueryVariables = Exact<{ [key: string]: never; }>;


export type PlansQuery = { plans: Array<{ id: string, name: PlanName, requestsPerMinute: number | null, requestsPerDay: number | null, customDomains: boolean }> | null };

export type DayFragment = { date: string, requests: number, refusals: number, served: number, faulty: number, failed: number };

export type HourFragment = { at: string, requests: number, refusals: number, served: number, faulty: number, failed: number };

export type ThroughFragment = { door: Door, requests: number, refusals: number, served: number, faulty: number, failed: number };

export type UsageInFullQueryVariables = Exact<{
  days?: number | null | undefined;
  hours?: number | null | undefined;
  project?: string | null | undefined;
}>;


export type UsageInFullQuery = { project: { id: string, slug: string, usage: { days: Array<{ date: string, doors: Array<{ door: Door, requests: number, refusals: number, served: number, faulty: number, failed: number }> }>, hours: Array<{ at: string, doors: Array<{ door: Door, requests: number, refusals: number, served: number, faulty: number, failed: number }> }>, keys: Array<{ key: { id: string, name: string, prefix: string }, days: Array<{ date: string, doors: Array<{ door: Door, requests: number, refusals: number, served: number, faulty: number, failed: number }> }>, hours: Array<{ at: string, doors: Array<{ door: Door, requests: number, refusals: number, served: number, faulty: number, failed: number }> }> }> } } | null };

export type KeyUsageQueryVariables = Exact<{
  id: string;
  days?: number | null | undefined;
  hours?: number | null | undefined;
}>;


export type KeyUsageQuery = { node:
    | { id: string, usage: { requests: number, refusals: number, served: number, faulty: number, failed: number, days: Array<{ date: string, requests: number, refusals: number, served: number, faulty: number, failed: number }>, hours: Array<{ at: string, requests: number, refusals: number, served: number, faulty: number, failed: number }>, doors: Array<{ door: Door, requests: number, refusals: number, served: number, faulty: number, failed: number }> } }
    | Record<PropertyKey, never>
   | null };

export const KeyRowFragmentDoc = gql`
    fragment KeyRow on ApiKey {
  id
  name
  prefix
  scopes
  state
  current
  createdAt
  expiresAt
  revokedAt
  lastUsedAt
  rotatedAt
}
    ` as unknown as DocumentNode<KeyRowFragment, unknown>;
export const CategoryRowFragmentDoc = gql`
    fragment CategoryRow on Category {
  id
  categoryId
  name
  petCount
}
    ` as unknown as DocumentNode<CategoryRowFragment, unknown>;
export const ConfigurationFragmentDoc = gql`
    fragment Configuration on DeployConfiguration {
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
    ` as unknown as DocumentNode<ConfigurationFragment, unknown>;
export const DeployRowFragmentDoc = gql`
    fragment DeployRow on Deploy {
  id
  state
  current
  rollbackOf
  createdAt
  configuration {
    ...Configuration
  }
  log {
    at
    level
    message
  }
}
    ` as unknown as DocumentNode<DeployRowFragment, unknown>;
export const RecordFragmentDoc = gql`
    fragment Record on DnsRecordToCreate {
  type
  alternativeType
  name
  value
  ttl
  zoneLine
}
    ` as unknown as DocumentNode<RecordFragment, unknown>;
export const FoundFragmentDoc = gql`
    fragment Found on DnsRecordFound {
  type
  name
  value
}
    ` as unknown as DocumentNode<FoundFragment, unknown>;
export const DomainRowFragmentDoc = gql`
    fragment DomainRow on Domain {
  id
  name
  displayName
  apex
  host
  certificate
  primary
  addedAt
  verifiedAt
  servedUntil
  verifyAgainAt
  record {
    ...Record
  }
  ownershipRecord {
    ...Record
  }
  addressRecords {
    type
    name
    value
    ttl
    zoneLine
  }
  verdict {
    dnsProvider {
      name
      url
    }
    code
    message
    found {
      ...Found
    }
    expected
    recordInTheWay {
      ...Found
    }
    lookedAt
    nextLookAt
  }
  certificateDetails {
    issuer
    notBefore
    notAfter
    renewsAt
    attempts
    nextAttemptAt
    problem {
      code
      message
      recordInTheWay {
        ...Found
      }
    }
  }
  partner {
    name
    added
  }
  redirect {
    from
    to
    status
  }
}
    ` as unknown as DocumentNode<DomainRowFragment, unknown>;
export const PreconditionFragmentDoc = gql`
    fragment Precondition on Precondition {
  met
  code
  message
}
    ` as unknown as DocumentNode<PreconditionFragment, unknown>;
export const OrderRowFragmentDoc = gql`
    fragment OrderRow on Order {
  id
  status
  petId
  petName
  reference
  note
  placedAt
  approvedAt
  deliveredAt
  cancelledAt
}
    ` as unknown as DocumentNode<OrderRowFragment, unknown>;
export const PetRowFragmentDoc = gql`
    fragment PetRow on Pet {
  id
  name
  categoryId
  category {
    id
    name
  }
  status
  etag
}
    ` as unknown as DocumentNode<PetRowFragment, unknown>;
export const ProjectRowFragmentDoc = gql`
    fragment ProjectRow on Project {
  id
  slug
  name
  suspended
  plan {
    id
    name
  }
  limits {
    requestsPerMinute
    requestsPerDay
  }
}
    ` as unknown as DocumentNode<ProjectRowFragment, unknown>;
export const DayFragmentDoc = gql`
    fragment Day on UsageDay {
  date
  requests
  refusals
  served
  faulty
  failed
}
    ` as unknown as DocumentNode<DayFragment, unknown>;
export const HourFragmentDoc = gql`
    fragment Hour on UsageHour {
  at
  requests
  refusals
  served
  faulty
  failed
}
    ` as unknown as DocumentNode<HourFragment, unknown>;
export const ThroughFragmentDoc = gql`
    fragment Through on UsageByDoor {
  door
  requests
  refusals
  served
  faulty
  failed
}
    ` as unknown as DocumentNode<ThroughFragment, unknown>;
export const ApiKeysDocument = gql`
    query ApiKeys($first: Int!, $after: String, $project: String, $search: String, $states: [ApiKeyState!]) {
  project(slug: $project) {
    id
    apiKeys(first: $first, after: $after, search: $search, states: $states) {
      nodes {
        ...KeyRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    ${KeyRowFragmentDoc}` as unknown as DocumentNode<ApiKeysQuery, ApiKeysQueryVariables>;
export const IssueApiKeyDocument = gql`
    mutation IssueApiKey($input: NewApiKey!) {
  issueApiKey(input: $input) {
    secret
    apiKey {
      ...KeyRow
    }
  }
}
    ${KeyRowFragmentDoc}` as unknown as DocumentNode<IssueApiKeyMutation, IssueApiKeyMutationVariables>;
export const RotateApiKeyDocument = gql`
    mutation RotateApiKey($id: ID!, $overlapSeconds: Int!) {
  rotateApiKey(id: $id, overlapSeconds: $overlapSeconds) {
    secret
    apiKey {
      ...KeyRow
    }
  }
}
    ${KeyRowFragmentDoc}` as unknown as DocumentNode<RotateApiKeyMutation, RotateApiKeyMutationVariables>;
export const RenameApiKeyDocument = gql`
    mutation RenameApiKey($id: ID!, $name: String!) {
  renameApiKey(id: $id, name: $name) {
    id
    name
  }
}
    ` as unknown as DocumentNode<RenameApiKeyMutation, RenameApiKeyMutationVariables>;
export const RevokeApiKeyDocument = gql`
    mutation RevokeApiKey($id: ID!) {
  revokeApiKey(id: $id) {
    id
    state
    revokedAt
  }
}
    ` as unknown as DocumentNode<RevokeApiKeyMutation, RevokeApiKeyMutationVariables>;
export const CategoriesDocument = gql`
    query Categories($first: Int!, $after: String) {
  categories(first: $first, after: $after) {
    nodes {
      ...CategoryRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    ${CategoryRowFragmentDoc}` as unknown as DocumentNode<CategoriesQuery, CategoriesQueryVariables>;
export const SetCategoryDocument = gql`
    mutation SetCategory($categoryId: ID!, $name: String!) {
  setCategory(categoryId: $categoryId, name: $name) {
    ...CategoryRow
  }
}
    ${CategoryRowFragmentDoc}` as unknown as DocumentNode<SetCategoryMutation, SetCategoryMutationVariables>;
export const RemoveCategoryDocument = gql`
    mutation RemoveCategory($categoryId: ID!) {
  removeCategory(categoryId: $categoryId) {
    removedId
  }
}
    ` as unknown as DocumentNode<RemoveCategoryMutation, RemoveCategoryMutationVariables>;
export const DeploysDocument = gql`
    query Deploys($first: Int!, $after: String, $project: String) {
  project(slug: $project) {
    id
    deploys(first: $first, after: $after) {
      nodes {
        ...DeployRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    ${DeployRowFragmentDoc}
${ConfigurationFragmentDoc}` as unknown as DocumentNode<DeploysQuery, DeploysQueryVariables>;
export const CurrentConfigurationDocument = gql`
    query CurrentConfiguration($project: String) {
  project(slug: $project) {
    id
    slug
    name
    currentDeploy {
      id
      configuration {
        ...Configuration
      }
    }
  }
}
    ${ConfigurationFragmentDoc}` as unknown as DocumentNode<CurrentConfigurationQuery, CurrentConfigurationQueryVariables>;
export const DeployDocument = gql`
    mutation Deploy($input: NewDeploy!, $dryRun: Boolean!) {
  deploy(input: $input, dryRun: $dryRun) {
    ...DeployRow
  }
}
    ${DeployRowFragmentDoc}
${ConfigurationFragmentDoc}` as unknown as DocumentNode<DeployMutation, DeployMutationVariables>;
export const RollbackDocument = gql`
    mutation Rollback($to: ID!) {
  rollback(to: $to) {
    ...DeployRow
  }
}
    ${DeployRowFragmentDoc}
${ConfigurationFragmentDoc}` as unknown as DocumentNode<RollbackMutation, RollbackMutationVariables>;
export const DomainsDocument = gql`
    query Domains($project: String) {
  project(slug: $project) {
    id
    domains {
      nodes {
        ...DomainRow
      }
    }
  }
}
    ${DomainRowFragmentDoc}
${RecordFragmentDoc}
${FoundFragmentDoc}` as unknown as DocumentNode<DomainsQuery, DomainsQueryVariables>;
export const AllDomainsDocument = gql`
    query AllDomains($first: Int!, $after: String, $host: DomainHostState, $certificate: DomainCertificateState, $name: String) {
  domains(
    first: $first
    after: $after
    host: $host
    certificate: $certificate
    name: $name
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
    ` as unknown as DocumentNode<AllDomainsQuery, AllDomainsQueryVariables>;
export const DomainPreconditionsDocument = gql`
    query DomainPreconditions($project: String) {
  project(slug: $project) {
    id
    domainGraceEndsAt
    domainPreconditions {
      met
      plan {
        ...Precondition
      }
      deploy {
        ...Precondition
      }
    }
  }
}
    ${PreconditionFragmentDoc}` as unknown as DocumentNode<DomainPreconditionsQuery, DomainPreconditionsQueryVariables>;
export const AddDomainDocument = gql`
    mutation AddDomain($input: NewDomain!) {
  addDomain(input: $input) {
    domain {
      ...DomainRow
    }
    partner {
      ...DomainRow
    }
  }
}
    ${DomainRowFragmentDoc}
${RecordFragmentDoc}
${FoundFragmentDoc}` as unknown as DocumentNode<AddDomainMutation, AddDomainMutationVariables>;
export const VerifyDomainDocument = gql`
    mutation VerifyDomain($id: ID!) {
  verifyDomain(id: $id) {
    ...DomainRow
  }
}
    ${DomainRowFragmentDoc}
${RecordFragmentDoc}
${FoundFragmentDoc}` as unknown as DocumentNode<VerifyDomainMutation, VerifyDomainMutationVariables>;
export const ReverifyDomainDocument = gql`
    mutation ReverifyDomain($id: ID!) {
  reverifyDomain(id: $id) {
    ...DomainRow
  }
}
    ${DomainRowFragmentDoc}
${RecordFragmentDoc}
${FoundFragmentDoc}` as unknown as DocumentNode<ReverifyDomainMutation, ReverifyDomainMutationVariables>;
export const RemoveDomainDocument = gql`
    mutation RemoveDomain($id: ID!) {
  removeDomain(id: $id) {
    domainId
    name
    note
  }
}
    ` as unknown as DocumentNode<RemoveDomainMutation, RemoveDomainMutationVariables>;
export const OrdersDocument = gql`
    query Orders($first: Int!, $after: String, $status: OrderStatus, $petId: ID, $reference: String) {
  orders(
    first: $first
    after: $after
    status: $status
    petId: $petId
    reference: $reference
  ) {
    nodes {
      ...OrderRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    ${OrderRowFragmentDoc}` as unknown as DocumentNode<OrdersQuery, OrdersQueryVariables>;
export const PlaceOrderDocument = gql`
    mutation PlaceOrder($input: NewOrder!, $idempotencyKey: String) {
  placeOrder(input: $input, idempotencyKey: $idempotencyKey) {
    ...OrderRow
    pet {
      ...PetRow
    }
  }
}
    ${OrderRowFragmentDoc}
${PetRowFragmentDoc}` as unknown as DocumentNode<PlaceOrderMutation, PlaceOrderMutationVariables>;
export const ApproveOrderDocument = gql`
    mutation ApproveOrder($id: ID!) {
  moved: approveOrder(id: $id) {
    ...OrderRow
  }
}
    ${OrderRowFragmentDoc}` as unknown as DocumentNode<ApproveOrderMutation, ApproveOrderMutationVariables>;
export const DeliverOrderDocument = gql`
    mutation DeliverOrder($id: ID!) {
  moved: deliverOrder(id: $id) {
    ...OrderRow
  }
}
    ${OrderRowFragmentDoc}` as unknown as DocumentNode<DeliverOrderMutation, DeliverOrderMutationVariables>;
export const CancelOrderDocument = gql`
    mutation CancelOrder($id: ID!) {
  moved: cancelOrder(id: $id) {
    ...OrderRow
  }
}
    ${OrderRowFragmentDoc}` as unknown as DocumentNode<CancelOrderMutation, CancelOrderMutationVariables>;
export const PetsDocument = gql`
    query Pets($first: Int!, $after: String, $status: PetStatus, $categoryId: ID, $name: String, $sort: PetSort!) {
  pets(
    first: $first
    after: $after
    status: $status
    categoryId: $categoryId
    name: $name
    sort: $sort
  ) {
    nodes {
      ...PetRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    ${PetRowFragmentDoc}` as unknown as DocumentNode<PetsQuery, PetsQueryVariables>;
export const CreatePetDocument = gql`
    mutation CreatePet($input: NewPet!, $idempotencyKey: String) {
  createPet(input: $input, idempotencyKey: $idempotencyKey) {
    ...PetRow
  }
}
    ${PetRowFragmentDoc}` as unknown as DocumentNode<CreatePetMutation, CreatePetMutationVariables>;
export const UpdatePetDocument = gql`
    mutation UpdatePet($petId: ID!, $input: PetChange!, $ifMatch: String) {
  updatePet(petId: $petId, input: $input, ifMatch: $ifMatch) {
    ...PetRow
  }
}
    ${PetRowFragmentDoc}` as unknown as DocumentNode<UpdatePetMutation, UpdatePetMutationVariables>;
export const DeletePetDocument = gql`
    mutation DeletePet($petId: ID!) {
  deletePet(petId: $petId) {
    petId
  }
}
    ` as unknown as DocumentNode<DeletePetMutation, DeletePetMutationVariables>;
export const ProjectsDocument = gql`
    query Projects($first: Int!, $after: String, $search: String, $plan: PlanName, $suspended: Boolean, $order: ProjectOrder!) {
  projects(
    first: $first
    after: $after
    search: $search
    plan: $plan
    suspended: $suspended
    order: $order
  ) {
    nodes {
      ...ProjectRow
      usage(days: 30) {
        requests
        refusals
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    ${ProjectRowFragmentDoc}` as unknown as DocumentNode<ProjectsQuery, ProjectsQueryVariables>;
export const CreateProjectDocument = gql`
    mutation CreateProject($input: NewProject!) {
  createProject(input: $input) {
    project {
      id
      slug
      name
    }
    owner {
      secret
      apiKey {
        id
        name
      }
    }
  }
}
    ` as unknown as DocumentNode<CreateProjectMutation, CreateProjectMutationVariables>;
export const SetPlanDocument = gql`
    mutation SetPlan($project: String!, $plan: PlanName!, $limits: NewLimits) {
  setPlan(project: $project, plan: $plan, limits: $limits) {
    ...ProjectRow
  }
}
    ${ProjectRowFragmentDoc}` as unknown as DocumentNode<SetPlanMutation, SetPlanMutationVariables>;
export const SuspendProjectDocument = gql`
    mutation SuspendProject($project: String!) {
  suspendProject(project: $project) {
    ...ProjectRow
  }
}
    ${ProjectRowFragmentDoc}` as unknown as DocumentNode<SuspendProjectMutation, SuspendProjectMutationVariables>;
export const ResumeProjectDocument = gql`
    mutation ResumeProject($project: String!) {
  resumeProject(project: $project) {
    ...ProjectRow
  }
}
    ${ProjectRowFragmentDoc}` as unknown as DocumentNode<ResumeProjectMutation, ResumeProjectMutationVariables>;
export const PlansDocument = gql`
    query Plans {
  plans {
    id
    name
    requestsPerMinute
    requestsPerDay
    customDomains
  }
}
    ` as unknown as DocumentNode<PlansQuery, PlansQueryVariables>;
export const UsageInFullDocument = gql`
    query UsageInFull($days: Int, $hours: Int, $project: String) {
  project(slug: $project) {
    id
    slug
    usage(days: $days, hours: $hours) {
      days {
        date
        doors {
          ...Through
        }
      }
      hours {
        at
        doors {
          ...Through
        }
      }
      keys(first: 40) {
        key {
          id
          name
          prefix
        }
        days {
          date
          doors {
            ...Through
          }
        }
        hours {
          at
          doors {
            ...Through
          }
        }
      }
    }
  }
}
    ${ThroughFragmentDoc}` as unknown as DocumentNode<UsageInFullQuery, UsageInFullQueryVariables>;
export const KeyUsageDocument = gql`
    query KeyUsage($id: ID!, $days: Int, $hours: Int) {
  node(id: $id) {
    ... on ApiKey {
      id
      usage(days: $days, hours: $hours) {
        requests
        refusals
        served
        faulty
        failed
        days {
          ...Day
        }
        hours {
          ...Hour
        }
        doors {
          ...Through
        }
      }
    }
  }
}
    ${DayFragmentDoc}
${HourFragmentDoc}
${ThroughFragmentDoc}` as unknown as DocumentNode<KeyUsageQuery, KeyUsageQueryVariables>;