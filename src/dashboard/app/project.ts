import { ProjectHeadDocument } from '../generated/graphql.ts'
import { useQuery } from './operations.ts'
import { useRouter } from './router.tsx'

/** The slug to name in operations: an operator's choice, or nothing where the key says it all. */
export const useProjectSlug = () => useRouter().place?.project ?? undefined

/** How inputs name it. */
export function useProjectId() {
  const slug = useProjectSlug()
  return slug === undefined ? null : `project_${slug}`
}

export function useProject() {
  const project = useProjectSlug()
  const [{ data, error }] = useQuery({ query: ProjectHeadDocument, variables: { project: project ?? null } })
  return { project: data?.project, error }
}
