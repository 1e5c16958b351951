import type { Place } from '../../app/router.tsx'
import type { ActivityRowFragment } from '../../generated/pages/graphql.ts'
import { utcDate } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'

type Entry = Pick<ActivityRowFragment, 'type' | 'subject' | 'data' | 'previous'>

const membersOf = (value: unknown) => (value ?? {}) as Record<string, unknown>

/** Returns the name of the thing that an entry is about: a key's name, an endpoint's host, an invitation's role, a day. */
export function nameOf({ type, subject, data }: Entry): string {
  const { name, host, slug, role, day } = membersOf(data)
  // A project has one entry of this type a day, so use the day as the name of the entry.
  if (type === 'usage.recorded' && typeof day === 'string') return utcDate(day)
  if (subject?.startsWith('invitation:'))
    return isRole(role) ? t.activity.invitationAs(t.people.roles[role]) : ''
  const own = [name, host, slug].find(each => typeof each === 'string')
  // The person was deleted: the log no longer has the name, and the id leads to no page.
  if (own === undefined && subject?.startsWith('member:')) return t.activity.deletedPersonInBrackets
  return typeof own === 'string' ? own : (subject ?? '').replace(/^[a-z_]+:/, '')
}

const isRole = (role: unknown): role is keyof typeof t.people.roles =>
  typeof role === 'string' && role in t.people.roles

const pages = { api_key: 'keys', deploy: 'deploys', webhook: 'settings/webhooks' } as const

/** The page of the thing that an entry is about; null if it has none. */
export function placeOf({ subject }: Pick<Entry, 'subject'>, project: string | null): Place | null {
  const [, kind, id] = /^([a-z_]+):(.+)$/.exec(subject ?? '') ?? []
  if (!kind || !id) return null
  if (kind === 'domain') return { page: 'settings/domains', project, query: { open: id } }
  const page = kind in pages ? pages[kind as keyof typeof pages] : null
  return page && { page, project, id }
}

export type Change = { field: string; before: string; after: string }

/** The fields that an act changed, with their former and new values. */
export function changesOf({ data, previous }: Entry): Change[] {
  const now = membersOf(data)
  return Object.entries(membersOf(previous)).map(([field, before]) => ({
    ...{ field, before: shown(before), after: shown(now[field]) },
  }))
}

const shown = (value: unknown) =>
  value === null || value === undefined
    ? t.activity.notSet
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
