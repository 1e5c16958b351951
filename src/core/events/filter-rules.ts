import { type ActorType, actorTypes } from '../acts.ts'
import type { Fault } from '../errors.ts'
import { validateText } from '../text.ts'
import { parseTime, timeRule } from '../time.ts'

/**
 * A filter by actor. If `named` is null, it matches every actor of the type, otherwise only the actor with this id or
 * name.
 */
export type ActorFilter = { type: ActorType; named: string | null }

/** Each parser returns null if the filter is absent. If the filter is invalid, the parser adds a fault to `faults`. */
export function parseSubject(input: string | null, faults: Fault[]): string | null {
  if (input === null) return null
  const { text, fault } = validateText('subject', input, 300)
  if (fault) faults.push(fault)
  else if (!/^[a-z_]+:./.test(text))
    faults.push({ field: 'subject', message: 'must name a kind and an id, such as pet:12' })
  return text
}

export function parseActor(input: string | null, faults: Fault[]): ActorFilter | null {
  if (input === null) return null
  const { text, fault } = validateText('actor', input, 300)
  const end = text.includes(':') ? text.indexOf(':') : text.length
  const type = actorTypes.find(one => one === text.slice(0, end))
  const named = text.slice(end + 1) || null
  if (!fault && type && (named !== null || end === text.length)) return { type, named }
  const message = `must be ${actorTypes.join(', ')}, or one of these with an id or a name, as operator:mara`
  faults.push({ field: 'actor', message })
  return null
}

export type TimeFilter = { since: Date | null; until: Date | null }

export function parseTimes(
  input: Record<keyof TimeFilter, string | Date | null>,
  faults: Fault[],
): TimeFilter {
  const [since, until] = (['since', 'until'] as const).map(field => {
    const value = input[field]
    const time = typeof value === 'string' ? parseTime(value) : value
    if (value !== null && time === null) faults.push({ field, message: timeRule })
    return time
  }) as [Date | null, Date | null]
  if (since && until && since >= until) faults.push({ field: 'until', message: 'must be later than since' })
  return { since, until }
}
