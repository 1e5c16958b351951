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

/** The ways into the store. */
export type Door =
  /** The GraphQL interface at /graphql, counted by root fields. */
  | 'graphql'
  /** The REST interface at /v1. */
  | 'rest';

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

export type RateLimitQueryVariables = Exact<{ [key: string]: never; }>;


export type RateLimitQuery = { rateLimit: { id: string, plan: PlanName, minute: { limit: number, remaining: number, resetAt: string }, day: { limit: number, remaining: number, resetAt: string }, management: { limit: number, remaining: number, resetAt: string }, ban: { endsAt: string, retryAfterSeconds: number } | null } | null };

export type WindowFragment = { limit: number, remaining: number, resetAt: string };

export type ProjectRateLimitQueryVariables = Exact<{
  project?: string | null | undefined;
}>;


export type ProjectRateLimitQuery = { project: { id: string, rateLimit: { id: string, plan: PlanName, minute: { limit: number, remaining: number, resetAt: string }, day: { limit: number, remaining: number, resetAt: string }, ban: { endsAt: string, retryAfterSeconds: number } | null } } | null };

export type OverviewQueryVariables = Exact<{
  project?: string | null | undefined;
  endsBefore: string;
}>;


export type OverviewQuery = { project: { id: string, slug: string, name: string, suspended: boolean, platformHost: string, baseUrl: string, limits: { domains: number, requestsPerMinute: number, requestsPerDay: number, managementPerMinute: number }, domains: { nodes: Array<{ id: string }> }, ending: { nodes: Array<{ id: string, name: string, expiresAt: string | null, state: ApiKeyState }> }, apiKeys: { nodes: Array<{ id: string, name: string, prefix: string, state: ApiKeyState, deprecatedUse: Array<{ field: string, count: number, lastUsedAt: string }> }> }, plan: { id: string, name: PlanName, customDomains: boolean } } | null };

export type InventoryQueryVariables = Exact<{ [key: string]: never; }>;


export type InventoryQuery = { inventory: { available: number, pending: number, sold: number, unset: number, total: number } | null };

export type SessionQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionQuery = { caller: { operator: boolean, scopes: Array<Scope>, keyPrefix: string | null, projectSlug: string | null } | null };

export type HeadFragment = { id: string, slug: string, name: string, suspended: boolean, platformHost: string, baseUrl: string, plan: { id: string, name: PlanName, customDomains: boolean }, limits: { requestsPerMinute: number, requestsPerDay: number, managementPerMinute: number } };

export type ProjectHeadQueryVariables = Exact<{
  project?: string | null | undefined;
}>;


export type ProjectHeadQuery = { project: { id: string, slug: string, name: string, suspended: boolean, platformHost: string, baseUrl: string, plan: { id: string, name: PlanName, customDomains: boolean }, limits: { requestsPerMinute: number, requestsPerDay: number, managementPerMinute: number } } | null };

export type DayFragment = { date: string, requests: number, refusals: number, served: number, faulty: number, failed: number };

export type HourFragment = { at: string, requests: number, refusals: number, served: number, faulty: number, failed: number };

export type ThroughFragment = { door: Door, requests: number, refusals: number, served: number, faulty: number, failed: number };

export type UsedByFragment = { requests: number, refusals: number, served: number, faulty: number, failed: number, key: { id: string, name: string, prefix: string } };

export type UsageQueryVariables = Exact<{
  days?: number | null | undefined;
  hours?: number | null | undefined;
  project?: string | null | undefined;
}>;


export type UsageQuery = { project: { id: string, usage: { requests: number, refusals: number, served: number, faulty: number, failed: number, days: Array<{ date: string, requests: number, refusals: number, served: number, faulty: number, failed: number }>, hours: Array<{ at: string, requests: number, refusals: number, served: number, faulty: number, failed: number }>, doors: Array<{ door: Door, requests: number, refusals: number, served: number, faulty: number, failed: number }>, keys: Array<{ requests: number, refusals: number, served: number, faulty: number, failed: number, key: { id: string, name: string, prefix: string } }> } } | null };

export const WindowFragmentDoc = gql`
    fragment Window on RateLimitWindow {
  limit
  remaining
  resetAt
}
    ` as unknown as DocumentNode<WindowFragment, unknown>;
export const HeadFragmentDoc = gql`
    fragment Head on Project {
  id
  slug
  name
  suspended
  platformHost
  baseUrl
  plan {
    id
    name
    customDomains
  }
  limits {
    requestsPerMinute
    requestsPerDay
    managementPerMinute
  }
}
    ` as unknown as DocumentNode<HeadFragment, unknown>;
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
export const UsedByFragmentDoc = gql`
    fragment UsedBy on KeyUsage {
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
}
    ` as unknown as DocumentNode<UsedByFragment, unknown>;
export const RateLimitDocument = gql`
    query RateLimit {
  rateLimit {
    id
    plan
    minute {
      ...Window
    }
    day {
      ...Window
    }
    management {
      ...Window
    }
    ban {
      endsAt
      retryAfterSeconds
    }
  }
}
    ${WindowFragmentDoc}` as unknown as DocumentNode<RateLimitQuery, RateLimitQueryVariables>;
export const ProjectRateLimitDocument = gql`
    query ProjectRateLimit($project: String) {
  project(slug: $project) {
    id
    rateLimit {
      id
      plan
      minute {
        ...Window
      }
      day {
        ...Window
      }
      ban {
        endsAt
        retryAfterSeconds
      }
    }
  }
}
    ${WindowFragmentDoc}` as unknown as DocumentNode<ProjectRateLimitQuery, ProjectRateLimitQueryVariables>;
export const OverviewDocument = gql`
    query Overview($project: String, $endsBefore: DateTime!) {
  project(slug: $project) {
    ...Head
    limits {
      domains
    }
    domains(first: 50) {
      nodes {
        id
      }
    }
    ending: apiKeys(
      first: 10
      states: [active, overlapping]
      endsBefore: $endsBefore
    ) {
      nodes {
        id
        name
        expiresAt
        state
      }
    }
    apiKeys {
      nodes {
        id
        name
        prefix
        state
        deprecatedUse {
          field
          count
          lastUsedAt
        }
      }
    }
  }
}
    ${HeadFragmentDoc}` as unknown as DocumentNode<OverviewQuery, OverviewQueryVariables>;
export const InventoryDocument = gql`
    query Inventory {
  inventory {
    available
    pending
    sold
    unset
    total
  }
}
    ` as unknown as DocumentNode<InventoryQuery, InventoryQueryVariables>;
export const SessionDocument = gql`
    query Session {
  caller {
    operator
    scopes
    keyPrefix
    projectSlug
  }
}
    ` as unknown as DocumentNode<SessionQuery, SessionQueryVariables>;
export const ProjectHeadDocument = gql`
    query ProjectHead($project: String) {
  project(slug: $project) {
    ...Head
  }
}
    ${HeadFragmentDoc}` as unknown as DocumentNode<ProjectHeadQuery, ProjectHeadQueryVariables>;
export const UsageDocument = gql`
    query Usage($days: Int, $hours: Int, $project: String) {
  project(slug: $project) {
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
      keys(first: 8) {
        ...UsedBy
      }
    }
  }
}
    ${DayFragmentDoc}
${HourFragmentDoc}
${ThroughFragmentDoc}
${UsedByFragmentDoc}` as unknown as DocumentNode<UsageQuery, UsageQueryVariables>;