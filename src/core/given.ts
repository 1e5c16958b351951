/**
 * Drops null values: in the inputs of GraphQL and in the arguments of MCP null means absent, except for the field
 * `cleared`, which null clears.
 */
export function givenIn(input: object, cleared?: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).filter(([field, value]) => value !== null || field === cleared),
  )
}
