import type { Plan, Project as ProjectRow } from '../generated/prisma/client.ts'
import { StoreError } from './errors.ts'

/** One store on the platform, with the data that every request to it needs. */
export type Project = {
  id: number
  slug: string
  name: string
  planName: string
  limits: Limits
  suspended: boolean
}

export type Limits = { perMinute: number; perDay: number }

/** Refuses requests to a suspended project, at REST and GraphQL alike. */
export function requireServed({ suspended }: Project): void {
  if (!suspended) return
  throw new StoreError('project_suspended', 'This project is suspended; its operator can resume it.')
}

export function toProject(row: ProjectRow & { plan: Plan }): Project {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    planName: row.planName,
    limits: {
      perMinute: row.requestsPerMinute ?? row.plan.requestsPerMinute ?? 0,
      perDay: row.requestsPerDay ?? row.plan.requestsPerDay ?? 0,
    },
    suspended: row.suspendedAt !== null,
  }
}
