/** Converts a slug to the project id that the API expects. */
export const projectIdOf = (slug: string | undefined) => (slug === undefined ? null : `project_${slug}`)
