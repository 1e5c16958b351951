import { getPetDeprecation } from '../core/keys/deprecations.ts'
import { addDeprecation } from '../http/headers.ts'
import { requestUrl } from '../http/request-url.ts'
import type { Context } from './context.ts'

/** All deprecated root fields of schema.graphql, with their dates. */
const deprecations = [getPetDeprecation]

export type NotedDeprecation = { field: string; sunset: string; reason: string }

/** Sets the same deprecation headers as REST if the operation selects a field that will be removed. */
export function noteDeprecations(
  { tools, request, response }: Context,
  fields: readonly string[],
): NotedDeprecation[] {
  const noted = deprecations.filter(({ field }) => fields.includes(field))
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
