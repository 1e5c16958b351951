import { ProjectHeadDocument } from '../generated/graphql.ts'
import { useQuery } from './operations.ts'
import { useRouter } from './router.tsx'

/** The slug to send with operations: an operator's choice, or undefined, because a key implies its project. */
export const useProjectSlug = () => useRouter().place?.project ?? undefined

/** The project's id, as inputs expect it. */
export function useProjectId() {
  const slug = useProjectSlug()
  return slug === undefined ? null : `project_${slug}`
}

export function useProject() {
  const project = useProjectSlug()
  const [{ data, error }] = useQuery({ query: ProjectHeadDocument, variables: { project: project ?? null } })
  return { project: data?.project, error }
}
