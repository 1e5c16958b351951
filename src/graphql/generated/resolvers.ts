import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Pet as StoredPet } from '../../core/pets.ts';
import type { Project as StoredProject } from '../../core/projects.ts';
import type { Plan as StoredPlan, ApiKey as StoredApiKey, DeprecatedUse as StoredDeprecatedUse } from '../../generated/prisma/client.ts';
import type { Scope as ScopeName } from '../../core/api-keys.ts';
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

/** A credential of the project. The secret itself is shown once, on issue, and stored nowhere. */
export type ApiKey = {
  __typename?: 'ApiKey';
  /** When it was issued. */
  createdAt: Scalars['DateTime']['output'];
  /** Whether it is the key of this very request. */
  current: Scalars['Boolean']['output'];
  /** Its calls of deprecated operations, over REST and GraphQL alike: what its owner has yet to move. */
  deprecatedUse: Array<DeprecatedUse>;
  /** When it ends by itself; null for never. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** Identifier for managing the key; no secret. */
  id: Scalars['ID']['output'];
  /** When it was last used, to within seconds; null if never. During a rotation's overlap it shows whether the old key is still in use. */
  lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The name its owner gave it. */
  name: Scalars['String']['output'];
  /** The secret's first characters, by which to recognise it. */
  prefix: Scalars['String']['output'];
  /** When it was revoked; null if it was not. */
  revokedAt?: Maybe<Scalars['DateTime']['output']>;
  /** What it allows. */
  scopes: Array<Scope>;
  /** Whether it works. */
  state: ApiKeyState;
  /** The id of the key that took over from it in a rotation; null if none did. */
  successorId?: Maybe<Scalars['ID']['output']>;
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

/** A freshly created project. */
export type CreatedProject = {
  __typename?: 'CreatedProject';
  /** Its first API key, with every scope. Its secret is shown this once. */
  owner: IssuedApiKey;
  /** The project. */
  project: Project;
};

/** Calls of one deprecated operation by one key. */
export type DeprecatedUse = {
  __typename?: 'DeprecatedUse';
  /** How often it was called. */
  count: Scalars['Int']['output'];
  /** The deprecated operation, such as `getPet`. */
  field: Scalars['String']['output'];
  /** When it was last called. */
  lastUsedAt: Scalars['DateTime']['output'];
};

/** The ways into the store. */
export type Door =
  /** The GraphQL interface at /graphql, counted by root fields. */
  | 'graphql'
  /** The REST interface at /v1. */
  | 'rest';

/** A freshly issued API key with its secret. */
export type IssuedApiKey = {
  __typename?: 'IssuedApiKey';
  /** The key. */
  apiKey: ApiKey;
  /** The secret to send as a bearer token. It is shown this once and cannot be had again. */
  secret: Scalars['String']['output'];
};

/** How many requests may be made. Both windows start with their first request. */
export type Limits = {
  __typename?: 'Limits';
  /** Management fields in a minute, on a budget of their own. */
  managementPerMinute: Scalars['Int']['output'];
  /** Requests in a day of 24 hours. */
  requestsPerDay: Scalars['Int']['output'];
  /** Requests in a minute. */
  requestsPerMinute: Scalars['Int']['output'];
};

/**
 * What can be changed. `createPet` costs one request of the plan's budget, shared with REST; the other
 * mutations draw on the management budget of 300 a minute and project.
 */
export type Mutation = {
  __typename?: 'Mutation';
  /** Adds a pet to the store. Needs `pets:write`. */
  createPet: Pet;
  /** Creates a project with a first API key that has every scope. For operators. */
  createProject: CreatedProject;
  /** Issues an API key and shows its secret once. Grants no scope that the calling key lacks. Needs `project:write`. */
  issueApiKey: IssuedApiKey;
  /** Gives a key another name. Needs `project:write`. */
  renameApiKey: ApiKey;
  /** Lets a suspended project's keys work again. For operators. */
  resumeProject: Project;
  /** Ends a key for good, in every process within a second. Revoking it again changes nothing. Needs `project:write`. */
  revokeApiKey: ApiKey;
  /** Replaces a key by a new one with the same name, scopes and expiry; the old one works on for an overlap. Needs `project:write` and every scope of the key. */
  rotateApiKey: IssuedApiKey;
  /** Puts a project on a plan, effective within a second; what is already counted stays counted. For operators. */
  setPlan: Project;
  /** Suspends a project: its keys are refused with `project_suspended` until it is resumed, and nothing is lost. For operators. */
  suspendProject: Project;
};


/**
 * What can be changed. `createPet` costs one request of the plan's budget, shared with REST; the other
 * mutations draw on the management budget of 300 a minute and project.
 */
export type MutationCreatePetArgs = {
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  input: NewPet;
};


/**
 * What can be changed. `createPet` costs one request of the plan's budget, shared with REST; the other
 * mutations draw on the management budget of 300 a minute and project.
 */
export type MutationCreateProjectArgs = {
  input: NewProject;
};


/**
 * What can be changed. `createPet` costs one request of the plan's budget, shared with REST; the other
 * mutations draw on the management budget of 300 a minute and project.
 */
export type MutationIssueApiKeyArgs = {
  input: NewApiKey;
  project?: InputMaybe<Scalars['String']['input']>;
};


/**
 * What can be changed. `createPet` costs one request of the plan's budget, shared with REST; the other
 * mutations draw on the management budget of 300 a minute and project.
 */
export type MutationRenameApiKeyArgs = {
  id: Scalars['ID']['input'];
  name: Scalars['String']['input'];
  project?: InputMaybe<Scalars['String']['input']>;
};


/**
 * What can be changed. `createPet` costs one request of the plan's budget, shared with REST; the other
 * mutations draw on the management budget of 300 a minute and project.
 */
export type MutationResumeProjectArgs = {
  project: Scalars['String']['input'];
};


/**
 * What can be changed. `createPet` costs one request of the plan's budget, shared with REST; the other
 * mutations draw on the management budget of 300 a minute and project.
 */
export type MutationRevokeApiKeyArgs = {
  id: Scalars['ID']['input'];
  project?: InputMaybe<Scalars['String']['input']>;
};


/**
 * What can be changed. `createPet` costs one request of the plan's budget, shared with REST; the other
 * mutations draw on the management budget of 300 a minute and project.
 */
export type MutationRotateApiKeyArgs = {
  id: Scalars['ID']['input'];
  overlapSeconds?: InputMaybe<Scalars['Int']['input']>;
  project?: InputMaybe<Scalars['String']['input']>;
};


/**
 * What can be changed. `createPet` costs one request of the plan's budget, shared with REST; the other
 * mutations draw on the management budget of 300 a minute and project.
 */
export type MutationSetPlanArgs = {
  limits?: InputMaybe<NewLimits>;
  plan: PlanName;
  project: Scalars['String']['input'];
};


/**
 * What can be changed. `createPet` costs one request of the plan's budget, shared with REST; the other
 * mutations draw on the management budget of 300 a minute and project.
 */
export type MutationSuspendProjectArgs = {
  project: Scalars['String']['input'];
};

/** An API key to issue. */
export type NewApiKey = {
  /** When it shall end by itself; leave out for never. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** A name by which to recognise it, 1 to 100 characters. */
  name: Scalars['String']['input'];
  /** What it shall allow; at least one scope, and none that the calling key lacks. */
  scopes: Array<Scope>;
};

/** The requests agreed with an enterprise project. */
export type NewLimits = {
  /** Requests in a day, no fewer than in a minute. */
  requestsPerDay: Scalars['Int']['input'];
  /** Requests in a minute, at least 1. */
  requestsPerMinute: Scalars['Int']['input'];
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
export type Pet = {
  __typename?: 'Pet';
  /** The category the animal belongs to, a 64-bit integer in decimal digits. */
  categoryId: Scalars['ID']['output'];
  /** Unique identifier, a 64-bit integer in decimal digits, assigned on creation. */
  id: Scalars['ID']['output'];
  /** The animal's name. */
  name: Scalars['String']['output'];
  /** Whether it can be had; null while unset. */
  status?: Maybe<PetStatus>;
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

/** Whether a pet can be had. */
export type PetStatus =
  /** Can be bought. */
  | 'available'
  /** Is spoken for. */
  | 'pending'
  /** Has found a home. */
  | 'sold';

/** What a project may use. */
export type Plan = {
  __typename?: 'Plan';
  /** Whether custom domains may be added. */
  customDomains: Scalars['Boolean']['output'];
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

/** A store on the platform: it owns its pets, keys, plan, deploys and domains. */
export type Project = {
  __typename?: 'Project';
  /** Where REST answers, {base_url} of the reference. */
  baseUrl: Scalars['String']['output'];
  /** The requests it may make; on `enterprise` the numbers agreed with it. */
  limits: Limits;
  /** The project's name for people. */
  name: Scalars['String']['output'];
  /** The plan the project is on. */
  plan: Plan;
  /** The project's default host, and the value that its domains' CNAME records must show exactly. */
  platformHost: Scalars['String']['output'];
  /** The project's short name in addresses, unique on the platform. */
  slug: Scalars['String']['output'];
  /** Whether an operator has suspended the project. */
  suspended: Scalars['Boolean']['output'];
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

/**
 * What can be read. `pets` and `getPet` cost one request each of the plan's budget, shared with REST.
 * The other fields draw on a budget of their own (300 a minute and project), and `rateLimit` is free.
 */
export type Query = {
  __typename?: 'Query';
  /** The project's API keys, the newest first, revoked and expired ones included. Needs `project:read`. */
  apiKeys: Array<ApiKey>;
  /** Who is calling, and what the key allows. Works with every key. */
  caller: Caller;
  /**
   * One pet by its id; `pet_not_found` where the project has none such. Needs `pets:read`.
   * @deprecated Is removed on 5 December 2030, and answers with the code `gone` from then on. Use `pets`, with its `status` filter.
   */
  getPet?: Maybe<Pet>;
  /** The project's pets by ascending id, a page at a time. Needs `pets:read`. */
  pets: PetConnection;
  /** All plans, the smallest first. Works with every key. */
  plans: Array<Plan>;
  /** The project of the calling key. Needs `project:read`. */
  project: Project;
  /** All projects by ascending age, a page at a time. For operators. */
  projects: ProjectConnection;
  /** Both windows of the request budget, and a ban with its end. Costs nothing; works with every project's key, a banned one too. */
  rateLimit: RateLimit;
  /** Requests and refusals of the last days, today included, by day and by door. Needs `project:read`. */
  usage: Usage;
};


/**
 * What can be read. `pets` and `getPet` cost one request each of the plan's budget, shared with REST.
 * The other fields draw on a budget of their own (300 a minute and project), and `rateLimit` is free.
 */
export type QueryApiKeysArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  project?: InputMaybe<Scalars['String']['input']>;
};


/**
 * What can be read. `pets` and `getPet` cost one request each of the plan's budget, shared with REST.
 * The other fields draw on a budget of their own (300 a minute and project), and `rateLimit` is free.
 */
export type QueryGetPetArgs = {
  petId: Scalars['ID']['input'];
};


/**
 * What can be read. `pets` and `getPet` cost one request each of the plan's budget, shared with REST.
 * The other fields draw on a budget of their own (300 a minute and project), and `rateLimit` is free.
 */
export type QueryPetsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  status?: InputMaybe<PetStatus>;
};


/**
 * What can be read. `pets` and `getPet` cost one request each of the plan's budget, shared with REST.
 * The other fields draw on a budget of their own (300 a minute and project), and `rateLimit` is free.
 */
export type QueryProjectArgs = {
  slug?: InputMaybe<Scalars['String']['input']>;
};


/**
 * What can be read. `pets` and `getPet` cost one request each of the plan's budget, shared with REST.
 * The other fields draw on a budget of their own (300 a minute and project), and `rateLimit` is free.
 */
export type QueryProjectsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * What can be read. `pets` and `getPet` cost one request each of the plan's budget, shared with REST.
 * The other fields draw on a budget of their own (300 a minute and project), and `rateLimit` is free.
 */
export type QueryUsageArgs = {
  days?: InputMaybe<Scalars['Int']['input']>;
  project?: InputMaybe<Scalars['String']['input']>;
};

/** What is left of the request budget, which REST and GraphQL share. */
export type RateLimit = {
  __typename?: 'RateLimit';
  /** The calling key's ban; null while there is none. */
  ban?: Maybe<Ban>;
  /** The window of a day. */
  day: RateLimitWindow;
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

/** What an API key allows. */
export type Scope =
  /** Read pets (`pets:read`). */
  | 'pets:read'
  /** Add pets (`pets:write`). */
  | 'pets:write'
  /** Read the project, its usage, keys, deploys and domains (`project:read`). */
  | 'project:read'
  /** Change keys, deploys and domains (`project:write`). */
  | 'project:write';

/** Requests and refusals over some days. */
export type Usage = {
  __typename?: 'Usage';
  /** Each day, the oldest first, days without a request included. */
  days: Array<UsageDay>;
  /** Each door over all these days. */
  doors: Array<UsageByDoor>;
  /** Requests refused for a limit or a ban in all these days. */
  refusals: Scalars['Int']['output'];
  /** Requests answered in all these days. */
  requests: Scalars['Int']['output'];
};

/** Requests and refusals through one door. */
export type UsageByDoor = {
  __typename?: 'UsageByDoor';
  /** The door. */
  door: Door;
  /** Requests refused for a limit or a ban. */
  refusals: Scalars['Int']['output'];
  /** Requests answered. */
  requests: Scalars['Int']['output'];
};

/** Requests and refusals of one day. */
export type UsageDay = {
  __typename?: 'UsageDay';
  /** The day. */
  date: Scalars['Date']['output'];
  /** The same by door. */
  doors: Array<UsageByDoor>;
  /** Requests refused for a limit or a ban. */
  refusals: Scalars['Int']['output'];
  /** Requests answered. */
  requests: Scalars['Int']['output'];
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





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  ApiKey: ResolverTypeWrapper<StoredApiKey>;
  ApiKeyState: ApiKeyState;
  Ban: ResolverTypeWrapper<Ban>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Caller: ResolverTypeWrapper<Omit<Caller, 'scopes'> & { scopes: Array<ResolversTypes['Scope']> }>;
  CreatedProject: ResolverTypeWrapper<Omit<CreatedProject, 'owner' | 'project'> & { owner: ResolversTypes['IssuedApiKey'], project: ResolversTypes['Project'] }>;
  Date: ResolverTypeWrapper<Scalars['Date']['output']>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  DeprecatedUse: ResolverTypeWrapper<StoredDeprecatedUse>;
  Door: Door;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  IssuedApiKey: ResolverTypeWrapper<Omit<IssuedApiKey, 'apiKey'> & { apiKey: ResolversTypes['ApiKey'] }>;
  Limits: ResolverTypeWrapper<Limits>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NewApiKey: NewApiKey;
  NewLimits: NewLimits;
  NewPet: NewPet;
  NewProject: NewProject;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Pet: ResolverTypeWrapper<StoredPet>;
  PetConnection: ResolverTypeWrapper<Omit<PetConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['PetEdge']>, nodes: Array<ResolversTypes['Pet']> }>;
  PetEdge: ResolverTypeWrapper<Omit<PetEdge, 'node'> & { node: ResolversTypes['Pet'] }>;
  PetStatus: PetStatus;
  Plan: ResolverTypeWrapper<StoredPlan>;
  PlanName: PlanName;
  Project: ResolverTypeWrapper<StoredProject>;
  ProjectConnection: ResolverTypeWrapper<Omit<ProjectConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['ProjectEdge']>, nodes: Array<ResolversTypes['Project']> }>;
  ProjectEdge: ResolverTypeWrapper<Omit<ProjectEdge, 'node'> & { node: ResolversTypes['Project'] }>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RateLimit: ResolverTypeWrapper<RateLimit>;
  RateLimitWindow: ResolverTypeWrapper<RateLimitWindow>;
  Scope: ResolverTypeWrapper<ScopeName>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Usage: ResolverTypeWrapper<Usage>;
  UsageByDoor: ResolverTypeWrapper<UsageByDoor>;
  UsageDay: ResolverTypeWrapper<UsageDay>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  ApiKey: StoredApiKey;
  Ban: Ban;
  Boolean: Scalars['Boolean']['output'];
  Caller: Caller;
  CreatedProject: Omit<CreatedProject, 'owner' | 'project'> & { owner: ResolversParentTypes['IssuedApiKey'], project: ResolversParentTypes['Project'] };
  Date: Scalars['Date']['output'];
  DateTime: Scalars['DateTime']['output'];
  DeprecatedUse: StoredDeprecatedUse;
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  IssuedApiKey: Omit<IssuedApiKey, 'apiKey'> & { apiKey: ResolversParentTypes['ApiKey'] };
  Limits: Limits;
  Mutation: Record<PropertyKey, never>;
  NewApiKey: NewApiKey;
  NewLimits: NewLimits;
  NewPet: NewPet;
  NewProject: NewProject;
  PageInfo: PageInfo;
  Pet: StoredPet;
  PetConnection: Omit<PetConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['PetEdge']>, nodes: Array<ResolversParentTypes['Pet']> };
  PetEdge: Omit<PetEdge, 'node'> & { node: ResolversParentTypes['Pet'] };
  Plan: StoredPlan;
  Project: StoredProject;
  ProjectConnection: Omit<ProjectConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['ProjectEdge']>, nodes: Array<ResolversParentTypes['Project']> };
  ProjectEdge: Omit<ProjectEdge, 'node'> & { node: ResolversParentTypes['Project'] };
  Query: Record<PropertyKey, never>;
  RateLimit: RateLimit;
  RateLimitWindow: RateLimitWindow;
  String: Scalars['String']['output'];
  Usage: Usage;
  UsageByDoor: UsageByDoor;
  UsageDay: UsageDay;
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
  scopes?: Resolver<Array<ResolversTypes['Scope']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['ApiKeyState'], ParentType, ContextType>;
  successorId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
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

export type DeprecatedUseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeprecatedUse'] = ResolversParentTypes['DeprecatedUse']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  field?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lastUsedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type IssuedApiKeyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IssuedApiKey'] = ResolversParentTypes['IssuedApiKey']> = {
  apiKey?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType>;
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type LimitsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Limits'] = ResolversParentTypes['Limits']> = {
  managementPerMinute?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  requestsPerDay?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  requestsPerMinute?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createPet?: Resolver<ResolversTypes['Pet'], ParentType, ContextType, RequireFields<MutationCreatePetArgs, 'input'>>;
  createProject?: Resolver<ResolversTypes['CreatedProject'], ParentType, ContextType, RequireFields<MutationCreateProjectArgs, 'input'>>;
  issueApiKey?: Resolver<ResolversTypes['IssuedApiKey'], ParentType, ContextType, RequireFields<MutationIssueApiKeyArgs, 'input'>>;
  renameApiKey?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType, RequireFields<MutationRenameApiKeyArgs, 'id' | 'name'>>;
  resumeProject?: Resolver<ResolversTypes['Project'], ParentType, ContextType, RequireFields<MutationResumeProjectArgs, 'project'>>;
  revokeApiKey?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType, RequireFields<MutationRevokeApiKeyArgs, 'id'>>;
  rotateApiKey?: Resolver<ResolversTypes['IssuedApiKey'], ParentType, ContextType, RequireFields<MutationRotateApiKeyArgs, 'id' | 'overlapSeconds'>>;
  setPlan?: Resolver<ResolversTypes['Project'], ParentType, ContextType, RequireFields<MutationSetPlanArgs, 'plan' | 'project'>>;
  suspendProject?: Resolver<ResolversTypes['Project'], ParentType, ContextType, RequireFields<MutationSuspendProjectArgs, 'project'>>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Pet'] = ResolversParentTypes['Pet']> = {
  categoryId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['PetStatus']>, ParentType, ContextType>;
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
  name?: Resolver<ResolversTypes['PlanName'], ParentType, ContextType>;
  requestsPerDay?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  requestsPerMinute?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ProjectResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Project'] = ResolversParentTypes['Project']> = {
  baseUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  limits?: Resolver<ResolversTypes['Limits'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  plan?: Resolver<ResolversTypes['Plan'], ParentType, ContextType>;
  platformHost?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  slug?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  suspended?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
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
  apiKeys?: Resolver<Array<ResolversTypes['ApiKey']>, ParentType, ContextType, RequireFields<QueryApiKeysArgs, 'first'>>;
  caller?: Resolver<ResolversTypes['Caller'], ParentType, ContextType>;
  getPet?: Resolver<Maybe<ResolversTypes['Pet']>, ParentType, ContextType, RequireFields<QueryGetPetArgs, 'petId'>>;
  pets?: Resolver<ResolversTypes['PetConnection'], ParentType, ContextType, RequireFields<QueryPetsArgs, 'first'>>;
  plans?: Resolver<Array<ResolversTypes['Plan']>, ParentType, ContextType>;
  project?: Resolver<ResolversTypes['Project'], ParentType, ContextType, Partial<QueryProjectArgs>>;
  projects?: Resolver<ResolversTypes['ProjectConnection'], ParentType, ContextType, RequireFields<QueryProjectsArgs, 'first'>>;
  rateLimit?: Resolver<ResolversTypes['RateLimit'], ParentType, ContextType>;
  usage?: Resolver<ResolversTypes['Usage'], ParentType, ContextType, RequireFields<QueryUsageArgs, 'days'>>;
};

export type RateLimitResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RateLimit'] = ResolversParentTypes['RateLimit']> = {
  ban?: Resolver<Maybe<ResolversTypes['Ban']>, ParentType, ContextType>;
  day?: Resolver<ResolversTypes['RateLimitWindow'], ParentType, ContextType>;
  management?: Resolver<ResolversTypes['RateLimitWindow'], ParentType, ContextType>;
  minute?: Resolver<ResolversTypes['RateLimitWindow'], ParentType, ContextType>;
  plan?: Resolver<ResolversTypes['PlanName'], ParentType, ContextType>;
};

