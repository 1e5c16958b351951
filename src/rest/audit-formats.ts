import { disarmFormulas } from '../../clients/typescript/src/formulas.ts'
import { eventJson, type StoreEvent } from '../core/events/event.ts'
import { eventId } from '../core/events/position.ts'
import { csvCell } from './csv.ts'
import { csvType, type Formats, type LineFormat, ndjsonType } from './export-formats.ts'

/** The columns of the audit log's CSV. For operators, the command line and the dashboard write the same columns. */
const columns = {
  id: eventId,
  type: ({ type }) => type,
  timestamp: ({ at }) => at.toISOString(),
  subject: ({ subject }) => subject,
  actorType: entry => actorOf(entry).type ?? null,
  actorId: entry => actorOf(entry).id ?? null,
  actorName: entry => actorOf(entry).name ?? null,
  door: ({ act }) => act?.door ?? null,
  address: ({ act }) => act?.address ?? null,
  requestId: ({ act }) => act?.requestId ?? null,
  data: ({ data }) => data,
  previous: ({ previous }) => previous,
} satisfies Record<string, (entry: StoreEvent) => string | null>

const actorOf = ({ act }: StoreEvent): { type?: string; id?: string; name?: string } =>
  JSON.parse(act?.actor ?? '{}')

const head = `${Object.keys(columns).join(',')}\r\n`
const csvLine = (entry: StoreEvent, shown: (text: string) => string) => {
  const cells = Object.values(columns).map(read => read(entry))
  return `${cells.map(text => csvCell(text === null ? null : shown(text))).join(',')}\r\n`
}

export const auditFormats: Formats<StoreEvent> = {
  ndjson: { type: ndjsonType, head: '', line: entry => `${eventJson(entry)}\n` },
  csv: { type: csvType, head, line: entry => csvLine(entry, text => text) },
}

export const safeAudit: LineFormat<StoreEvent> = {
  type: csvType,
  head,
  line: entry => csvLine(entry, disarmFormulas),
}
