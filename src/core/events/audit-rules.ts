import { type Fault, invalidInput } from '../errors.ts'
import type { AuditFilter } from './audit-log.ts'
import { parseActor, parseSubject, parseTimes } from './filter-rules.ts'
import { managementTypes, serviceTypes } from './types.ts'

/** Validates the filters of the audit log. Null: the filter is absent. */
export function parseAuditFilter(
  input: Pick<AuditFilter, 'types' | 'subject' | 'since' | 'until'> & { actor: string | null },
): AuditFilter {
  const faults: Fault[] = []
  const types = parseTypes('types', input.types, [...managementTypes, ...serviceTypes], faults)
  const actor = parseActor(input.actor, faults)
  const subject = parseSubject(input.subject, faults)
  const times = parseTimes(input, faults)
  if (faults.length > 0) throw invalidInput(faults)
  return { actor, types, subject, ...times }
}

type Given = Record<'kind' | 'type' | 'subject' | 'actor' | 'since' | 'until', string | null>

/** Validates the filters of an export of a project's audit log. Adds a fault to `faults` for each invalid filter. */
export function parseExportFilter(given: Given, faults: Fault[]): AuditFilter {
  if (given.kind !== null && given.kind !== 'management')
    faults.push({ field: 'kind', message: 'must be management' })
  return {
    types: parseTypes('type', given.type?.split(',') ?? null, managementTypes, faults),
    subject: parseSubject(given.subject, faults),
    actor: parseActor(given.actor, faults),
    ...parseTimes(given, faults),
  }
}

function parseTypes(
  field: string,
  types: readonly string[] | null,
  known: readonly string[],
  faults: Fault[],
): readonly string[] | null {
  if (types && (types.length === 0 || !types.every(type => known.includes(type))))
    faults.push({ field, message: 'must be one or more types of the audit log, such as api_key.issued' })
  return types
}
