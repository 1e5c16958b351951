import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Pet as StoredPet } from '../../core/pets/pets.ts';
import type { Order as StoredOrder } from '../../core/orders/orders.ts';
import type { Category as StoredCategory } from '../../core/pets/categories.ts';
import type { Project as StoredProject } from '../../core/project.ts';
import type { Plan as StoredPlan, ApiKey as StoredApiKey } from '../../generated/prisma/client.ts';
import type { ProjectDomain } from '../fields/domain-type.ts';
import type { ShownDeploy } from '../fields/deploys.ts';
import type { Scope as ScopeName, DeprecatedCalls } from '../../core/keys/api-keys.ts';
import type { ShownUsage, ShownKeyUsage } from '../fields/usage.ts';
import type { Step, DoorUse } from '../../core/usage/usage.ts';
import type { Context } from '../context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string | bigint; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A day of UTC, such as `2030-12-05`. */
  Date: { input: string; output: string; }
  /** A moment in RFC 3339, in UTC, such as `2030-12-05T00:00:00.000Z`. Input may carry any offset. */
  DateTime: { input: Date; output: Date; }
};

/** What was added. */
export type AddedDomain = {
  __typename?: 'AddedDomain';
  /** The domain. */
  domain: Domain;
  /** The partner, if it was added too. */
  partner?: Maybe<Domain>;
};

/** An address that stands in for an apex domain's ALIAS. */
export type AddressRecordToCreate = {
  __typename?: 'AddressRecordToCreate';
  /** The label to enter at the registrar: always @. */
  name: Scalars['String']['output'];
  /** The time to live in seconds. */
  ttl: Scalars['Int']['output'];
  /** A or AAAA. */
  type: Scalars['String']['output'];
  /** The address to enter. */
  value: Scalars['String']['output'];
  /** The whole record as a line of a zone file. */
  zoneLine: Scalars['String']['output'];
};

/** A credential of the project. The secret itself is shown once, on issue, and stored nowhere. */
export type ApiKey = Node & {
  __typename?: 'ApiKey';
  /** When it was issued. */
  createdAt: Scalars['DateTime']['output'];
  /** Whether it is the key of this very request. */
  current: Scalars['Boolean']['output'];
  /** Its calls of deprecated operations, over REST and GraphQL alike: what its owner has yet to move. */
  deprecatedUse: Array<DeprecatedUse>;
  /** When it ends by itself; null for never. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** Identifier for managing the key, such as `key_0192...`; no secret. */
  id: Scalars['ID']['output'];
  /** When it was last used, to within seconds; null if never. During a rotation's overlap it shows whether the old key is still in use. */
  lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The name its owner gave it. */
  name: Scalars['String']['output'];
  /** The secret's first characters, by which to recognise it. */
  prefix: Scalars['String']['output'];
  /** When it was revoked; null if it was not. */
  revokedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it was rotated, after which only what has not moved yet still uses it; null if it was not. */
  rotatedAt?: Maybe<Scalars['DateTime']['output']>;
  /** What it allows. */
  scopes: Array<Scope>;
  /** Whether it works. */
  state: ApiKeyState;
  /** The id of the key that took over from it in a rotation; null if none did. */
  successorId?: Maybe<Scalars['ID']['output']>;
  /** Its requests and refusals of the last days, today included, or of the last hours, by door. */
  usage: KeyUsage;
};


