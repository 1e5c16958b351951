import { now } from '../../app/clock.ts'
import type { WebhookRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Badge } from '../../ui/badge.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Ago, Until, useNow } from '../../ui/time.tsx'

type State = 'enabled' | 'paused' | 'failing' | 'resting' | 'disabled'
type Endpoint = Pick<
  WebhookRowFragment,
  'enabled' | 'failingSince' | 'nextTryAt' | 'disabledAt' | 'disabledWhy'
>

/**
 * An endpoint rests if the next attempt is further away than this time. The store waits longer than this time only
 * after several events in a row have failed.
 */
const longestRetryMs = 5 * 60_000

export function stateOf({ enabled, failingSince, nextTryAt, disabledAt }: Endpoint): State {
  if (disabledAt) return 'disabled'
  if (!enabled) return 'paused'
  if (!failingSince) return 'enabled'
  return nextTryAt && Date.parse(nextTryAt) - now() > longestRetryMs ? 'resting' : 'failing'
}

const badges = {
  enabled: <Badge tone="good">{t.webhooks.enabled}</Badge>,
  paused: <Badge>{t.webhooks.paused}</Badge>,
  failing: <Badge tone="wait">{t.webhooks.failing}</Badge>,
  resting: <Badge tone="wait">{t.webhooks.resting}</Badge>,
  disabled: <Badge tone="bad">{t.webhooks.disabled}</Badge>,
}

export const EndpointState = ({ endpoint }: { endpoint: Endpoint }) => badges[stateOf(endpoint)]

const reasons = {
  gone: t.webhooks.itAnswered410GoneSo,
  failing: t.webhooks.noAttemptSucceededForFive,
}

/**
 * Says why an endpoint receives nothing, and when the next attempt is due. Shows nothing for an endpoint that works.
 */
export function EndpointTrouble({ endpoint }: { endpoint: Endpoint }) {
  const time = useNow()
  const { failingSince, nextTryAt, disabledAt, disabledWhy } = endpoint
  const state = stateOf(endpoint)
  if (state === 'disabled' && disabledAt) {
    return (
      <Notice tone="bad" title={t.webhooks.storeDisabledThisEndpoint}>
        <p>
          {disabledWhy && reasons[disabledWhy]} {t.webhooks.disabledThen(<Ago at={disabledAt} />)}
        </p>
      </Notice>
    )
  }
  if (state === 'paused') {
    return (
      <Notice title={t.webhooks.thisEndpointIsPaused}>
        <p>{t.webhooks.itReceivesNothingUntilYou}</p>
      </Notice>
    )
  }
  if (!failingSince) return null
  return (
    <Notice
      tone="wait"
      title={state === 'resting' ? t.webhooks.thisEndpointRests : t.webhooks.deliveriesAreFailing}
    >
      <p>
        {t.webhooks.noneSucceededSince(<Ago at={failingSince} />)}{' '}
        {nextTryAt && Date.parse(nextTryAt) > time
          ? t.webhooks.nextOneIsDueIn(<Until at={nextTryAt} />)
          : t.webhooks.nextOneIsDueNow}{' '}
        {state === 'resting' && t.webhooks.fiveEventsInRowHave}
      </p>
    </Notice>
  )
}
