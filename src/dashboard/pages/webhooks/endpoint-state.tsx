import { now } from '../../app/clock.ts'
import type { WebhookRowFragment } from '../../generated/pages/graphql.ts'
import { Badge } from '../../ui/badge.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Ago, Until, useNow } from '../../ui/time.tsx'

type State = 'enabled' | 'paused' | 'failing' | 'resting' | 'disabled'
type Endpoint = Pick<
  WebhookRowFragment,
  'enabled' | 'failingSince' | 'nextTryAt' | 'disabledAt' | 'disabledWhy'
>

/** The store pauses for longer than this only after several events in a row have failed. */
const longestRetryMs = 5 * 60_000

export function stateOf({ enabled, failingSince, nextTryAt, disabledAt }: Endpoint): State {
  if (disabledAt) return 'disabled'
  if (!enabled) return 'paused'
  if (!failingSince) return 'enabled'
  return nextTryAt && Date.parse(nextTryAt) - now() > longestRetryMs ? 'resting' : 'failing'
}

const badges = {
  enabled: <Badge tone="good">Enabled</Badge>,
  paused: <Badge>Paused</Badge>,
  failing: <Badge tone="wait">Failing</Badge>,
  resting: <Badge tone="wait">Resting</Badge>,
  disabled: <Badge tone="bad">Disabled</Badge>,
}

export const EndpointState = ({ endpoint }: { endpoint: Endpoint }) => badges[stateOf(endpoint)]

const reasons = {
  gone: 'It answered 410 Gone, so the store stopped sending.',
  failing: 'No attempt succeeded for five days, so the store stopped sending.',
}

/** Says why an endpoint receives nothing, and when the next attempt is due. Shows nothing for one that works. */
export function EndpointTrouble({ endpoint }: { endpoint: Endpoint }) {
  const time = useNow()
  const { failingSince, nextTryAt, disabledAt, disabledWhy } = endpoint
  const state = stateOf(endpoint)
  if (state === 'disabled' && disabledAt) {
    return (
      <Notice tone="bad" title="The store disabled this endpoint">
        <p>
          {disabledWhy && reasons[disabledWhy]} That was <Ago at={disabledAt} />. When you enable it, it goes
          on with the first event that did not arrive. Events are kept for 30 days.
        </p>
      </Notice>
    )
  }
  if (state === 'paused') {
    return (
      <Notice title="This endpoint is paused">
        <p>It receives nothing until you enable it. Then it goes on where it stopped.</p>
      </Notice>
    )
  }
  if (!failingSince) return null
  return (
    <Notice tone="wait" title={state === 'resting' ? 'This endpoint rests' : 'Deliveries are failing'}>
      <p>
        No attempt has succeeded since <Ago at={failingSince} />.{' '}
        {nextTryAt && Date.parse(nextTryAt) > time ? (
          <>
            The next one is due in <Until at={nextTryAt} />.
          </>
        ) : (
          'The next one is due now.'
        )}{' '}
        {state === 'resting' && 'Five events in a row have failed, so the store tries one from time to time.'}
      </p>
    </Notice>
  )
}
