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
}

/** `input.limits.requestsPerDay` becomes `--per-day`; a field without an option is returned unchanged. */
const toOption = (field: string) => optionOf[field.split('.').at(-1) ?? field] ?? field

export function withOptionNames(
  message: string,
  details: readonly Detail[],
): { message: string; details: Detail[] } {
  const renamedDetails = details.map(detail => ({
    field: toOption(detail.field),
    message: renamed(detail.message, detail.field),
  }))
  return {
    message: details.reduce((text, { field }) => renamed(text, field), message),
    details: renamedDetails,
  }
}

/** Replaces whole words only: `name` is also part of other words. */
function renamed(text: string, field: string): string {
  const word = field.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.replace(new RegExp(`(?<![\\w.])${word}(?![\\w.]*\\w)`, 'g'), () => toOption(field))
}
