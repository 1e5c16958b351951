import { type ReactNode, useState } from 'react'
import { now } from '../../app/clock.ts'
import { askAgain, useLiveQuery } from '../../app/live.ts'
import { useMutation } from '../../app/operations.ts'
import { problemOf } from '../../app/problem.ts'
import {
  UpdateWebhookDocument,
  WebhookDeliveriesDocument,
  type WebhookRowFragment,
} from '../../generated/pages/graphql.ts'
import { dateAndTime } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { usePaging } from '../../ui/pager.tsx'
import { useNow } from '../../ui/time.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { Deliveries } from '../webhooks/deliveries.tsx'
import { DeleteEndpoint, Rewind, RotateSecret, TestEndpoint } from '../webhooks/endpoint-acts.tsx'
import { EditEndpoint } from '../webhooks/endpoint-form.tsx'
import { EndpointState, EndpointTrouble, stateOf } from '../webhooks/endpoint-state.tsx'
import { Facts } from './facts.tsx'
import { Managed } from './managed.tsx'

type Doing = 'test' | 'edit' | 'rotate' | 'rewind' | 'delete'
type Props = { webhook: WebhookRowFragment; list: ReactNode }

const context = { additionalTypenames: ['WebhookDelivery'] }
const whileFailingMs = 15_000
/** After an action that sends events, query the result every `watchedEveryMs` for `watchedMs`. */
const watchedEveryMs = 5_000
const watchedMs = 30_000

export function AsWebhook({ webhook: first, list }: Props) {
  const [doing, setDoing, closeDialog] = useDialog<Doing>()
  const [watchedUntil, setWatchedUntil] = useState(0)
  const isWatched = useNow() < watchedUntil
  const watch = () => setWatchedUntil(now() + watchedMs)
  const paging = usePaging()
  const [deliveries, ask] = useLiveQuery(
    {
      query: WebhookDeliveriesDocument,
      variables: { id: first.id, first: 20, after: paging.after },
      context,
    },
    ({ webhook: { nextTryAt } }) => (isWatched ? watchedEveryMs : nextTryAt ? whileFailingMs : null),
  )
  const webhook = deliveries.data?.webhook ?? first
  const { id, url, description, types, createdAt, delivered, previousSecretEndsAt } = webhook
  const state = stateOf(webhook)
  const isOn = state !== 'paused' && state !== 'disabled'
  const turn = useTurn(id, watch)
  const isOldSecretValid = previousSecretEndsAt !== null && Date.parse(previousSecretEndsAt) > now()
  const close = () => {
    closeDialog()
    watch()
  }
  const item = (label: string, act: Doing, danger = false) => ({ label, danger, act: () => setDoing(act) })
  return (
    <>
      <PageHead
        title={new URL(url).host}
        actions={
          <>
            <Button onClick={() => setDoing('test')}>{t.thing.sendTestEvent}</Button>
            <Button kind={isOn ? 'plain' : 'primary'} busy={turn.busy} onClick={() => void turn.to(!isOn)}>
              {isOn ? t.thing.pause : t.thing.enable}
            </Button>
            <Menu
              label={t.thing.actionsForThisEndpoint}
              items={[
                item(t.thing.edit, 'edit'),
                item(t.thing.sendEventsAgain, 'rewind'),
                item(t.thing.rotateSecret, 'rotate'),
                item(t.thing.deleteIt, 'delete', true),
              ]}
            />
          </>
        }
      >
        {list}
      </PageHead>
      <EndpointTrouble endpoint={webhook} />
      <Facts
        title={t.thing.webhookEndpoint}
        facts={[
          [t.thing.state, <EndpointState key="state" endpoint={webhook} />],
          [t.thing.address, url],
          [t.thing.description, description],
          [
            t.thing.events,
            types.length === 0 ? (
              t.thing.all
            ) : (
              <span key="types" className="mono small">
                {types.join(', ')}
              </span>
            ),
          ],
          [t.thing.deliveredUpToEvent, delivered],
          [t.thing.added, dateAndTime(createdAt)],
          [t.thing.oldSecretSignsUntil, isOldSecretValid && dateAndTime(previousSecretEndsAt)],
        ]}
      />
      <Deliveries
        id={id}
        page={deliveries.data?.webhook.deliveries}
        error={deliveries.error}
        isEarlier={deliveries.isEarlier}
        paging={paging}
        again={() => ask({ requestPolicy: 'network-only' })}
        onRedelivered={watch}
      />
      <Managed subject={id.replace('_', ':')} />
      {doing === 'test' && <TestEndpoint webhook={webhook} onClose={close} />}
      {doing === 'edit' && <EditEndpoint webhook={webhook} onClose={close} />}
      {doing === 'rotate' && <RotateSecret webhook={webhook} onClose={close} />}
      {doing === 'rewind' && <Rewind webhook={webhook} onClose={close} />}
      {doing === 'delete' && <DeleteEndpoint webhook={webhook} onClose={close} />}
    </>
  )
}

/** Pauses and enables an endpoint. */
function useTurn(id: string, onDone: () => void) {
  const [{ fetching }, update] = useMutation(UpdateWebhookDocument)
  const announce = useAnnounce()
  const to = async (enabled: boolean) => {
    const { data, error } = await update({ input: { id, enabled } })
    if (error) {
      const { code, message } = problemOf(error)
      announce(message, undefined, { isProblem: true })
      if (code === 'endpoint_not_found') askAgain()
    }
    if (!data) return
    announce(enabled ? t.thing.enabledEndpoint : t.thing.pausedEndpoint)
    onDone()
  }
  return { busy: fetching, to }
}
