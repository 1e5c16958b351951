import { runPieceInTurn } from '../../database/pieces.ts'
import type { Statements } from '../../database/statements.ts'
import type { Project } from '../project.ts'
import { type AuditQuery, type AuditRead, readAudit } from './audit-log.ts'
import { type EventsQuery, type EventsRead, readEvents } from './log.ts'
import { type BackwardQuery, readEventsBackward } from './log-backward.ts'

type Owner = Pick<Project, 'id'>
type Filter = Pick<EventsQuery, 'kind' | 'subject' | 'actor' | 'since' | 'until'> & Pick<AuditQuery, 'types'>

/** Reads a page of events, the oldest first. */
export const listEvents = (database: Statements, project: Owner, query: EventsQuery): Promise<EventsRead> =>
  inTurn(project, query, () => readEvents(database, project, query))

/** Reads the last events before a position. */
export const listEventsBackward = (
  database: Statements,
  project: Owner,
  query: BackwardQuery,
): Promise<EventsRead> => inTurn(project, query, () => readEventsBackward(database, project, query))

/** Reads a page of audit entries. */
export const listAudit = (database: Statements, query: AuditQuery): Promise<AuditRead> =>
  inTurn(query.project, query, () => readAudit(database, query))

/**
 * A page with a filter may compare thousands of events and be empty. Therefore such pages of one project are read one
 * after the other, and requests of other projects go first. Operators, who read all projects, do not wait.
 */
const inTurn = <Read>(project: Owner | null, filter: Filter, read: () => Promise<Read>): Promise<Read> =>
  project && isFiltered(filter) ? runPieceInTurn(project.id, read) : read()

const isFiltered = ({ kind, types, subject, actor, since, until }: Filter): boolean =>
  kind === 'store' || [types, subject, actor, since, until].some(part => part != null)
