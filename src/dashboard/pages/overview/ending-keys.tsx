import { useState } from 'react'
import { now } from '../../app/clock.ts'
import { useQuery } from '../../app/operations.ts'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import { EndingKeysDocument } from '../../generated/graphql.ts'
import { Notice } from '../../ui/notice.tsx'
import { Until } from '../../ui/time.tsx'
import { warnedBeforeMs } from '../keys/warned-before.ts'

/** Keys that end by themselves soon, so that nobody learns of it by refusals. */
export function EndingKeys() {
  const project = useProjectSlug() ?? null
  const [endsBefore] = useState(() => new Date(now() + warnedBeforeMs).toISOString())
  const [{ data }] = useQuery({ query: EndingKeysDocument, variables: { project, endsBefore } })
  const keys = data?.project.apiKeys.nodes ?? []
  if (keys.length === 0) return null
  return (
    <Notice tone="wait" title={keys.length === 1 ? 'A key ends soon' : 'Keys end soon'}>
      <ul>
        {keys.map(({ id, name, expiresAt }) => (
          <li key={id}>
            {name} ends in {expiresAt && <Until at={expiresAt} />}
          </li>
        ))}
      </ul>
      <p>
        <Link to={{ page: 'keys', project }}>Go to API keys</Link>
      </p>
    </Notice>
  )
}
