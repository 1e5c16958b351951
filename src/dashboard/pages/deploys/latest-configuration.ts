import { useState } from 'react'
import { type CombinedError, useClient } from 'urql'
import { useProjectSlug } from '../../app/project.ts'
import { type ConfigurationFragment, CurrentConfigurationDocument } from '../../generated/pages/graphql.ts'

/** `configuration` is undefined if there was no deploy yet. */
type Latest = { configuration: ConfigurationFragment | undefined }

/**
 * Reads the configuration in service; null if it cannot be read, and `unread` says why. A deploy replaces all of it, so a
 * form that publishes a part must not send the rest as it was when the form opened.
 */
export function useLatestConfiguration() {
  const client = useClient()
  const project = useProjectSlug() ?? null
  const [isReading, setIsReading] = useState(false)
  const [unread, setUnread] = useState<CombinedError>()

  async function readLatest(): Promise<Latest | null> {
    setIsReading(true)
    const { data, error } = await client
      .query(CurrentConfigurationDocument, { project }, { requestPolicy: 'network-only' })
      .toPromise()
    setIsReading(false)
    setUnread(error)
    return error ? null : { configuration: data?.project?.currentDeploy?.configuration }
  }
  return { readLatest, isReading, unread }
}
