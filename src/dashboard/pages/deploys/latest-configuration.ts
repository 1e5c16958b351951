import { useState } from 'react'
import { type CombinedError, useClient } from 'urql'
import { useProjectSlug } from '../../app/project.ts'
import { type ConfigurationFragment, CurrentConfigurationDocument } from '../../generated/pages/graphql.ts'

/** `configuration` is undefined if there was no deploy yet. */
type Latest = { configuration: ConfigurationFragment | undefined }

/**
 * Reads the current configuration. Returns null if it cannot be read; `unread` then says why. A deploy replaces the
 * whole configuration, so a form that changes one part must publish the latest state of the other parts.
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
