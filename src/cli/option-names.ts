import type { Command } from 'commander'
import type { Detail } from './exit.ts'

/** Maps the service's field names to the command's options. */
const optionOf: Record<string, string> = {
  first: '--limit',
  limit: '--limit',
  after: '--after',
  cursor: '--after',
  days: '--days',
  hours: '--hours',
  from: '--from',
  to: '--to',
  by: '--by',
  status: '--status',
  sort: '--sort',
  categoryId: '--category',
  name: '<name>',
  slug: '<slug>',
  scopes: '--scopes',
  expiresAt: '--expires',
  overlapSeconds: '--overlap',
  seconds: '--seconds',
  idempotencyKey: '--idempotency-key',
  'Idempotency-Key': '--idempotency-key',
  limits: '--per-minute and --per-day',
  requestsPerMinute: '--per-minute',
  requestsPerDay: '--per-day',
  projectId: '--project',
  petId: '<pet>',
  orderId: '<order>',
  reference: '--reference',
  note: '--note',
  subject: '--subject',
  actor: '--actor',
  type: '--type',
  types: '--type',
  since: '--since',
  until: '--until',
}

/**
 * Replaces the service's names of fields by those of the options. `command` is needed only if some commands have an
 * option for a field and others an argument: `--name` or `<name>`.
 */
export function withOptionNames(
  message: string,
  details: readonly Detail[],
  command?: Command,
): { message: string; details: Detail[] } {
  const renamedDetails = details.map(detail => ({
    field: toOption(detail.field, command),
    message: renamed(detail.message, detail.field, command),
  }))
  return {
    message: details.reduce((text, { field }) => renamed(text, field, command), message),
    details: renamedDetails,
  }
}

/** `input.limits.requestsPerDay` becomes `--per-day`; a field without an option is returned unchanged. */
function toOption(field: string, command: Command | undefined): string {
  const last = field.split('.').at(-1) ?? field
  const own = command?.options.find(option => option.attributeName() === last)
  return own?.long ?? optionOf[last] ?? field
}

/**
 * Replaces the field only where a fault begins with it or GraphQL quotes its place, because rules may contain the same
 * word, such as "part of a name".
 */
function renamed(text: string, field: string, command: Command | undefined): string {
  const word = field.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.replace(new RegExp(`(?<=^|[;:] | at ")${word}(?![\\w.]*\\w)`, 'g'), () =>
    toOption(field, command),
  )
}
