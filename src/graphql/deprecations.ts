import { StoreError } from '../core/errors.ts'
import { getPetDeprecation } from '../core/keys/deprecations.ts'
import { addDeprecation } from '../http/headers.ts'
import { requestUrl } from '../http/request-url.ts'
import type { Context } from './context.ts'
import { formerSince, formerSunset, successors } from './former-mutations.ts'

const formerDeprecations = Object.entries(successors).map(([field, successor]) => ({
  field,
  since: formerSince,
  sunset: formerSunset,
  reason: `${field} is removed on 31 December 2027. Use ${successor} instead.`,
}))

/** All deprecated root fields of schema.graphql, with their dates. */
const deprecations = new Map(
  [getPetDeprecation, ...formerDeprecations].map(deprecation => [deprecation.field, deprecation]),
)

export type NotedDeprecation = { field: string; sunset: string; reason: string }

/** Sets the same deprecation headers as REST if the operation selects a field that will be removed. */
export function noteDeprecations(
  { tools, request, response }: Context,
  fields: readonly string[],
): NotedDeprecation[] {
  const noted = [...new Set(fields)].flatMap(field => deprecations.get(field) ?? [])
  if (noted.length === 0) return []
  const [first] = noted.toSorted((a, b) => a.sunset.getTime() - b.sunset.getTime())
  if (first) {
    const here = requestUrl(tools.config, request)
    const reference = response.locals.host ? `${here}/` : `${here}/reference`
    addDeprecation(
      response,
      first,
      `<${here}/graphql>; rel="successor-version", <${reference}>; rel="deprecation"`,
    )
  }
  return noted.map(({ field, sunset, reason }) => ({ field, sunset: sunset.toISOString(), reason }))
}

/**
 * Counts the deprecated mutations of an operation that will run, for each API key. Refuses a mutation after its removal
 * date.
 */
export function admitFormerMutations({ identity, tools }: Context, fields: readonly string[]): void {
  const former = fields.filter(field => Object.hasOwn(successors, field))
  if (former.length === 0) return
  if (identity.kind === 'caller')
    for (const field of former) tools.usageCounter.countDeprecated(identity.caller, field)
  if (tools.clock.now() < formerSunset.getTime()) return
  const [field] = former as [keyof typeof successors]
  throw new StoreError('gone', `${field} was removed on 31 December 2027. Use ${successors[field]} instead.`)
}
