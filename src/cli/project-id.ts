/** The contract's project id, from a slug. */
export const projectIdOf = (slug: string | undefined) => (slug === undefined ? null : `project_${slug}`)
