import { type AuditPlace, type AuditEntry as Entry, findAuditEntry } from '../../core/events/audit-log.ts'
import { parseAuditFilter } from '../../core/events/audit-rules.ts'
import { listAudit } from '../../core/events/list.ts'
import { type EventPosition, eventId, parseEventId } from '../../core/events/position.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import type { Project } from '../../core/project.ts'
import {
  connectionOf,
  makeCursor,
  neighboursOf,
  notACursor,
  readCursor,
  readPage,
  requireWithin,
} from '../connection.ts'
import { type Context, managedProject, requireOperator } from '../context.ts'
import type { AuditEntryResolvers, QueryResolvers } from '../generated/resolvers.ts'
import { makeId, readId } from '../ids.ts'

const mostOnPage = 100
const list = 'audit'

export const auditQueries = {
  async auditLog(_parent, { slug, actor, types, subject, since, until, ...args }, context) {
    const project = await ownerOf(context, slug ?? null)
    const { limit, after, isBackward, names } = readPage(args, 20)
    requireWithin(limit, mostOnPage, names.limit)
    const filter = parseAuditFilter({
      ...{ actor: actor ?? null, types: types ?? null, subject: subject ?? null },
      ...{ since: since ?? null, until: until ?? null },
    })
    const from = after === null ? null : readPlace(project, after, names.after)
    const towards = isBackward ? 'newer' : 'older'
    const query = { project, from, towards, limit, ...filter } as const
    const { entries, hasMore, reached } = await listAudit(context.tools.database, query)
    // With a filter, the read may have continued past the last entry of the page, over entries that do not match. The
    // next page begins after the last entry that was read, so that no entry is read twice.
    const end = hasMore && reached ? cursorAt(project, reached) : null
    return connectionOf(
      isBackward ? entries.reverse() : entries,
      neighboursOf({ after, isBackward }, hasMore),
      entry => cursorAt(project, entry),
      isBackward ? { startCursor: end } : { endCursor: end },
    )
  },
} satisfies QueryResolvers

/** Returns the project whose entries are read; null if an operator reads the entries of all projects. */
async function ownerOf(context: Context, slug: string | null): Promise<Project | null> {
  if (context.identity.kind === 'operator' && slug === null) return null
  return managedProject(context, slug, scopeFor.readAudit)
}

function cursorAt(project: Project | null, place: EventPosition | AuditPlace): string {
  const ofAll = 'at' in place ? `${place.at.getTime()} ${place.projectId} ` : ''
  return makeCursor(list, project, `${project ? '' : ofAll}${eventId(place)}`)
}

function readPlace(
  project: Project | null,
  cursor: string,
  field: 'after' | 'before',
): EventPosition | AuditPlace {
  const parts = readCursor(list, project, cursor, field).split(' ')
  const position = parseEventId(parts.at(-1) ?? '')
  if (position === null) throw notACursor(field)
  if (project) return position
  const [at, projectId] = parts.map(Number)
  return { ...position, at: new Date(at ?? 0), projectId: projectId ?? 0 }
}

/** Finds the entry with a GraphQL id; null if there is none. An entry without a project is an operator's. */
export async function auditEntryOf(context: Context, id: string): Promise<Entry | null> {
  const [owner = '', own = ''] = (readId('entry', id) ?? '').split('_')
  const position = parseEventId(own)
  if (position === null) return null
  const [, removed] = /^~(\d{1,9})$/.exec(owner) ?? []
  if (removed) requireOperator(context)
  const projectId = removed ? Number(removed) : (await managedProject(context, owner, scopeFor.readAudit)).id
  return findAuditEntry(context.tools.database, { id: projectId }, position)
}

export const AuditEntry = {
  id: entry => makeId('entry', `${entry.slug ?? `~${entry.projectId}`}_${eventId(entry)}`),
  eventId,
  projectSlug: ({ slug }) => slug,
  actor: ({ act }) => JSON.parse(act?.actor ?? '{}'),
  door: ({ act }) => act?.door ?? null,
  address: ({ act }) => act?.address ?? null,
  requestId: ({ act }) => act?.requestId ?? null,
} satisfies AuditEntryResolvers