export type RateLimitWindowResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RateLimitWindow'] = ResolversParentTypes['RateLimitWindow']> = {
  limit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  remaining?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  resetAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ScopeResolvers = { pets_read: 'pets:read', pets_write: 'pets:write', project_read: 'project:read', project_write: 'project:write' };

export type UsageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Usage'] = ResolversParentTypes['Usage']> = {
  days?: Resolver<Array<ResolversTypes['UsageDay']>, ParentType, ContextType>;
  doors?: Resolver<Array<ResolversTypes['UsageByDoor']>, ParentType, ContextType>;
  refusals?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  requests?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type UsageByDoorResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UsageByDoor'] = ResolversParentTypes['UsageByDoor']> = {
  door?: Resolver<ResolversTypes['Door'], ParentType, ContextType>;
  refusals?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  requests?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type UsageDayResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UsageDay'] = ResolversParentTypes['UsageDay']> = {
  date?: Resolver<ResolversTypes['Date'], ParentType, ContextType>;
  doors?: Resolver<Array<ResolversTypes['UsageByDoor']>, ParentType, ContextType>;
  refusals?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  requests?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type Resolvers<ContextType = Context> = {
  ApiKey?: ApiKeyResolvers<ContextType>;
  Ban?: BanResolvers<ContextType>;
  Caller?: CallerResolvers<ContextType>;
  CreatedProject?: CreatedProjectResolvers<ContextType>;
  Date?: GraphQLScalarType;
  DateTime?: GraphQLScalarType;
  DeprecatedUse?: DeprecatedUseResolvers<ContextType>;
  IssuedApiKey?: IssuedApiKeyResolvers<ContextType>;
  Limits?: LimitsResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Pet?: PetResolvers<ContextType>;
  PetConnection?: PetConnectionResolvers<ContextType>;
  PetEdge?: PetEdgeResolvers<ContextType>;
  Plan?: PlanResolvers<ContextType>;
  Project?: ProjectResolvers<ContextType>;
  ProjectConnection?: ProjectConnectionResolvers<ContextType>;
  ProjectEdge?: ProjectEdgeResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  RateLimit?: RateLimitResolvers<ContextType>;
  RateLimitWindow?: RateLimitWindowResolvers<ContextType>;
  Scope?: ScopeResolvers;
  Usage?: UsageResolvers<ContextType>;
  UsageByDoor?: UsageByDoorResolvers<ContextType>;
  UsageDay?: UsageDayResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = Context> = {
  listSize?: ListSizeDirectiveResolver<any, any, ContextType>;
  maxBytes?: MaxBytesDirectiveResolver<any, any, ContextType>;
};
