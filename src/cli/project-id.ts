/** As the contract spells it; a project is known here by its slug. */
export const projectIdOf = (slug: string | undefined) => (slug === undefined ? null : `project_${slug}`)
