import { useState } from 'react'
import { now } from '../../app/clock.ts'
import { useQuery } from '../../app/operations.ts'
import { useProjectSlug } from '../../app/project.ts'
import { useMissing, useSession } from '../../app/session.ts'
import { AttentionDocument } from '../../generated/graphql.ts'

const hourMs = 3_600_000
const shownForMs = 14 * 24 * hourMs
const context = { additionalTypenames: ['ApiKey', 'Deploy', 'Domain', 'Webhook'] }

/** Reads the first steps that the project has not done yet, its leaked keys and its webhook endpoints. */
export function useAttention() {
  const { operator } = useSession()
  const slug = useProjectSlug() ?? null
  const hasWebhooks = useMissing('webhooks_write') === null && !operator
  const pause = useMissing('project_read') !== null
  // Round the time down to a whole hour. The variables of the query then stay equal within an hour, so that a second
  // visit of the page is answered from the cache.
  const [since] = useState(() => new Date(Math.floor((now() - shownForMs) / hourMs) * hourMs).toISOString())
  const variables = { slug, since, hasWebhooks }
  // Use the cache, because two parts of the overview read this query.
  const requestPolicy = 'cache-first'
  return useQuery({ query: AttentionDocument, variables, context, pause, requestPolicy })
}
