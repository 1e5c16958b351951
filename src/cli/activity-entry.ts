import { disarmFormulas } from '../../clients/typescript/src/formulas.ts'
import type { StoreEvent } from '../../clients/typescript/src/index.ts'
import { toJson } from './command-context.ts'
import { subjectOf } from './events.ts'
import { moment, table } from './print.ts'

export type Filters = { actor?: string; type?: string; subject?: string; since?: string; until?: string }

/**
 * An entry of the audit log. In the log of all projects, `project` names the project of the entry, and is absent if the
 * entry is about the service itself. In the log of one project, `project` is always absent.
 */
export type Entry = StoreEvent & {
  project?: string
  actor?: { type: string; id?: string; name: string }
  door?: string
  address?: string
  requestId?: string
}

export const showEntries = (entries: Entry[]): string =>
  table(
    ['TIME', 'ACTOR', 'TYPE', 'SUBJECT', 'DOOR'],
    entries.map(entry => [
      ...[moment(entry.timestamp), entry.actor && `${entry.actor.type} ${entry.actor.name}`, entry.type],
      ...[subjectOf(entry), entry.door],
    ]),
  )

export const showEntriesOfAll = (entries: Entry[]): string =>
  table(
    ['TIME', 'PROJECT', 'ACTOR', 'TYPE', 'SUBJECT', 'DOOR'],
    entries.map(entry => [
      ...[moment(entry.timestamp), entry.project, entry.actor && `${entry.actor.type} ${entry.actor.name}`],
      ...[entry.type, subjectOf(entry), entry.door],
    ]),
  )

/** The column `project`, followed by the columns of the service's export of one project. */
export const csvHead =
  'project,id,type,timestamp,subject,actorType,actorId,actorName,door,address,requestId,data,previous\r\n'

export function csvLine(entry: Entry): string {
  const { project, id, type, timestamp, actor, door, address, requestId } = entry
  const previous = 'previous' in entry ? entry.previous : undefined
  const cells = [
    ...[project, id, type, timestamp, subjectOf(entry), actor?.type, actor?.id, actor?.name],
    ...[door, address, requestId, toJson(entry.data, 0), previous && toJson(previous, 0)],
  ]
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: string | undefined): string {
  const text = disarmFormulas(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
