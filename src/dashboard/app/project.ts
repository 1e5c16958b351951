import { ProjectHeadDocument } from '../generated/graphql.ts'
import { useLiveQuery } from './live.ts'
import { useRouter } from './router.tsx'

/**
 * Returns the slug of the project that an operator chose, to send with operations. Undefined with a project's key,
 * because such a key needs no slug.
 */
export const useProjectSlug = () => useRouter().place?.project ?? undefined

/** Returns the project's id for GraphQL inputs. */
export function useProjectId() {
  const slug = useProjectSlug()
  return slug === undefined ? null : `project_${slug}`
}

export function useProject() {
  const project = useProjectSlug()
  const [{ data, error }] = useLiveQuery({
    query: ProjectHeadDocument,
    variables: { project: project ?? null },
  })
  return { project: data?.project, error }
}
