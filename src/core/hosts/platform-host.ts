/** The default host of a project, which is also the target of its domains' records. */
export function platformHostOf(project: { slug: string }, platformHost: string): string {
  return `${project.slug}.${platformHost}`
}
