import { type CombinedError, useClient } from 'urql'
import { useProjectSlug } from '../../app/project.ts'
import { type ConfigurationFragment, CurrentConfigurationDocument } from '../../generated/pages/graphql.ts'

type Latest = { configuration: ConfigurationFragment | undefined; error: CombinedError | undefined }

/**
 * Returns a function that reads the configuration in service. A deploy replaces all of it, so a form that publishes a
 * part must not send the rest as it was when the form opened.
 */
export function useLatestConfiguration(): () => Promise<Latest> {
  const client = useClient()
  const project = useProjectSlug() ?? null
  return async () => {
    const { data, error } = await client
      .query(CurrentConfigurationDocument, { project }, { requestPolicy: 'network-only' })
      .toPromise()
    return { configuration: data?.project?.currentDeploy?.configuration, error }
  }
}
