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
  /** What it shall allow; at least one scope, and none that the calling key lacks. */
  scopes: Array<Scope>;
};

/** The requests agreed with an enterprise project. */
export type NewLimits = {
  /** Requests in a day, no fewer than in a minute. */
  requestsPerDay: number;
  /** Requests in a minute, at least 1. */
  requestsPerMinute: number;
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

/** What an API key allows. */
export type Scope =
  /** Read pets (`pets:read`). */
  | 'pets_read'
  /** Add pets (`pets:write`). */
  | 'pets_write'
  /** Read the project, its usage, keys, deploys and domains (`project:read`). */
  | 'project_read'
  /** Change keys, deploys and domains (`project:write`). */
  | 'project_write';

export type ProjectLineFragment = { slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } };

export type KeyLineFragment = { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, deprecatedUse: Array<{ field: string, count: number }> };

export type PetLineFragment = { id: string, name: string, categoryId: string, status: PetStatus | null };

export type ListProjectsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ListProjectsQuery = { projects: { nodes: Array<{ slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CreateProjectMutationVariables = Exact<{
  input: NewProject;
}>;


export type CreateProjectMutation = { createProject: { project: { slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } }, owner: { secret: string } } };

export type SetPlanMutationVariables = Exact<{
  project: string;
  plan: PlanName;
  limits?: NewLimits | null | undefined;
}>;


export type SetPlanMutation = { setPlan: { slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } } };

export type SuspendProjectMutationVariables = Exact<{
  project: string;
}>;


export type SuspendProjectMutation = { suspendProject: { slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } } };

export type ResumeProjectMutationVariables = Exact<{
  project: string;
}>;


export type ResumeProjectMutation = { resumeProject: { slug: string, name: string, platformHost: string, suspended: boolean, plan: { name: PlanName }, limits: { requestsPerMinute: number, requestsPerDay: number } } };

export type ListKeysQueryVariables = Exact<{
  project?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type ListKeysQuery = { apiKeys: Array<{ id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, deprecatedUse: Array<{ field: string, count: number }> }> };

export type IssueKeyMutationVariables = Exact<{
  project?: string | null | undefined;
  input: NewApiKey;
}>;


export type IssueKeyMutation = { issueApiKey: { secret: string, apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, deprecatedUse: Array<{ field: string, count: number }> } } };

export type RotateKeyMutationVariables = Exact<{
  project?: string | null | undefined;
  id: string;
  overlapSeconds?: number | null | undefined;
}>;


export type RotateKeyMutation = { rotateApiKey: { secret: string, apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, deprecatedUse: Array<{ field: string, count: number }> } } };

export type RevokeKeyMutationVariables = Exact<{
  project?: string | null | undefined;
  id: string;
}>;


export type RevokeKeyMutation = { revokeApiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, state: ApiKeyState, current: boolean, createdAt: string, expiresAt: string | null, lastUsedAt: string | null, deprecatedUse: Array<{ field: string, count: number }> } };

export type ListPetsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  status?: PetStatus | null | undefined;
}>;


export type ListPetsQuery = { pets: { nodes: Array<{ id: string, name: string, categoryId: string, status: PetStatus | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type AddPetMutationVariables = Exact<{
  input: NewPet;
  idempotencyKey?: string | null | undefined;
}>;


export type AddPetMutation = { createPet: { id: string, name: string, categoryId: string, status: PetStatus | null } };

export type LimitsQueryVariables = Exact<{ [key: string]: never; }>;


export type LimitsQuery = { rateLimit: { plan: PlanName, minute: { limit: number, remaining: number, resetAt: string }, day: { limit: number, remaining: number, resetAt: string }, management: { limit: number, remaining: number, resetAt: string }, ban: { endsAt: string, retryAfterSeconds: number } | null } };

export type UsageQueryVariables = Exact<{
  project?: string | null | undefined;
  days?: number | null | undefined;
}>;


export type UsageQuery = { usage: { requests: number, refusals: number, doors: Array<{ door: Door, requests: number, refusals: number }>, days: Array<{ date: string, requests: number, refusals: number, doors: Array<{ door: Door, requests: number, refusals: number }> }> } };

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
export const PetLineFragmentDoc = new TypedDocumentString(`
    fragment PetLine on Pet {
  id
  name
  categoryId
  status
}
    `, {"fragmentName":"PetLine"}) as unknown as TypedDocumentString<PetLineFragment, unknown>;
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
    query ListKeys($project: String, $after: ID) {
  apiKeys(project: $project, first: 100, after: $after) {
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
}`) as unknown as TypedDocumentString<ListKeysQuery, ListKeysQueryVariables>;
export const IssueKeyDocument = new TypedDocumentString(`
    mutation IssueKey($project: String, $input: NewApiKey!) {
  issueApiKey(project: $project, input: $input) {
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
    mutation RotateKey($project: String, $id: ID!, $overlapSeconds: Int) {
  rotateApiKey(project: $project, id: $id, overlapSeconds: $overlapSeconds) {
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
export const RevokeKeyDocument = new TypedDocumentString(`
    mutation RevokeKey($project: String, $id: ID!) {
  revokeApiKey(project: $project, id: $id) {
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
export const ListPetsDocument = new TypedDocumentString(`
    query ListPets($first: Int, $after: String, $status: PetStatus) {
  pets(first: $first, after: $after, status: $status) {
    nodes {
      ...PetLine
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment PetLine on Pet {
  id
  name
  categoryId
  status
}`) as unknown as TypedDocumentString<ListPetsQuery, ListPetsQueryVariables>;
export const AddPetDocument = new TypedDocumentString(`
    mutation AddPet($input: NewPet!, $idempotencyKey: String) {
  createPet(input: $input, idempotencyKey: $idempotencyKey) {
    ...PetLine
  }
}
    fragment PetLine on Pet {
  id
  name
  categoryId
  status
}`) as unknown as TypedDocumentString<AddPetMutation, AddPetMutationVariables>;
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
    query Usage($project: String, $days: Int) {
  usage(project: $project, days: $days) {
    requests
    refusals
    doors {
      door
      requests
      refusals
    }
    days {
      date
      requests
      refusals
      doors {
        door
        requests
        refusals
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UsageQuery, UsageQueryVariables>;