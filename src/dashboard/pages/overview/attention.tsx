import { useEffect, useState } from 'react'
import { now } from '../../app/clock.ts'
import { Link } from '../../app/router.tsx'
import type { AttentionQuery } from '../../generated/graphql.ts'
import { t } from '../../texts/index.ts'
import { Notice } from '../../ui/notice.tsx'
import { Ago } from '../../ui/time.tsx'
import { LeakedKeys } from './leaked-keys.tsx'
import { useAttention } from './use-attention.ts'

export { FirstSteps } from './first-steps.tsx'

const hourMs = 3_600_000

/** Names the leaked keys of the last two weeks, and the webhook endpoints that receive nothing. */
export function Attention() {
  const [{ data }, ask] = useAttention()
  const [wasKept] = useState(data !== undefined)
  useEffect(() => {
    if (wasKept) ask({ requestPolicy: 'network-only' })
  }, [wasKept])
  if (!data) return null
  return (
    <>
      <LeakedKeys entries={data.auditLog.nodes} />
      <EndpointsInTrouble endpoints={data.webhooks?.nodes ?? []} />
    </>
  )
}

type Nodes<Name extends 'auditLog' | 'webhooks'> = NonNullable<AttentionQuery[Name]>['nodes']

function EndpointsInTrouble({ endpoints }: { endpoints: Nodes<'webhooks'> }) {
  // Ignore shorter failures: the store retries within minutes.
  const isLong = (since: string | null) => since !== null && now() - Date.parse(since) > hourMs
  const troubled = endpoints.filter(
    ({ enabled, disabledAt, failingSince }) => disabledAt !== null || (enabled && isLong(failingSince)),
  )
  if (troubled.length === 0) return null
  return (
    <Notice
      tone={troubled.some(({ disabledAt }) => disabledAt !== null) ? 'bad' : 'wait'}
      title={t.overview.endpointsWithoutEvents(troubled.length)}
    >
      <ul className="stack-tight">
        {troubled.map(({ id, url, disabledAt, failingSince }) => (
          <li key={id} className="break">
            {(disabledAt ? t.overview.endpointWasDisabled : t.overview.endpointHasFailedSince)(
              <Link to={{ page: 'settings/webhooks', project: null, id: id.replace('webhook_', '') }}>
                {url}
              </Link>,
              <Ago at={disabledAt ?? failingSince ?? ''} />,
            )}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