/** A credential of the project. The secret itself is shown once, on issue, and stored nowhere. */
export type ApiKeyUsageArgs = {
  days?: InputMaybe<Scalars['Int']['input']>;
  hours?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of API keys. */
export type ApiKeyConnection = {
  __typename?: 'ApiKeyConnection';
  /** The API keys with the cursor of each. */
  edges: Array<ApiKeyEdge>;
  /** The API keys alone. */
  nodes: Array<ApiKey>;
  /** Where the page stands. */
  pageInfo: PageInfo;
};

/** An API key on a page. */
export type ApiKeyEdge = {
  __typename?: 'ApiKeyEdge';
  /** The cursor of this one. */
  cursor: Scalars['String']['output'];
  /** An API key. */
  node: ApiKey;
};

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

/** The temporary refusal of a key that kept calling after it was refused. */
export type Ban = {
  __typename?: 'Ban';
  /** When the key works again. */
  endsAt: Scalars['DateTime']['output'];
  /** Seconds until then, rounded up. */
  retryAfterSeconds: Scalars['Int']['output'];
};

/** Who is calling. */
export type Caller = {
  __typename?: 'Caller';
  /** The calling key's first characters; null for the operator. */
  keyPrefix?: Maybe<Scalars['String']['output']>;
  /** Whether it is the operator of the service. */
  operator: Scalars['Boolean']['output'];
  /** The slug of the key's project; null for the operator. */
  projectSlug?: Maybe<Scalars['String']['output']>;
  /** What the key allows; empty for the operator, who is not bound by scopes. */
  scopes: Array<Scope>;
};

/** A name for the number that pets bear as their category. */
export type Category = Node & {
  __typename?: 'Category';
  /** The number that its pets bear, a 64-bit integer in decimal digits. */
  categoryId: Scalars['ID']['output'];
  /** Identifier of the category, such as `category_7`. */
  id: Scalars['ID']['output'];
  /** The category's name. */
  name: Scalars['String']['output'];
  /** How many pets bear its number. */
  petCount: Scalars['Int']['output'];
};

/** A page of categories. */
export type CategoryConnection = {
  __typename?: 'CategoryConnection';
  /** The categories with the cursor of each. */
  edges: Array<CategoryEdge>;
  /** The categories alone. */
  nodes: Array<Category>;
  /** Where the page stands. */
  pageInfo: PageInfo;
};

/** A category on a page. */
export type CategoryEdge = {
  __typename?: 'CategoryEdge';
  /** The cursor of this category, good for `after` and for REST's `cursor`. */
  cursor: Scalars['String']['output'];
  /** The category. */
  node: Category;
};

/** A freshly created project. */
export type CreatedProject = {
  __typename?: 'CreatedProject';
  /** Its first API key, with every scope. Its secret is shown this once. */
  owner: IssuedApiKey;
  /** The project. */
  project: Project;
};

/** A pet that is gone. */
export type DeletedPet = {
  __typename?: 'DeletedPet';
  /** The id that it had, to drop it from a cache; no other pet gets it. */
  petId: Scalars['ID']['output'];
};

/** A publication of the project with a configuration. */
export type Deploy = Node & {
  __typename?: 'Deploy';
  /** The configuration. */
  configuration: DeployConfiguration;
  /** When it was asked for. */
  createdAt: Scalars['DateTime']['output'];
  /** Whether it is the one in service. */
  current: Scalars['Boolean']['output'];
  /** Identifier of the deploy, such as `deploy_12`. A dry run recorded nothing: its id says so, is its own, and finds nothing. */
  id: Scalars['ID']['output'];
  /** What happened, line by line; a long log is cut, and says so. */
  log: Array<DeployLogLine>;
  /** The deploy whose configuration it brought back, if it was a rollback. */
  rollbackOf?: Maybe<Scalars['ID']['output']>;
  /** How it ended. */
  state: DeployState;
};

/** What a deploy puts into service. */
export type DeployConfiguration = {
  __typename?: 'DeployConfiguration';
  /** A description shown on that page. */
  description?: Maybe<Scalars['String']['output']>;
  /** How the custom domains are used. */
  domains: DomainsConfiguration;
  /** The title of the project's own reference page; null for the project's name. */
  title?: Maybe<Scalars['String']['output']>;
};

/** A page of deploys. */
export type DeployConnection = {
  __typename?: 'DeployConnection';
  /** The deploys with the cursor of each. */
  edges: Array<DeployEdge>;
  /** The deploys alone. */
  nodes: Array<Deploy>;
  /** Where the page stands. */
  pageInfo: PageInfo;
};

/** A deploy on a page. */
export type DeployEdge = {
  __typename?: 'DeployEdge';
  /** The cursor of this deploy. */
  cursor: Scalars['String']['output'];
  /** The deploy. */
  node: Deploy;
};

/** The weight of a log line. */
export type DeployLogLevel =
  /** Made the deploy fail. */
  | 'error'
  /** For information. */
  | 'info'
  /** Works, but deserves a look. */
  | 'warning';

/** A line of a deploy's log. */
export type DeployLogLine = {
  __typename?: 'DeployLogLine';
  /** When it was written. */
  at: Scalars['DateTime']['output'];
  /** Its weight. */
  level: DeployLogLevel;
  /** What it says. */
  message: Scalars['String']['output'];
};

/** How a deploy ended. */
export type DeployState =
  /** Was refused, and changed nothing. */
  | 'failed'
  /** Was put into service, or would have been in a dry run. */
  | 'succeeded';

/** Calls of one deprecated operation by one key. */
export type DeprecatedUse = {
  __typename?: 'DeprecatedUse';
  /** How often it was called. */
  count: Scalars['Float']['output'];
  /** The deprecated operation, such as `getPet`. */
  field: Scalars['String']['output'];
  /** When it was last called. */
  lastUsedAt: Scalars['DateTime']['output'];
};

/** A provider of DNS. */
export type DnsProvider = {
  __typename?: 'DnsProvider';
  /** Its name, such as Cloudflare. */
  name: Scalars['String']['output'];
  /** The page where records are edited. */
  url: Scalars['String']['output'];
};

/** A DNS record as it was found. */
export type DnsRecordFound = {
  __typename?: 'DnsRecordFound';
  /** The name that carries it. */
  name: Scalars['String']['output'];
  /** Its type, such as CNAME, A or CAA. */
  type: Scalars['String']['output'];
  /** Its value. */
  value: Scalars['String']['output'];
};

/** The DNS record to create at the registrar. */
export type DnsRecordToCreate = {
  __typename?: 'DnsRecordToCreate';
  /** What some DNS providers call the same type: ANAME for ALIAS; null for others. */
  alternativeType?: Maybe<Scalars['String']['output']>;
  /** The label to enter at the registrar; @ for the domain itself. */
  name: Scalars['String']['output'];
  /** The time to live in seconds. */
  ttl: Scalars['Int']['output'];
  /** CNAME, or ALIAS for an apex domain; TXT proves whose the name is. */
  type: Scalars['String']['output'];
  /** The value to enter, which must match exactly: the project's platform host, or its token. */
  value: Scalars['String']['output'];
  /** The whole record as a line of a zone file. */
  zoneLine: Scalars['String']['output'];
};

/** A custom host name of the project. */
export type Domain = Node & {
  __typename?: 'Domain';
  /** When it was added. */
  addedAt: Scalars['DateTime']['output'];
  /** For an apex whose DNS provider knows neither ALIAS nor ANAME: A and AAAA records, all to be created instead. Empty for other names, and where the operator promises no addresses. */
  addressRecords: Array<AddressRecordToCreate>;
  /** Whether it is an apex domain, one without a subdomain label. */
  apex: Scalars['Boolean']['output'];
  /** How its certificate stands. */
  certificate: DomainCertificateState;
  /** The certificate in use and what is under way about it; null before the first attempt. */
  certificateDetails?: Maybe<DomainCertificate>;
  /** The name as people write it, with its Unicode characters. */
  displayName: Scalars['String']['output'];
  /** Whether it is served. */
  host: DomainHostState;
  /** Identifier of the domain, such as `domain_0192...`. */
  id: Scalars['ID']['output'];
  /** The name as DNS knows it: lower case, punycode, without a final dot. */
  name: Scalars['String']['output'];
  /** A TXT record that proves the name to be the project's: needed where another project has claimed or held it (`ownership_required`), and stronger than any other record. */
  ownershipRecord: DnsRecordToCreate;
  /** The www or apex name that belongs to this one. */
  partner?: Maybe<DomainPartner>;
  /** Whether the project is known by it: the published configuration names it, or names none and it went live first. */
  primary: Scalars['Boolean']['output'];
  /** The slug of the project that it belongs to. */
  projectSlug: Scalars['String']['output'];
  /** The DNS record to create at the registrar. */
  record: DnsRecordToCreate;
  /** Where the published configuration redirects it; null if it does not. */
  redirect?: Maybe<DomainRedirect>;
  /** Until when it is still served although it has drifted, or although the plan has no domains any more; null where no end is in sight. */
  servedUntil?: Maybe<Scalars['DateTime']['output']>;
  /** What the last look at DNS found; null before the first one. */
  verdict?: Maybe<DomainVerdict>;
  /** When its record was first found right; null if it never was. */
  verifiedAt?: Maybe<Scalars['DateTime']['output']>;
  /** From when `verifyDomain` may be asked again. */
  verifyAgainAt: Scalars['DateTime']['output'];
};

/** A domain's certificate and what is under way about it. */
export type DomainCertificate = {
  __typename?: 'DomainCertificate';
  /** Attempts since the last success. */
  attempts: Scalars['Int']['output'];
  /** Who issued it; null before it is issued. */
  issuer?: Maybe<Scalars['String']['output']>;
  /** When the next attempt starts; null if none is planned. */
  nextAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it ends; null before it is issued. */
  notAfter?: Maybe<Scalars['DateTime']['output']>;
  /** From when it is valid; null before it is issued. */
  notBefore?: Maybe<Scalars['DateTime']['output']>;
  /** What went wrong in the last attempt; null if nothing did. */
  problem?: Maybe<DomainCertificateProblem>;
  /** When its renewal is due; null if none is planned. */
  renewsAt?: Maybe<Scalars['DateTime']['output']>;
};

/** What keeps a certificate from being issued. */
export type DomainCertificateProblem = {
  __typename?: 'DomainCertificateProblem';
  /** The kind of problem. */
  code: DomainCertificateProblemCode;
  /** The problem in words, and what to do about it. */
  message: Scalars['String']['output'];
  /** The record in the way, such as the CAA record; null if none is. */
  recordInTheWay?: Maybe<DnsRecordFound>;
};

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

/** A page of domains. */
export type DomainConnection = {
  __typename?: 'DomainConnection';
  /** The domains with the cursor of each. */
  edges: Array<DomainEdge>;
  /** The domains alone. */
  nodes: Array<Domain>;
  /** Where the page stands. */
  pageInfo: PageInfo;
};

/** A domain on a page. */
export type DomainEdge = {
  __typename?: 'DomainEdge';
  /** The cursor of this one. */
  cursor: Scalars['String']['output'];
  /** A domain. */
  node: Domain;
};

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

/** The www or apex name that belongs to a domain. */
export type DomainPartner = {
  __typename?: 'DomainPartner';
  /** Whether it has been added to the project. */
  added: Scalars['Boolean']['output'];
  /** The partner's name. */
  name: Scalars['String']['output'];
  /** The DNS record it needs. */
  record: DnsRecordToCreate;
};

/** What has to be given before a domain can be added. */
export type DomainPreconditions = {
  __typename?: 'DomainPreconditions';
  /** A successful deploy. */
  deploy: Precondition;
  /** Whether everything is given. */
  met: Scalars['Boolean']['output'];
  /** A plan of pro or above. */
  plan: Precondition;
};

/** A redirect of one domain to another. */
export type DomainRedirect = {
  __typename?: 'DomainRedirect';
  /** The domain that redirects. */
  from: Scalars['String']['output'];
  /** The HTTP status: 301, 302, 307 or 308. */
  status: Scalars['Int']['output'];
  /** The domain it redirects to. */
  to: Scalars['String']['output'];
};

/** What a look at a domain's DNS found. */
export type DomainVerdict = {
  __typename?: 'DomainVerdict';
  /** The result. */
  code: DomainVerdictCode;
  /** Who runs the zone's name servers, and where its records are edited; null where that is not known. */
  dnsProvider?: Maybe<DnsProvider>;
  /** The values that were expected: the CNAME target, or for an apex the target's addresses; at most five. */
  expected: Array<Scalars['String']['output']>;
  /** The records found that bear on it; at most five. */
  found: Array<DnsRecordFound>;
  /** When DNS was asked. */
  lookedAt: Scalars['DateTime']['output'];
  /** The result in words, and what to do about it. */
  message: Scalars['String']['output'];
  /** When it is asked next without being told to; null if not. */
  nextLookAt?: Maybe<Scalars['DateTime']['output']>;
  /** The record that stands in the way; null if none does. */
  recordInTheWay?: Maybe<DnsRecordFound>;
};

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

/** How the custom domains are used. */
export type DomainsConfiguration = {
  __typename?: 'DomainsConfiguration';
  /** The domain named as the one the project is known by; null where the first live one is, or else the platform host. */
  primary?: Maybe<Scalars['String']['output']>;
  /** The redirects between the project's hosts. */
  redirects: Array<DomainRedirect>;
};

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

/** How many pets the store has. */
export type Inventory = {
  __typename?: 'Inventory';
  /** Pets that can be bought. */
  available: Scalars['Int']['output'];
  /** Pets that are spoken for. */
  pending: Scalars['Int']['output'];
  /** Pets that have found a home. */
  sold: Scalars['Int']['output'];
  /** All pets. */
  total: Scalars['Int']['output'];
  /** Pets without a status. */
  unset: Scalars['Int']['output'];
};

/** A freshly issued API key with its secret. */
export type IssuedApiKey = {
  __typename?: 'IssuedApiKey';
  /** The key. */
  apiKey: ApiKey;
  /** The secret to send as a bearer token. It is shown this once and cannot be had again. */
  secret: Scalars['String']['output'];
};

/** Requests and refusals of one API key over some days or hours. */
export type KeyUsage = {
  __typename?: 'KeyUsage';
  /** Each day, the oldest first, days without a request included; empty where hours were asked for. */
  days: Array<UsageDay>;
  /** Each door over all this time. */
  doors: Array<UsageByDoor>;
  /** Of the requests, those that the store itself failed (5xx). */
  failed: Scalars['Float']['output'];
  /** Of the requests, those answered with an error of the caller's (4xx). An operation with one such error counts whole. */
  faulty: Scalars['Float']['output'];
  /** Each hour, the oldest first, hours without a request included; empty where days were asked for. */
  hours: Array<UsageHour>;
  /** The key. */
  key: ApiKey;
  /** Requests refused for a limit or a ban in all this time. */
  refusals: Scalars['Float']['output'];
  /** Requests answered in all this time. */
  requests: Scalars['Float']['output'];
  /** Of the requests, those that got what they asked for. */
  served: Scalars['Float']['output'];
};

/** How many requests may be made. Both windows start with their first request. */
export type Limits = {
  __typename?: 'Limits';
  /** Custom domains at the same time; 0 where the plan has none. */
  domains: Scalars['Int']['output'];
  /** Management fields in a minute, on a budget of their own. */
  managementPerMinute: Scalars['Int']['output'];
  /** Requests in a day of 24 hours. */
  requestsPerDay: Scalars['Int']['output'];
  /** Requests in a minute. */
  requestsPerMinute: Scalars['Int']['output'];
};

/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type Mutation = {
  __typename?: 'Mutation';
  /** Adds a domain to the project and answers with the DNS record to create. Needs `project:write`, a plan of pro or above, and a successful deploy. */
  addDomain?: Maybe<AddedDomain>;
  /** Approves a placed order; `order_state` for one that went another way. Repeated, it answers with the order as it is. Needs `orders:write`. */
  approveOrder?: Maybe<Order>;
  /** Cancels a placed or approved order and gives its pet the status back that it had. Repeated, it answers with the order as it is. Needs `orders:write`. */
  cancelOrder?: Maybe<Order>;
  /** Adds a pet to the store. Needs `pets:write`. */
  createPet?: Maybe<Pet>;
  /** Creates a project with a first API key that has every scope. For operators. */
  createProject?: Maybe<CreatedProject>;
  /** Deletes a pet for good; `pet_not_found` where the project has none such any more. Needs `pets:write`. */
  deletePet?: Maybe<DeletedPet>;
  /** Delivers an approved order and makes its pet sold. Repeated, it answers with the order as it is. Needs `orders:write`. */
  deliverOrder?: Maybe<Order>;
  /** Publishes the project with a configuration, in service on every process within a second. A failed deploy changes nothing. Needs `project:write`. */
  deploy?: Maybe<Deploy>;
  /** Issues an API key and shows its secret once. Grants no scope that the calling key lacks. Needs `project:write`. */
  issueApiKey?: Maybe<IssuedApiKey>;
  /** Orders a pet that is available, or has no status, and makes it pending; `pet_not_available` for others. Needs `orders:write`. */
  placeOrder?: Maybe<Order>;
  /** Takes the name from a category; its pets keep the number. Needs `pets:write`. */
  removeCategory?: Maybe<RemovedCategory>;
  /** Stops serving a domain at once, on every process, and ends its certificate's renewal. Needs `project:write`. */
  removeDomain?: Maybe<RemovedDomain>;
  /** Gives a key another name. Needs `project:write`. */
  renameApiKey?: Maybe<ApiKey>;
  /** Ends what the certificate authority asked to be spared, in every process, and tries at once again for the certificates that waited. For operators. */
  resumeCertificates?: Maybe<ResumedCertificates>;
  /** Lets a suspended project's keys work again. For operators. */
  resumeProject?: Maybe<Project>;
  /** Looks the record up at once, as `verifyDomain` does, and starts a new attempt at the certificate. Needs `project:write`. */
  reverifyDomain?: Maybe<Domain>;
  /** Ends a key for good, in every process within a second. Revoking it again changes nothing. Needs `project:write`. */
  revokeApiKey?: Maybe<ApiKey>;
  /** Publishes the configuration of an earlier successful deploy again, as a new deploy. Needs `project:write`. */
  rollback?: Maybe<Deploy>;
  /** Replaces a key by a new one with the same name, scopes and expiry; the old one works on for an overlap. Needs `project:write` and every scope of the key. */
  rotateApiKey?: Maybe<IssuedApiKey>;
  /** Gives a category a name, or another one. Needs `pets:write`. */
  setCategory?: Maybe<Category>;
  /** Puts a project on a plan, effective within a second; what is already counted stays counted. For operators. */
  setPlan?: Maybe<Project>;
  /** Suspends a project: its keys are refused with `project_suspended` until it is resumed, and nothing is lost. For operators. */
  suspendProject?: Maybe<Project>;
  /** Changes what is given of a pet; `pet_not_found` where the project has none such. Needs `pets:write`. */
  updatePet?: Maybe<Pet>;
  /** Looks the domain's DNS record up at once, at most once in ten seconds, and lets the certificate be issued when it is right. Needs `project:write`. */
  verifyDomain?: Maybe<Domain>;
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationAddDomainArgs = {
  input: NewDomain;
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationApproveOrderArgs = {
  id: Scalars['ID']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationCancelOrderArgs = {
  id: Scalars['ID']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationCreatePetArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  input: NewPet;
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationCreateProjectArgs = {
  input: NewProject;
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationDeletePetArgs = {
  ifMatch?: InputMaybe<Scalars['String']['input']>;
  petId: Scalars['ID']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationDeliverOrderArgs = {
  id: Scalars['ID']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationDeployArgs = {
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
  input: NewDeploy;
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationIssueApiKeyArgs = {
  input: NewApiKey;
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationPlaceOrderArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  input: NewOrder;
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationRemoveCategoryArgs = {
  categoryId: Scalars['ID']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationRemoveDomainArgs = {
  id: Scalars['ID']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationRenameApiKeyArgs = {
  id: Scalars['ID']['input'];
  name: Scalars['String']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationResumeProjectArgs = {
  project: Scalars['String']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationReverifyDomainArgs = {
  id: Scalars['ID']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationRevokeApiKeyArgs = {
  id: Scalars['ID']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationRollbackArgs = {
  to: Scalars['ID']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationRotateApiKeyArgs = {
  id: Scalars['ID']['input'];
  overlapSeconds?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationSetCategoryArgs = {
  categoryId: Scalars['ID']['input'];
  name: Scalars['String']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationSetPlanArgs = {
  limits?: InputMaybe<NewLimits>;
  plan: PlanName;
  project: Scalars['String']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationSuspendProjectArgs = {
  project: Scalars['String']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationUpdatePetArgs = {
  ifMatch?: InputMaybe<Scalars['String']['input']>;
  input: PetChange;
  petId: Scalars['ID']['input'];
};


/**
 * What can be changed. What is done to pets, categories and orders costs one request of the plan's budget, shared with REST;
 * the other mutations draw on the management budget of 300 a minute and project.
 */
export type MutationVerifyDomainArgs = {
  id: Scalars['ID']['input'];
};

/** An API key to issue. */
export type NewApiKey = {
  /** When it shall end by itself; leave out for never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** A name by which to recognise it, 1 to 100 characters. */
  name: Scalars['String']['input'];
  /** The id of the project, which an operator must name; a key's own where it is left out. */
  projectId?: InputMaybe<Scalars['ID']['input']>;
  /** What it shall allow; at least one scope, and none that the calling key lacks. */
  scopes: Array<Scope>;
};

/** The configuration to publish. */
export type NewDeploy = {
  /** A description for that page, up to 1,000 characters. */
  description?: InputMaybe<Scalars['String']['input']>;
  /** How the custom domains shall be used. */
  domains?: InputMaybe<NewDomainsConfiguration>;
  /** The id of the project, which an operator must name; a key's own where it is left out. */
  projectId?: InputMaybe<Scalars['ID']['input']>;
  /** The title of the project's own reference page, up to 100 characters. */
  title?: InputMaybe<Scalars['String']['input']>;
};

/** A domain to add. */
export type NewDomain = {
  /** The name in any spelling: mixed case, Unicode, a final dot, a pasted address. */
  name: Scalars['String']['input'];
  /** The id of the project, which an operator must name; a key's own where it is left out. */
  projectId?: InputMaybe<Scalars['ID']['input']>;
  /** Adds the www or apex partner too, and publishes a redirect from it with a 301, which is in service on every process when the answer comes. Refused where the published configuration does not allow that redirect. */
  withPartner?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A redirect to publish. */
export type NewDomainRedirect = {
  /** The domain that shall redirect; never the primary one. */
  from: Scalars['String']['input'];
  /** The HTTP status: 301, 302, 307 or 308. */
  status?: InputMaybe<Scalars['Int']['input']>;
  /** The domain it shall redirect to; no other redirect may start there. */
  to: Scalars['String']['input'];
};

/** How the custom domains shall be used. */
export type NewDomainsConfiguration = {
  /** The domain the project shall be known by. */
  primary?: InputMaybe<Scalars['String']['input']>;
  /** The redirects between the project's hosts, at most 50. */
  redirects?: InputMaybe<Array<NewDomainRedirect>>;
};

/** The requests agreed with an enterprise project. */
export type NewLimits = {
  /** Requests in a day, no fewer than in a minute. */
  requestsPerDay: Scalars['Int']['input'];
  /** Requests in a minute, at least 1. */
  requestsPerMinute: Scalars['Int']['input'];
};

/** An order to place. */
export type NewOrder = {
  /** What is to be known of it, 1 to 1,000 characters. */
  note?: InputMaybe<Scalars['String']['input']>;
  /** The id of the pet. */
  petId: Scalars['ID']['input'];
  /** A name of your own for the order, 1 to 100 characters, unique in the project. */
  reference?: InputMaybe<Scalars['String']['input']>;
};

/** A pet to add. */
export type NewPet = {
  /** The category the animal belongs to: a 64-bit integer. Beyond 2^53 send it as a string, for JSON numbers are not exact there and are refused. */
  categoryId: Scalars['ID']['input'];
  /** The animal's name: 1 to 255 characters, surrounding blanks removed. */
  name: Scalars['String']['input'];
  /** Whether it can be had; may be left unset. */
  status?: InputMaybe<PetStatus>;
};

/** A project to create. */
export type NewProject = {
  /** The numbers agreed with an enterprise project; required for `enterprise`, refused for the others. */
  limits?: InputMaybe<NewLimits>;
  /** The name for people, 1 to 100 characters; the slug if left out. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The plan to start on. */
  plan?: PlanName;
  /** The short name in addresses: 3 to 40 lower-case letters, digits and inner hyphens, starting with a letter. */
  slug: Scalars['String']['input'];
};

/**
 * What has an id of its own, unique over all types. A pet's id is its number; those of other types say what they are, such
 * as `deploy_12`.
 */
export type Node = {
  /** The id. */
  id: Scalars['ID']['output'];
};

/** A pet that somebody wants. It remembers the pet's name and category, whatever becomes of the pet. */
export type Order = Node & {
  __typename?: 'Order';
  /** When it was approved; null if it was not. */
  approvedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it was cancelled; null if it was not. */
  cancelledAt?: Maybe<Scalars['DateTime']['output']>;
  /** The pet's category when the order was placed, a 64-bit integer in decimal digits. */
  categoryId: Scalars['ID']['output'];
  /** When it was delivered; null if it was not. */
  deliveredAt?: Maybe<Scalars['DateTime']['output']>;
  /** Identifier of the order, such as `order_12`: REST's number behind the kind. */
  id: Scalars['ID']['output'];
  /** What was noted with it; null where nothing was. */
  note?: Maybe<Scalars['String']['output']>;
  /** The pet as it is now; null where it is gone. Needs `pets:read`. */
  pet?: Maybe<Pet>;
  /** The id of the pet. */
  petId: Scalars['ID']['output'];
  /** The pet's name when the order was placed. */
  petName: Scalars['String']['output'];
  /** When it was placed. */
  placedAt: Scalars['DateTime']['output'];
  /** The caller's own name for the order; null where it gave none. */
  reference?: Maybe<Scalars['String']['output']>;
  /** How far it has come. */
  status: OrderStatus;
};

/** A page of orders. */
export type OrderConnection = {
  __typename?: 'OrderConnection';
  /** The orders with the cursor of each. */
  edges: Array<OrderEdge>;
  /** The orders alone. */
  nodes: Array<Order>;
  /** Where the page stands. */
  pageInfo: PageInfo;
};

/** An order on a page. */
export type OrderEdge = {
  __typename?: 'OrderEdge';
  /** The cursor of this order, good for `after` and for REST's `cursor`. */
  cursor: Scalars['String']['output'];
  /** The order. */
  node: Order;
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

/** Where a page stands in the whole list. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** The cursor of the last item, from which the next page continues; null on an empty page. */
  endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether another page follows. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether the page was reached through a cursor, so that items stand before it. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first item; null on an empty page. */
  startCursor?: Maybe<Scalars['String']['output']>;
};

/** An animal of the store. */
export type Pet = Node & {
  __typename?: 'Pet';
  /** The category with its name; null where it has none. */
  category?: Maybe<Category>;
  /** The category the animal belongs to, a 64-bit integer in decimal digits. */
  categoryId: Scalars['ID']['output'];
  /** Names the pet as it is now, to be given back as `ifMatch`; REST's `ETag`. */
  etag: Scalars['String']['output'];
  /** Unique identifier, a 64-bit integer in decimal digits, assigned on creation. */
  id: Scalars['ID']['output'];
  /** The animal's name. */
  name: Scalars['String']['output'];
  /** Its orders, the newest first, in the price of the pet. Needs `orders:read`. */
  orders?: Maybe<OrderConnection>;
  /** Whether it can be had; null while unset. */
  status?: Maybe<PetStatus>;
};


/** An animal of the store. */
export type PetOrdersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** What to change of a pet; what is left out stays as it is. */
export type PetChange = {
  /** The category the animal belongs to from now on: a 64-bit integer, beyond 2^53 as a string. */
  categoryId?: InputMaybe<Scalars['ID']['input']>;
  /** The animal's new name: 1 to 255 characters, surrounding blanks removed. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** Whether it can be had from now on; null leaves it unset. */
  status?: InputMaybe<PetStatus>;
};

/** A page of pets. */
export type PetConnection = {
  __typename?: 'PetConnection';
  /** The pets with the cursor of each. */
  edges: Array<PetEdge>;
  /** The pets alone. */
  nodes: Array<Pet>;
  /** Where the page stands. */
  pageInfo: PageInfo;
};

/** A pet on a page. */
export type PetEdge = {
  __typename?: 'PetEdge';
  /** The cursor of this pet, good for `after` and for REST's `cursor`. */
  cursor: Scalars['String']['output'];
  /** The pet. */
  node: Pet;
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

/** What a project may use. */
export type Plan = Node & {
  __typename?: 'Plan';
  /** Whether custom domains may be added. */
  customDomains: Scalars['Boolean']['output'];
  /** Identifier of the plan, such as `plan_pro`. */
  id: Scalars['ID']['output'];
  /** The plan's name. */
  name: PlanName;
  /** Requests in a day; null where they are agreed with each project. */
  requestsPerDay?: Maybe<Scalars['Int']['output']>;
  /** Requests in a minute; null where they are agreed with each project. */
  requestsPerMinute?: Maybe<Scalars['Int']['output']>;
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

/** One thing that has to be given. */
export type Precondition = {
  __typename?: 'Precondition';
  /** The error code that adding a domain would answer with (`plan_required`, `deploy_required`); null when it is given. */
  code?: Maybe<ErrorCode>;
  /** How it stands and, when it is missing, the way out. */
  message: Scalars['String']['output'];
  /** Whether it is given. */
  met: Scalars['Boolean']['output'];
};

/** A store on the platform: it owns its pets, keys, plan, deploys and domains. */
export type Project = Node & {
  __typename?: 'Project';
  /** Its API keys, or what the filters leave of them, the newest first; revoked and expired ones are among them. */
  apiKeys: ApiKeyConnection;
  /** Where REST answers, {base_url} of the reference. */
  baseUrl: Scalars['String']['output'];
  /** The deploy that is in service; null before the first successful one. */
  currentDeploy?: Maybe<Deploy>;
  /** Its deploys, the newest first, a page at a time. */
  deploys: DeployConnection;
  /** One of its custom domains, by any spelling of the name. */
  domain?: Maybe<Domain>;
  /** Until when domains stay served although the plan no longer includes them; null while it does. */
  domainGraceEndsAt?: Maybe<Scalars['DateTime']['output']>;
  /** What has to be given before a domain can be added, as a checklist. */
  domainPreconditions: DomainPreconditions;
  /** Its custom domains by name. */
  domains: DomainConnection;
  /** Identifier of the project, such as `project_acme`. */
  id: Scalars['ID']['output'];
  /** The requests it may make; on `enterprise` the numbers agreed with it. */
  limits: Limits;
  /** The project's name for people. */
  name: Scalars['String']['output'];
  /** Its pets by ascending id, a page at a time. Needs `pets:read`, and a key of the project. */
  pets?: Maybe<PetConnection>;
  /** The plan the project is on. */
  plan: Plan;
  /** The project's default host, and the value that its domains' CNAME records must show exactly. */
  platformHost: Scalars['String']['output'];
  /** What is left of its request budget; to an operator without a ban, which is a key's. */
  rateLimit: RateLimit;
  /** The project's short name in addresses, unique on the platform. */
  slug: Scalars['String']['output'];
  /** Whether an operator has suspended the project. */
  suspended: Scalars['Boolean']['output'];
  /** Its requests and refusals of the last days, today included, or of the last hours, by door and by key. */
  usage: Usage;
};


/** A store on the platform: it owns its pets, keys, plan, deploys and domains. */
export type ProjectApiKeysArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  endsBefore?: InputMaybe<Scalars['DateTime']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
  states?: InputMaybe<Array<ApiKeyState>>;
};


/** A store on the platform: it owns its pets, keys, plan, deploys and domains. */
export type ProjectDeploysArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** A store on the platform: it owns its pets, keys, plan, deploys and domains. */
export type ProjectDomainArgs = {
  name: Scalars['String']['input'];
};


/** A store on the platform: it owns its pets, keys, plan, deploys and domains. */
export type ProjectDomainsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** A store on the platform: it owns its pets, keys, plan, deploys and domains. */
export type ProjectPetsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  categoryId?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<PetSort>;
  status?: InputMaybe<PetStatus>;
};


/** A store on the platform: it owns its pets, keys, plan, deploys and domains. */
export type ProjectUsageArgs = {
  days?: InputMaybe<Scalars['Int']['input']>;
  hours?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of projects. */
export type ProjectConnection = {
  __typename?: 'ProjectConnection';
  /** The projects with the cursor of each. */
  edges: Array<ProjectEdge>;
  /** The projects alone. */
  nodes: Array<Project>;
  /** Where the page stands. */
  pageInfo: PageInfo;
};

/** A project on a page. */
export type ProjectEdge = {
  __typename?: 'ProjectEdge';
  /** The cursor of this project. */
  cursor: Scalars['String']['output'];
  /** The project. */
  node: Project;
};

/** The orders of a list of projects. */
export type ProjectOrder =
  /** By requests in the last 30 days, the most first. */
  | 'most_used'
  /** By age, the newest first. */
  | 'newest'
  /** By age, the oldest first. */
  | 'oldest';

/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type Query = {
  __typename?: 'Query';
  /** The project's API keys, or what the filters leave of them, the newest first; revoked and expired ones are among them. Needs `project:read`. */
  apiKeys?: Maybe<ApiKeyConnection>;
  /** Who is calling, and what the key allows. Works with every key. */
  caller?: Maybe<Caller>;
  /** The categories that have a name, by ascending number, a page at a time. Needs `pets:read`. */
  categories?: Maybe<CategoryConnection>;
  /** One category by its number; `category_not_found` where it has no name. Needs `pets:read`. */
  category?: Maybe<Category>;
  /** The project's deploys, the newest first, a page at a time. Needs `project:read`. */
  deploys?: Maybe<DeployConnection>;
  /** One custom domain of the project, by any spelling of its name; `domain_not_found` where there is none such. Needs `project:read`. */
  domain?: Maybe<Domain>;
  /** What has to be given before a domain can be added, as a checklist. Needs `project:read`. */
  domainPreconditions?: Maybe<DomainPreconditions>;
  /** The project's custom domains by name, or what the filters leave of them. Needs `project:read`. An operator sees those of all projects. */
  domains?: Maybe<DomainConnection>;
  /**
   * One pet by its id; `pet_not_found` where the project has none such. Needs `pets:read`.
   * @deprecated Is removed on 5 December 2030, and answers with the code `gone` from then on. Use `pets`, with its `status` filter.
   */
  getPet?: Maybe<Pet>;
  /** How many pets there are, by status; as quick for millions as for three. Needs `pets:read`. */
  inventory?: Maybe<Inventory>;
  /** Whatever bears this id, as Relay asks for it; null where the project has none such. Needs the scope that its kind needs. */
  node?: Maybe<Node>;
  /** One order by its id; `order_not_found` where the project has none such. Needs `orders:read`. */
  order?: Maybe<Order>;
  /** The project's orders, the newest first, a page at a time. Needs `orders:read`. */
  orders?: Maybe<OrderConnection>;
  /** The project's pets by ascending id, a page at a time. Needs `pets:read`. */
  pets?: Maybe<PetConnection>;
  /** All plans, the smallest first. Works with every key. */
  plans?: Maybe<Array<Plan>>;
  /** The project of the calling key. Needs `project:read`. */
  project?: Maybe<Project>;
  /** All projects, or what the filters leave of them, a page at a time. For operators. */
  projects?: Maybe<ProjectConnection>;
  /** Both windows of the request budget, and a ban with its end. Free 60 times a minute, then at the price of the other fields; works with every project's key, a banned one too. */
  rateLimit?: Maybe<RateLimit>;
  /** Requests and refusals of the last days, today included, or of the last hours, by door and by key. Needs `project:read`. */
  usage?: Maybe<Usage>;
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryApiKeysArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  endsBefore?: InputMaybe<Scalars['DateTime']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  search?: InputMaybe<Scalars['String']['input']>;
  states?: InputMaybe<Array<ApiKeyState>>;
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryCategoriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryCategoryArgs = {
  categoryId: Scalars['ID']['input'];
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryDeploysArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryDomainArgs = {
  name: Scalars['String']['input'];
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryDomainsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  certificate?: InputMaybe<DomainCertificateState>;
  first?: InputMaybe<Scalars['Int']['input']>;
  host?: InputMaybe<DomainHostState>;
  name?: InputMaybe<Scalars['String']['input']>;
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryGetPetArgs = {
  petId: Scalars['ID']['input'];
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryOrderArgs = {
  id: Scalars['ID']['input'];
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryOrdersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  petId?: InputMaybe<Scalars['ID']['input']>;
  reference?: InputMaybe<Scalars['String']['input']>;
  status?: InputMaybe<OrderStatus>;
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryPetsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  categoryId?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<PetSort>;
  status?: InputMaybe<PetStatus>;
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryProjectArgs = {
  slug?: InputMaybe<Scalars['String']['input']>;
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryProjectsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<ProjectOrder>;
  plan?: InputMaybe<PlanName>;
  search?: InputMaybe<Scalars['String']['input']>;
  suspended?: InputMaybe<Scalars['Boolean']['input']>;
};


/**
 * What can be read. `pets`, `getPet`, `inventory`, `categories`, `category`, `orders`, `order` and the `node` of a pet, a category or an
 * order cost one request each of the plan's budget, shared with REST, `pets` also within a project; what is asked of a pet is in its price. The other root fields, looks at the schema included, and the lists of a project draw on a budget of their
 * own (300 a minute and project), and `rateLimit` is free at a fair pace.
 *
 * A root field that fails is null, and the others keep their answers.
 */
export type QueryUsageArgs = {
  days?: InputMaybe<Scalars['Int']['input']>;
  hours?: InputMaybe<Scalars['Int']['input']>;
};

/** What is left of the request budget, which REST and GraphQL share. */
export type RateLimit = Node & {
  __typename?: 'RateLimit';
  /** The calling key's ban; null while there is none, and for operators. */
  ban?: Maybe<Ban>;
  /** The window of a day. */
  day: RateLimitWindow;
  /** Identifier of the project's budget, such as `budget_acme`. */
  id: Scalars['ID']['output'];
  /** The minute of the management budget. */
  management: RateLimitWindow;
  /** The window of a minute. */
  minute: RateLimitWindow;
  /** The plan from which the limits come. */
  plan: PlanName;
};

/** A window in which requests are counted, from the first one on. */
export type RateLimitWindow = {
  __typename?: 'RateLimitWindow';
  /** Requests allowed in the window. */
  limit: Scalars['Int']['output'];
  /** Requests left in it. */
  remaining: Scalars['Int']['output'];
  /** When it ends and counting starts anew. */
  resetAt: Scalars['DateTime']['output'];
};

/** What was removed. */
export type RemovedCategory = {
  __typename?: 'RemovedCategory';
  /** The id that the category had, to drop it from a cache. */
  removedId: Scalars['ID']['output'];
};

/** What was removed. */
export type RemovedDomain = {
  __typename?: 'RemovedDomain';
  /** The id that the domain had, to drop it from a cache. */
  domainId: Scalars['ID']['output'];
  /** The name that is no longer served. */
  name: Scalars['String']['output'];
  /** What to do next: the CNAME record that stays behind at the registrar should go too. */
  note: Scalars['String']['output'];
};

/** What it meant to go on with certificates. */
export type ResumedCertificates = {
  __typename?: 'ResumedCertificates';
  /** How many certificates waited for that, and are tried again at once. */
  certificates: Scalars['Int']['output'];
  /** How many pauses have ended: of names, of registered domains and of the account. */
  pauses: Scalars['Int']['output'];
};

/** What an API key allows. */
export type Scope =
  /** Read orders (`orders:read`). */
  | 'orders:read'
  /** Place, approve, deliver and cancel orders (`orders:write`). */
  | 'orders:write'
  /** Read pets (`pets:read`). */
  | 'pets:read'
  /** Add and change pets, and name categories (`pets:write`). */
  | 'pets:write'
  /** Read the project, its usage, keys, deploys and domains (`project:read`). */
  | 'project:read'
  /** Change keys, deploys and domains (`project:write`). */
  | 'project:write';

/**
 * Requests of the plan's budget over some days or hours: whole numbers, too large for `Int`. A request is counted within
 * seconds after its answer. Of days from before these were counted, all requests are shown as served, and as no key's.
 */
export type Usage = {
  __typename?: 'Usage';
  /** Each day, the oldest first, days without a request included; empty where hours were asked for. */
  days: Array<UsageDay>;
  /** Each door over all this time. */
  doors: Array<UsageByDoor>;
  /** Of the requests, those that the store itself failed (5xx). */
  failed: Scalars['Float']['output'];
  /** Of the requests, those answered with an error of the caller's (4xx). An operation with one such error counts whole. */
  faulty: Scalars['Float']['output'];
  /** Each hour, the oldest first, hours without a request included; empty where days were asked for. */
  hours: Array<UsageHour>;
  /** The keys that were used most in this time, each on its own, revoked and expired ones among them. */
  keys: Array<KeyUsage>;
  /** Requests refused for a limit or a ban in all this time. */
  refusals: Scalars['Float']['output'];
  /** Requests answered in all this time. */
  requests: Scalars['Float']['output'];
  /** Of the requests, those that got what they asked for. */
  served: Scalars['Float']['output'];
};


/**
 * Requests of the plan's budget over some days or hours: whole numbers, too large for `Int`. A request is counted within
 * seconds after its answer. Of days from before these were counted, all requests are shown as served, and as no key's.
 */
export type UsageKeysArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** Requests and refusals through one door. */
export type UsageByDoor = {
  __typename?: 'UsageByDoor';
  /** The door. */
  door: Door;
  /** Of the requests, those that the store itself failed (5xx). */
  failed: Scalars['Float']['output'];
  /** Of the requests, those answered with an error of the caller's (4xx). An operation with one such error counts whole. */
  faulty: Scalars['Float']['output'];
  /** Requests refused for a limit or a ban. */
  refusals: Scalars['Float']['output'];
  /** Requests answered. */
  requests: Scalars['Float']['output'];
  /** Of the requests, those that got what they asked for. */
  served: Scalars['Float']['output'];
};

/** Requests and refusals of one day. */
export type UsageDay = {
  __typename?: 'UsageDay';
  /** The day. */
  date: Scalars['Date']['output'];
  /** The same by door. */
  doors: Array<UsageByDoor>;
  /** Of the requests, those that the store itself failed (5xx). */
  failed: Scalars['Float']['output'];
  /** Of the requests, those answered with an error of the caller's (4xx). An operation with one such error counts whole. */
  faulty: Scalars['Float']['output'];
  /** Requests refused for a limit or a ban. */
  refusals: Scalars['Float']['output'];
  /** Requests answered. */
  requests: Scalars['Float']['output'];
  /** Of the requests, those that got what they asked for. */
  served: Scalars['Float']['output'];
};

/** Requests and refusals of one hour. */
export type UsageHour = {
  __typename?: 'UsageHour';
  /** When the hour began. */
  at: Scalars['DateTime']['output'];
  /** The same by door. */
  doors: Array<UsageByDoor>;
  /** Of the requests, those that the store itself failed (5xx). */
  failed: Scalars['Float']['output'];
  /** Of the requests, those answered with an error of the caller's (4xx). An operation with one such error counts whole. */
  faulty: Scalars['Float']['output'];
  /** Requests refused for a limit or a ban. */
  refusals: Scalars['Float']['output'];
  /** Requests answered. */
  requests: Scalars['Float']['output'];
  /** Of the requests, those that got what they asked for. */
  served: Scalars['Float']['output'];
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;




/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node:
    | ( StoredApiKey )
    | ( StoredCategory )
    | ( ShownDeploy )
    | ( ProjectDomain )
    | ( StoredOrder )
    | ( StoredPet )
    | ( StoredPlan )
    | ( StoredProject )
    | ( RateLimit )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AddedDomain: ResolverTypeWrapper<Omit<AddedDomain, 'domain' | 'partner'> & { domain: ResolversTypes['Domain'], partner?: Maybe<ResolversTypes['Domain']> }>;
  AddressRecordToCreate: ResolverTypeWrapper<AddressRecordToCreate>;
  ApiKey: ResolverTypeWrapper<StoredApiKey>;
  ApiKeyConnection: ResolverTypeWrapper<Omit<ApiKeyConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['ApiKeyEdge']>, nodes: Array<ResolversTypes['ApiKey']> }>;
  ApiKeyEdge: ResolverTypeWrapper<Omit<ApiKeyEdge, 'node'> & { node: ResolversTypes['ApiKey'] }>;
  ApiKeyState: ApiKeyState;
  Ban: ResolverTypeWrapper<Ban>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Caller: ResolverTypeWrapper<Omit<Caller, 'scopes'> & { scopes: Array<ResolversTypes['Scope']> }>;
  Category: ResolverTypeWrapper<StoredCategory>;
  CategoryConnection: ResolverTypeWrapper<Omit<CategoryConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['CategoryEdge']>, nodes: Array<ResolversTypes['Category']> }>;
  CategoryEdge: ResolverTypeWrapper<Omit<CategoryEdge, 'node'> & { node: ResolversTypes['Category'] }>;
  CreatedProject: ResolverTypeWrapper<Omit<CreatedProject, 'owner' | 'project'> & { owner: ResolversTypes['IssuedApiKey'], project: ResolversTypes['Project'] }>;
  Date: ResolverTypeWrapper<Scalars['Date']['output']>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  DeletedPet: ResolverTypeWrapper<DeletedPet>;
  Deploy: ResolverTypeWrapper<ShownDeploy>;
  DeployConfiguration: ResolverTypeWrapper<DeployConfiguration>;
  DeployConnection: ResolverTypeWrapper<Omit<DeployConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['DeployEdge']>, nodes: Array<ResolversTypes['Deploy']> }>;
  DeployEdge: ResolverTypeWrapper<Omit<DeployEdge, 'node'> & { node: ResolversTypes['Deploy'] }>;
  DeployLogLevel: DeployLogLevel;
  DeployLogLine: ResolverTypeWrapper<DeployLogLine>;
  DeployState: DeployState;
  DeprecatedUse: ResolverTypeWrapper<DeprecatedCalls>;
  DnsProvider: ResolverTypeWrapper<DnsProvider>;
  DnsRecordFound: ResolverTypeWrapper<DnsRecordFound>;
  DnsRecordToCreate: ResolverTypeWrapper<DnsRecordToCreate>;
  Domain: ResolverTypeWrapper<ProjectDomain>;
  DomainCertificate: ResolverTypeWrapper<DomainCertificate>;
  DomainCertificateProblem: ResolverTypeWrapper<DomainCertificateProblem>;
  DomainCertificateProblemCode: DomainCertificateProblemCode;
  DomainCertificateState: DomainCertificateState;
  DomainConnection: ResolverTypeWrapper<Omit<DomainConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['DomainEdge']>, nodes: Array<ResolversTypes['Domain']> }>;
  DomainEdge: ResolverTypeWrapper<Omit<DomainEdge, 'node'> & { node: ResolversTypes['Domain'] }>;
  DomainHostState: DomainHostState;
  DomainPartner: ResolverTypeWrapper<DomainPartner>;
  DomainPreconditions: ResolverTypeWrapper<DomainPreconditions>;
  DomainRedirect: ResolverTypeWrapper<DomainRedirect>;
  DomainVerdict: ResolverTypeWrapper<DomainVerdict>;
  DomainVerdictCode: DomainVerdictCode;
  DomainsConfiguration: ResolverTypeWrapper<DomainsConfiguration>;
  Door: Door;
  ErrorCode: ErrorCode;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  Inventory: ResolverTypeWrapper<Inventory>;
  IssuedApiKey: ResolverTypeWrapper<Omit<IssuedApiKey, 'apiKey'> & { apiKey: ResolversTypes['ApiKey'] }>;
  KeyUsage: ResolverTypeWrapper<ShownKeyUsage>;
  Limits: ResolverTypeWrapper<Limits>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NewApiKey: NewApiKey;
  NewDeploy: NewDeploy;
  NewDomain: NewDomain;
  NewDomainRedirect: NewDomainRedirect;
  NewDomainsConfiguration: NewDomainsConfiguration;
  NewLimits: NewLimits;
  NewOrder: NewOrder;
  NewPet: NewPet;
  NewProject: NewProject;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  Order: ResolverTypeWrapper<StoredOrder>;
  OrderConnection: ResolverTypeWrapper<Omit<OrderConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['OrderEdge']>, nodes: Array<ResolversTypes['Order']> }>;
  OrderEdge: ResolverTypeWrapper<Omit<OrderEdge, 'node'> & { node: ResolversTypes['Order'] }>;
  OrderStatus: OrderStatus;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Pet: ResolverTypeWrapper<StoredPet>;
  PetChange: PetChange;
  PetConnection: ResolverTypeWrapper<Omit<PetConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['PetEdge']>, nodes: Array<ResolversTypes['Pet']> }>;
  PetEdge: ResolverTypeWrapper<Omit<PetEdge, 'node'> & { node: ResolversTypes['Pet'] }>;
  PetSort: PetSort;
  PetStatus: PetStatus;
  Plan: ResolverTypeWrapper<StoredPlan>;
  PlanName: PlanName;
  Precondition: ResolverTypeWrapper<Precondition>;
  Project: ResolverTypeWrapper<StoredProject>;
  ProjectConnection: ResolverTypeWrapper<Omit<ProjectConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['ProjectEdge']>, nodes: Array<ResolversTypes['Project']> }>;
  ProjectEdge: ResolverTypeWrapper<Omit<ProjectEdge, 'node'> & { node: ResolversTypes['Project'] }>;
  ProjectOrder: ProjectOrder;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RateLimit: ResolverTypeWrapper<RateLimit>;
  RateLimitWindow: ResolverTypeWrapper<RateLimitWindow>;
  RemovedCategory: ResolverTypeWrapper<RemovedCategory>;
  RemovedDomain: ResolverTypeWrapper<RemovedDomain>;
  ResumedCertificates: ResolverTypeWrapper<ResumedCertificates>;
  Scope: ResolverTypeWrapper<ScopeName>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Usage: ResolverTypeWrapper<ShownUsage>;
  UsageByDoor: ResolverTypeWrapper<DoorUse>;
  UsageDay: ResolverTypeWrapper<Step>;
  UsageHour: ResolverTypeWrapper<Step>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AddedDomain: Omit<AddedDomain, 'domain' | 'partner'> & { domain: ResolversParentTypes['Domain'], partner?: Maybe<ResolversParentTypes['Domain']> };
  AddressRecordToCreate: AddressRecordToCreate;
  ApiKey: StoredApiKey;
  ApiKeyConnection: Omit<ApiKeyConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['ApiKeyEdge']>, nodes: Array<ResolversParentTypes['ApiKey']> };
  ApiKeyEdge: Omit<ApiKeyEdge, 'node'> & { node: ResolversParentTypes['ApiKey'] };
  Ban: Ban;
  Boolean: Scalars['Boolean']['output'];
  Caller: Caller;
  Category: StoredCategory;
  CategoryConnection: Omit<CategoryConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['CategoryEdge']>, nodes: Array<ResolversParentTypes['Category']> };
  CategoryEdge: Omit<CategoryEdge, 'node'> & { node: ResolversParentTypes['Category'] };
  CreatedProject: Omit<CreatedProject, 'owner' | 'project'> & { owner: ResolversParentTypes['IssuedApiKey'], project: ResolversParentTypes['Project'] };
  Date: Scalars['Date']['output'];
  DateTime: Scalars['DateTime']['output'];
  DeletedPet: DeletedPet;
  Deploy: ShownDeploy;
  DeployConfiguration: DeployConfiguration;
  DeployConnection: Omit<DeployConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['DeployEdge']>, nodes: Array<ResolversParentTypes['Deploy']> };
  DeployEdge: Omit<DeployEdge, 'node'> & { node: ResolversParentTypes['Deploy'] };
  DeployLogLine: DeployLogLine;
  DeprecatedUse: DeprecatedCalls;
  DnsProvider: DnsProvider;
  DnsRecordFound: DnsRecordFound;
  DnsRecordToCreate: DnsRecordToCreate;
  Domain: ProjectDomain;
  DomainCertificate: DomainCertificate;
  DomainCertificateProblem: DomainCertificateProblem;
  DomainConnection: Omit<DomainConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['DomainEdge']>, nodes: Array<ResolversParentTypes['Domain']> };
  DomainEdge: Omit<DomainEdge, 'node'> & { node: ResolversParentTypes['Domain'] };
  DomainPartner: DomainPartner;
  DomainPreconditions: DomainPreconditions;
  DomainRedirect: DomainRedirect;
  DomainVerdict: DomainVerdict;
  DomainsConfiguration: DomainsConfiguration;
  Float: Scalars['Float']['output'];
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  Inventory: Inventory;
  IssuedApiKey: Omit<IssuedApiKey, 'apiKey'> & { apiKey: ResolversParentTypes['ApiKey'] };
  KeyUsage: ShownKeyUsage;
  Limits: Limits;
  Mutation: Record<PropertyKey, never>;
  NewApiKey: NewApiKey;
  NewDeploy: NewDeploy;
  NewDomain: NewDomain;
  NewDomainRedirect: NewDomainRedirect;
  NewDomainsConfiguration: NewDomainsConfiguration;
  NewLimits: NewLimits;
  NewOrder: NewOrder;
  NewPet: NewPet;
  NewProject: NewProject;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  Order: StoredOrder;
  OrderConnection: Omit<OrderConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['OrderEdge']>, nodes: Array<ResolversParentTypes['Order']> };
  OrderEdge: Omit<OrderEdge, 'node'> & { node: ResolversParentTypes['Order'] };
  PageInfo: PageInfo;
  Pet: StoredPet;
  PetChange: PetChange;
  PetConnection: Omit<PetConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['PetEdge']>, nodes: Array<ResolversParentTypes['Pet']> };
  PetEdge: Omit<PetEdge, 'node'> & { node: ResolversParentTypes['Pet'] };
  Plan: StoredPlan;
  Precondition: Precondition;
  Project: StoredProject;
  ProjectConnection: Omit<ProjectConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['ProjectEdge']>, nodes: Array<ResolversParentTypes['Project']> };
  ProjectEdge: Omit<ProjectEdge, 'node'> & { node: ResolversParentTypes['Project'] };
  Query: Record<PropertyKey, never>;
  RateLimit: RateLimit;
  RateLimitWindow: RateLimitWindow;
  RemovedCategory: RemovedCategory;
  RemovedDomain: RemovedDomain;
  ResumedCertificates: ResumedCertificates;
  String: Scalars['String']['output'];
  Usage: ShownUsage;
  UsageByDoor: DoorUse;
  UsageDay: Step;
  UsageHour: Step;
};

export type ListSizeDirectiveArgs = {
  assumedSize?: Maybe<Scalars['Int']['input']>;
  sizedFields?: Maybe<Array<Scalars['String']['input']>>;
  slicingArguments?: Maybe<Array<Scalars['String']['input']>>;
};

export type ListSizeDirectiveResolver<Result, Parent, ContextType = Context, Args = ListSizeDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type MaxBytesDirectiveArgs = {
  value: Scalars['Int']['input'];
};

export type MaxBytesDirectiveResolver<Result, Parent, ContextType = Context, Args = MaxBytesDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AddedDomainResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AddedDomain'] = ResolversParentTypes['AddedDomain']> = {
  domain?: Resolver<ResolversTypes['Domain'], ParentType, ContextType>;
  partner?: Resolver<Maybe<ResolversTypes['Domain']>, ParentType, ContextType>;
};

export type AddressRecordToCreateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AddressRecordToCreate'] = ResolversParentTypes['AddressRecordToCreate']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ttl?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  zoneLine?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ApiKeyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiKey'] = ResolversParentTypes['ApiKey']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  current?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  deprecatedUse?: Resolver<Array<ResolversTypes['DeprecatedUse']>, ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  prefix?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  revokedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  rotatedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  scopes?: Resolver<Array<ResolversTypes['Scope']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['ApiKeyState'], ParentType, ContextType>;
  successorId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  usage?: Resolver<ResolversTypes['KeyUsage'], ParentType, ContextType, RequireFields<ApiKeyUsageArgs, 'days'>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ApiKeyConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiKeyConnection'] = ResolversParentTypes['ApiKeyConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ApiKeyEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['ApiKey']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ApiKeyEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiKeyEdge'] = ResolversParentTypes['ApiKeyEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType>;
};

export type BanResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Ban'] = ResolversParentTypes['Ban']> = {
  endsAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  retryAfterSeconds?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CallerResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Caller'] = ResolversParentTypes['Caller']> = {
  keyPrefix?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  operator?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  projectSlug?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  scopes?: Resolver<Array<ResolversTypes['Scope']>, ParentType, ContextType>;
};

export type CategoryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Category'] = ResolversParentTypes['Category']> = {
  categoryId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  petCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CategoryConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CategoryConnection'] = ResolversParentTypes['CategoryConnection']> = {
  edges?: Resolver<Array<ResolversTypes['CategoryEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Category']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type CategoryEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CategoryEdge'] = ResolversParentTypes['CategoryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Category'], ParentType, ContextType>;
};

export type CreatedProjectResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreatedProject'] = ResolversParentTypes['CreatedProject']> = {
  owner?: Resolver<ResolversTypes['IssuedApiKey'], ParentType, ContextType>;
  project?: Resolver<ResolversTypes['Project'], ParentType, ContextType>;
};

export interface DateScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Date'], any> {
  name: 'Date';
}

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DeletedPetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeletedPet'] = ResolversParentTypes['DeletedPet']> = {
  petId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type DeployResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Deploy'] = ResolversParentTypes['Deploy']> = {
  configuration?: Resolver<ResolversTypes['DeployConfiguration'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  current?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  log?: Resolver<Array<ResolversTypes['DeployLogLine']>, ParentType, ContextType>;
  rollbackOf?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['DeployState'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DeployConfigurationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeployConfiguration'] = ResolversParentTypes['DeployConfiguration']> = {
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  domains?: Resolver<ResolversTypes['DomainsConfiguration'], ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DeployConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeployConnection'] = ResolversParentTypes['DeployConnection']> = {
  edges?: Resolver<Array<ResolversTypes['DeployEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Deploy']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type DeployEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeployEdge'] = ResolversParentTypes['DeployEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Deploy'], ParentType, ContextType>;
};

export type DeployLogLineResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeployLogLine'] = ResolversParentTypes['DeployLogLine']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['DeployLogLevel'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DeprecatedUseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeprecatedUse'] = ResolversParentTypes['DeprecatedUse']> = {
  count?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  field?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastUsedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type DnsProviderResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DnsProvider'] = ResolversParentTypes['DnsProvider']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DnsRecordFoundResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DnsRecordFound'] = ResolversParentTypes['DnsRecordFound']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DnsRecordToCreateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DnsRecordToCreate'] = ResolversParentTypes['DnsRecordToCreate']> = {
  alternativeType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ttl?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  zoneLine?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DomainResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Domain'] = ResolversParentTypes['Domain']> = {
  addedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  addressRecords?: Resolver<Array<ResolversTypes['AddressRecordToCreate']>, ParentType, ContextType>;
  apex?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  certificate?: Resolver<ResolversTypes['DomainCertificateState'], ParentType, ContextType>;
  certificateDetails?: Resolver<Maybe<ResolversTypes['DomainCertificate']>, ParentType, ContextType>;
  displayName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  host?: Resolver<ResolversTypes['DomainHostState'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ownershipRecord?: Resolver<ResolversTypes['DnsRecordToCreate'], ParentType, ContextType>;
  partner?: Resolver<Maybe<ResolversTypes['DomainPartner']>, ParentType, ContextType>;
  primary?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  projectSlug?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  record?: Resolver<ResolversTypes['DnsRecordToCreate'], ParentType, ContextType>;
  redirect?: Resolver<Maybe<ResolversTypes['DomainRedirect']>, ParentType, ContextType>;
  servedUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  verdict?: Resolver<Maybe<ResolversTypes['DomainVerdict']>, ParentType, ContextType>;
  verifiedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  verifyAgainAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DomainCertificateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DomainCertificate'] = ResolversParentTypes['DomainCertificate']> = {
  attempts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  issuer?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nextAttemptAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  notAfter?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  notBefore?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  problem?: Resolver<Maybe<ResolversTypes['DomainCertificateProblem']>, ParentType, ContextType>;
  renewsAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type DomainCertificateProblemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DomainCertificateProblem'] = ResolversParentTypes['DomainCertificateProblem']> = {
  code?: Resolver<ResolversTypes['DomainCertificateProblemCode'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  recordInTheWay?: Resolver<Maybe<ResolversTypes['DnsRecordFound']>, ParentType, ContextType>;
};

export type DomainConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DomainConnection'] = ResolversParentTypes['DomainConnection']> = {
  edges?: Resolver<Array<ResolversTypes['DomainEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Domain']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type DomainEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DomainEdge'] = ResolversParentTypes['DomainEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Domain'], ParentType, ContextType>;
};

export type DomainPartnerResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DomainPartner'] = ResolversParentTypes['DomainPartner']> = {
  added?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  record?: Resolver<ResolversTypes['DnsRecordToCreate'], ParentType, ContextType>;
};

export type DomainPreconditionsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DomainPreconditions'] = ResolversParentTypes['DomainPreconditions']> = {
  deploy?: Resolver<ResolversTypes['Precondition'], ParentType, ContextType>;
  met?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  plan?: Resolver<ResolversTypes['Precondition'], ParentType, ContextType>;
};

export type DomainRedirectResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DomainRedirect'] = ResolversParentTypes['DomainRedirect']> = {
  from?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DomainVerdictResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DomainVerdict'] = ResolversParentTypes['DomainVerdict']> = {
  code?: Resolver<ResolversTypes['DomainVerdictCode'], ParentType, ContextType>;
  dnsProvider?: Resolver<Maybe<ResolversTypes['DnsProvider']>, ParentType, ContextType>;
  expected?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  found?: Resolver<Array<ResolversTypes['DnsRecordFound']>, ParentType, ContextType>;
  lookedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  nextLookAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  recordInTheWay?: Resolver<Maybe<ResolversTypes['DnsRecordFound']>, ParentType, ContextType>;
};

export type DomainsConfigurationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DomainsConfiguration'] = ResolversParentTypes['DomainsConfiguration']> = {
  primary?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  redirects?: Resolver<Array<ResolversTypes['DomainRedirect']>, ParentType, ContextType>;
};

export type InventoryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Inventory'] = ResolversParentTypes['Inventory']> = {
  available?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  pending?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  sold?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  unset?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type IssuedApiKeyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IssuedApiKey'] = ResolversParentTypes['IssuedApiKey']> = {
  apiKey?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType>;
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type KeyUsageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['KeyUsage'] = ResolversParentTypes['KeyUsage']> = {
  days?: Resolver<Array<ResolversTypes['UsageDay']>, ParentType, ContextType>;
  doors?: Resolver<Array<ResolversTypes['UsageByDoor']>, ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  faulty?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  hours?: Resolver<Array<ResolversTypes['UsageHour']>, ParentType, ContextType>;
  key?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType>;
  refusals?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  requests?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  served?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type LimitsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Limits'] = ResolversParentTypes['Limits']> = {
  domains?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  managementPerMinute?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  requestsPerDay?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  requestsPerMinute?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  addDomain?: Resolver<Maybe<ResolversTypes['AddedDomain']>, ParentType, ContextType, RequireFields<MutationAddDomainArgs, 'input'>>;
  approveOrder?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType, RequireFields<MutationApproveOrderArgs, 'id'>>;
  cancelOrder?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType, RequireFields<MutationCancelOrderArgs, 'id'>>;
  createPet?: Resolver<Maybe<ResolversTypes['Pet']>, ParentType, ContextType, RequireFields<MutationCreatePetArgs, 'input'>>;
  createProject?: Resolver<Maybe<ResolversTypes['CreatedProject']>, ParentType, ContextType, RequireFields<MutationCreateProjectArgs, 'input'>>;
  deletePet?: Resolver<Maybe<ResolversTypes['DeletedPet']>, ParentType, ContextType, RequireFields<MutationDeletePetArgs, 'petId'>>;
  deliverOrder?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType, RequireFields<MutationDeliverOrderArgs, 'id'>>;
  deploy?: Resolver<Maybe<ResolversTypes['Deploy']>, ParentType, ContextType, RequireFields<MutationDeployArgs, 'dryRun' | 'input'>>;
  issueApiKey?: Resolver<Maybe<ResolversTypes['IssuedApiKey']>, ParentType, ContextType, RequireFields<MutationIssueApiKeyArgs, 'input'>>;
  placeOrder?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType, RequireFields<MutationPlaceOrderArgs, 'input'>>;
  removeCategory?: Resolver<Maybe<ResolversTypes['RemovedCategory']>, ParentType, ContextType, RequireFields<MutationRemoveCategoryArgs, 'categoryId'>>;
  removeDomain?: Resolver<Maybe<ResolversTypes['RemovedDomain']>, ParentType, ContextType, RequireFields<MutationRemoveDomainArgs, 'id'>>;
  renameApiKey?: Resolver<Maybe<ResolversTypes['ApiKey']>, ParentType, ContextType, RequireFields<MutationRenameApiKeyArgs, 'id' | 'name'>>;
  resumeCertificates?: Resolver<Maybe<ResolversTypes['ResumedCertificates']>, ParentType, ContextType>;
  resumeProject?: Resolver<Maybe<ResolversTypes['Project']>, ParentType, ContextType, RequireFields<MutationResumeProjectArgs, 'project'>>;
  reverifyDomain?: Resolver<Maybe<ResolversTypes['Domain']>, ParentType, ContextType, RequireFields<MutationReverifyDomainArgs, 'id'>>;
  revokeApiKey?: Resolver<Maybe<ResolversTypes['ApiKey']>, ParentType, ContextType, RequireFields<MutationRevokeApiKeyArgs, 'id'>>;
  rollback?: Resolver<Maybe<ResolversTypes['Deploy']>, ParentType, ContextType, RequireFields<MutationRollbackArgs, 'to'>>;
  rotateApiKey?: Resolver<Maybe<ResolversTypes['IssuedApiKey']>, ParentType, ContextType, RequireFields<MutationRotateApiKeyArgs, 'id' | 'overlapSeconds'>>;
  setCategory?: Resolver<Maybe<ResolversTypes['Category']>, ParentType, ContextType, RequireFields<MutationSetCategoryArgs, 'categoryId' | 'name'>>;
  setPlan?: Resolver<Maybe<ResolversTypes['Project']>, ParentType, ContextType, RequireFields<MutationSetPlanArgs, 'plan' | 'project'>>;
  suspendProject?: Resolver<Maybe<ResolversTypes['Project']>, ParentType, ContextType, RequireFields<MutationSuspendProjectArgs, 'project'>>;
  updatePet?: Resolver<Maybe<ResolversTypes['Pet']>, ParentType, ContextType, RequireFields<MutationUpdatePetArgs, 'input' | 'petId'>>;
  verifyDomain?: Resolver<Maybe<ResolversTypes['Domain']>, ParentType, ContextType, RequireFields<MutationVerifyDomainArgs, 'id'>>;
};

export type NodeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'ApiKey' | 'Category' | 'Deploy' | 'Domain' | 'Order' | 'Pet' | 'Plan' | 'Project' | 'RateLimit', ParentType, ContextType>;
};

export type OrderResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Order'] = ResolversParentTypes['Order']> = {
  approvedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  cancelledAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  categoryId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  deliveredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  note?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pet?: Resolver<Maybe<ResolversTypes['Pet']>, ParentType, ContextType>;
  petId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  petName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  placedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  reference?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['OrderStatus'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type OrderConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OrderConnection'] = ResolversParentTypes['OrderConnection']> = {
  edges?: Resolver<Array<ResolversTypes['OrderEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Order']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type OrderEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OrderEdge'] = ResolversParentTypes['OrderEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Order'], ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Pet'] = ResolversParentTypes['Pet']> = {
  category?: Resolver<Maybe<ResolversTypes['Category']>, ParentType, ContextType>;
  categoryId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  etag?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  orders?: Resolver<Maybe<ResolversTypes['OrderConnection']>, ParentType, ContextType, RequireFields<PetOrdersArgs, 'first'>>;
  status?: Resolver<Maybe<ResolversTypes['PetStatus']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PetConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PetConnection'] = ResolversParentTypes['PetConnection']> = {
  edges?: Resolver<Array<ResolversTypes['PetEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Pet']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PetEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PetEdge'] = ResolversParentTypes['PetEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Pet'], ParentType, ContextType>;
};

export type PlanResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Plan'] = ResolversParentTypes['Plan']> = {
  customDomains?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['PlanName'], ParentType, ContextType>;
  requestsPerDay?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  requestsPerMinute?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PreconditionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Precondition'] = ResolversParentTypes['Precondition']> = {
  code?: Resolver<Maybe<ResolversTypes['ErrorCode']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  met?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ProjectResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Project'] = ResolversParentTypes['Project']> = {
  apiKeys?: Resolver<ResolversTypes['ApiKeyConnection'], ParentType, ContextType, RequireFields<ProjectApiKeysArgs, 'first'>>;
  baseUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  currentDeploy?: Resolver<Maybe<ResolversTypes['Deploy']>, ParentType, ContextType>;
  deploys?: Resolver<ResolversTypes['DeployConnection'], ParentType, ContextType, RequireFields<ProjectDeploysArgs, 'first'>>;
  domain?: Resolver<Maybe<ResolversTypes['Domain']>, ParentType, ContextType, RequireFields<ProjectDomainArgs, 'name'>>;
  domainGraceEndsAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  domainPreconditions?: Resolver<ResolversTypes['DomainPreconditions'], ParentType, ContextType>;
  domains?: Resolver<ResolversTypes['DomainConnection'], ParentType, ContextType, RequireFields<ProjectDomainsArgs, 'first'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  limits?: Resolver<ResolversTypes['Limits'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  pets?: Resolver<Maybe<ResolversTypes['PetConnection']>, ParentType, ContextType, RequireFields<ProjectPetsArgs, 'first' | 'sort'>>;
  plan?: Resolver<ResolversTypes['Plan'], ParentType, ContextType>;
  platformHost?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rateLimit?: Resolver<ResolversTypes['RateLimit'], ParentType, ContextType>;
  slug?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  suspended?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  usage?: Resolver<ResolversTypes['Usage'], ParentType, ContextType, RequireFields<ProjectUsageArgs, 'days'>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ProjectConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProjectConnection'] = ResolversParentTypes['ProjectConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ProjectEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Project']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ProjectEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProjectEdge'] = ResolversParentTypes['ProjectEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Project'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  apiKeys?: Resolver<Maybe<ResolversTypes['ApiKeyConnection']>, ParentType, ContextType, RequireFields<QueryApiKeysArgs, 'first'>>;
  caller?: Resolver<Maybe<ResolversTypes['Caller']>, ParentType, ContextType>;
  categories?: Resolver<Maybe<ResolversTypes['CategoryConnection']>, ParentType, ContextType, RequireFields<QueryCategoriesArgs, 'first'>>;
  category?: Resolver<Maybe<ResolversTypes['Category']>, ParentType, ContextType, RequireFields<QueryCategoryArgs, 'categoryId'>>;
  deploys?: Resolver<Maybe<ResolversTypes['DeployConnection']>, ParentType, ContextType, RequireFields<QueryDeploysArgs, 'first'>>;
  domain?: Resolver<Maybe<ResolversTypes['Domain']>, ParentType, ContextType, RequireFields<QueryDomainArgs, 'name'>>;
  domainPreconditions?: Resolver<Maybe<ResolversTypes['DomainPreconditions']>, ParentType, ContextType>;
  domains?: Resolver<Maybe<ResolversTypes['DomainConnection']>, ParentType, ContextType, RequireFields<QueryDomainsArgs, 'first'>>;
  getPet?: Resolver<Maybe<ResolversTypes['Pet']>, ParentType, ContextType, RequireFields<QueryGetPetArgs, 'petId'>>;
  inventory?: Resolver<Maybe<ResolversTypes['Inventory']>, ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<QueryNodeArgs, 'id'>>;
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType, RequireFields<QueryOrderArgs, 'id'>>;
  orders?: Resolver<Maybe<ResolversTypes['OrderConnection']>, ParentType, ContextType, RequireFields<QueryOrdersArgs, 'first'>>;
  pets?: Resolver<Maybe<ResolversTypes['PetConnection']>, ParentType, ContextType, RequireFields<QueryPetsArgs, 'first' | 'sort'>>;
  plans?: Resolver<Maybe<Array<ResolversTypes['Plan']>>, ParentType, ContextType>;
  project?: Resolver<Maybe<ResolversTypes['Project']>, ParentType, ContextType, Partial<QueryProjectArgs>>;
  projects?: Resolver<Maybe<ResolversTypes['ProjectConnection']>, ParentType, ContextType, RequireFields<QueryProjectsArgs, 'first' | 'order'>>;
  rateLimit?: Resolver<Maybe<ResolversTypes['RateLimit']>, ParentType, ContextType>;
  usage?: Resolver<Maybe<ResolversTypes['Usage']>, ParentType, ContextType, RequireFields<QueryUsageArgs, 'days'>>;
};

export type RateLimitResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RateLimit'] = ResolversParentTypes['RateLimit']> = {
  ban?: Resolver<Maybe<ResolversTypes['Ban']>, ParentType, ContextType>;
  day?: Resolver<ResolversTypes['RateLimitWindow'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  management?: Resolver<ResolversTypes['RateLimitWindow'], ParentType, ContextType>;
  minute?: Resolver<ResolversTypes['RateLimitWindow'], ParentType, ContextType>;
  plan?: Resolver<ResolversTypes['PlanName'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RateLimitWindowResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RateLimitWindow'] = ResolversParentTypes['RateLimitWindow']> = {
  limit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  remaining?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  resetAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type RemovedCategoryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RemovedCategory'] = ResolversParentTypes['RemovedCategory']> = {
  removedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type RemovedDomainResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RemovedDomain'] = ResolversParentTypes['RemovedDomain']> = {
  domainId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  note?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ResumedCertificatesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ResumedCertificates'] = ResolversParentTypes['ResumedCertificates']> = {
  certificates?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  pauses?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ScopeResolvers = { orders_read: 'orders:read', orders_write: 'orders:write', pets_read: 'pets:read', pets_write: 'pets:write', project_read: 'project:read', project_write: 'project:write' };

export type UsageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Usage'] = ResolversParentTypes['Usage']> = {
  days?: Resolver<Array<ResolversTypes['UsageDay']>, ParentType, ContextType>;
  doors?: Resolver<Array<ResolversTypes['UsageByDoor']>, ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  faulty?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  hours?: Resolver<Array<ResolversTypes['UsageHour']>, ParentType, ContextType>;
  keys?: Resolver<Array<ResolversTypes['KeyUsage']>, ParentType, ContextType, RequireFields<UsageKeysArgs, 'first'>>;
  refusals?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  requests?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  served?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type UsageByDoorResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UsageByDoor'] = ResolversParentTypes['UsageByDoor']> = {
  door?: Resolver<ResolversTypes['Door'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  faulty?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  refusals?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  requests?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  served?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type UsageDayResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UsageDay'] = ResolversParentTypes['UsageDay']> = {
  date?: Resolver<ResolversTypes['Date'], ParentType, ContextType>;
  doors?: Resolver<Array<ResolversTypes['UsageByDoor']>, ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  faulty?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  refusals?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  requests?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  served?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type UsageHourResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UsageHour'] = ResolversParentTypes['UsageHour']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  doors?: Resolver<Array<ResolversTypes['UsageByDoor']>, ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  faulty?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  refusals?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  requests?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  served?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type Resolvers<ContextType = Context> = {
  AddedDomain?: AddedDomainResolvers<ContextType>;
  AddressRecordToCreate?: AddressRecordToCreateResolvers<ContextType>;
  ApiKey?: ApiKeyResolvers<ContextType>;
  ApiKeyConnection?: ApiKeyConnectionResolvers<ContextType>;
  ApiKeyEdge?: ApiKeyEdgeResolvers<ContextType>;
  Ban?: BanResolvers<ContextType>;
  Caller?: CallerResolvers<ContextType>;
  Category?: CategoryResolvers<ContextType>;
  CategoryConnection?: CategoryConnectionResolvers<ContextType>;
  CategoryEdge?: CategoryEdgeResolvers<ContextType>;
  CreatedProject?: CreatedProjectResolvers<ContextType>;
  Date?: GraphQLScalarType;
  DateTime?: GraphQLScalarType;
  DeletedPet?: DeletedPetResolvers<ContextType>;
  Deploy?: DeployResolvers<ContextType>;
  DeployConfiguration?: DeployConfigurationResolvers<ContextType>;
  DeployConnection?: DeployConnectionResolvers<ContextType>;
  DeployEdge?: DeployEdgeResolvers<ContextType>;
  DeployLogLine?: DeployLogLineResolvers<ContextType>;
  DeprecatedUse?: DeprecatedUseResolvers<ContextType>;
  DnsProvider?: DnsProviderResolvers<ContextType>;
  DnsRecordFound?: DnsRecordFoundResolvers<ContextType>;
  DnsRecordToCreate?: DnsRecordToCreateResolvers<ContextType>;
  Domain?: DomainResolvers<ContextType>;
  DomainCertificate?: DomainCertificateResolvers<ContextType>;
  DomainCertificateProblem?: DomainCertificateProblemResolvers<ContextType>;
  DomainConnection?: DomainConnectionResolvers<ContextType>;
  DomainEdge?: DomainEdgeResolvers<ContextType>;
  DomainPartner?: DomainPartnerResolvers<ContextType>;
  DomainPreconditions?: DomainPreconditionsResolvers<ContextType>;
  DomainRedirect?: DomainRedirectResolvers<ContextType>;
  DomainVerdict?: DomainVerdictResolvers<ContextType>;
  DomainsConfiguration?: DomainsConfigurationResolvers<ContextType>;
  Inventory?: InventoryResolvers<ContextType>;
  IssuedApiKey?: IssuedApiKeyResolvers<ContextType>;
  KeyUsage?: KeyUsageResolvers<ContextType>;
  Limits?: LimitsResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  Order?: OrderResolvers<ContextType>;
  OrderConnection?: OrderConnectionResolvers<ContextType>;
  OrderEdge?: OrderEdgeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Pet?: PetResolvers<ContextType>;
  PetConnection?: PetConnectionResolvers<ContextType>;
  PetEdge?: PetEdgeResolvers<ContextType>;
  Plan?: PlanResolvers<ContextType>;
  Precondition?: PreconditionResolvers<ContextType>;
  Project?: ProjectResolvers<ContextType>;
  ProjectConnection?: ProjectConnectionResolvers<ContextType>;
  ProjectEdge?: ProjectEdgeResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  RateLimit?: RateLimitResolvers<ContextType>;
  RateLimitWindow?: RateLimitWindowResolvers<ContextType>;
  RemovedCategory?: RemovedCategoryResolvers<ContextType>;
  RemovedDomain?: RemovedDomainResolvers<ContextType>;
  ResumedCertificates?: ResumedCertificatesResolvers<ContextType>;
  Scope?: ScopeResolvers;
  Usage?: UsageResolvers<ContextType>;
  UsageByDoor?: UsageByDoorResolvers<ContextType>;
  UsageDay?: UsageDayResolvers<ContextType>;
  UsageHour?: UsageHourResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = Context> = {
  listSize?: ListSizeDirectiveResolver<any, any, ContextType>;
  maxBytes?: MaxBytesDirectiveResolver<any, any, ContextType>;
};
