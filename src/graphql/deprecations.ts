import type { Response } from 'express'
import { getPetDeprecation } from '../core/deprecations.ts'
import { addDeprecation } from '../http/deprecation.ts'

/** Every deprecated root field of schema.graphql, with its dates. */
const deprecations = [getPetDeprecation]

export type NotedDeprecation = { field: string; sunset: string; reason: string }

/** Tells a client in REST's headers that its operation selects what is going to be removed. */
export function noteDeprecations(
  response: Response,
  publicUrl: string,
  fields: Iterable<string>,
): NotedDeprecation[] {
  const selected = new Set(fields)
  const noted = deprecations.filter(({ field }) => selected.has(field))
  const [first] = noted.toSorted((a, b) => a.sunset.getTime() - b.sunset.getTime())
  if (first) {
    addDeprecation(
      response,
      first,
      `<${publicUrl}/graphql>; rel="successor-version", <${publicUrl}/reference>; rel="deprecation"`,
    )
  }
  return noted.map(({ field, sunset, reason }) => ({ field, sunset: sunset.toISOString(), reason }))
}
