/** Where a project is served by default, and what the records of its domains have to show. */
export function platformHostOf(project: { slug: string }, platformHost: string): string {
  return `${project.slug}.${platformHost}`
}
