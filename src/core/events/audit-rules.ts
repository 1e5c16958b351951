import { type Fault, invalidInput } from '../errors.ts'
import type { AuditFilter } from './audit-log.ts'
import { parseActor, parseSubject, parseTimes } from './filter-rules.ts'
import { managementTypes, serviceTypes } from './types.ts'

const known: readonly string[] = [...managementTypes, ...serviceTypes]

/** Validates the filters of the audit log. Null: the filter is absent. */
export function parseAuditFilter(
  input: Pick<AuditFilter, 'types' | 'subject' | 'since' | 'until'> & { actor: string | null },
): AuditFilter {
  const faults: Fault[] = []
  const { types } = input
  if (types && (types.length === 0 || !types.every(type => known.includes(type))))
    faults.push({ field: 'types', message: `must be one or more of ${known.join(', ')}` })
  const actor = parseActor(input.actor, faults)
  const subject = parseSubject(input.subject, faults)
  const times = parseTimes(input, faults)
  if (faults.length > 0) throw invalidInput(faults)
  return { actor, types, subject, ...times }
}
