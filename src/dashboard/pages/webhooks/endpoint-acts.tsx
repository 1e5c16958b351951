import { useEffect, useState } from 'react'
import { isoOf } from '../../app/clock.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { useRouter } from '../../app/router.tsx'
import {
  DeleteWebhookDocument,
  RewindWebhookDocument,
  RotateWebhookSecretDocument,
  TestWebhookDocument,
  type WebhookRowFragment,
} from '../../generated/pages/graphql.ts'
import { dateAndTime, number } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { useShowSecret } from '../keys/secret.tsx'
import { Answer } from './deliveries.tsx'

type Props = { webhook: WebhookRowFragment; onClose(): void }

/** Sends a test event at once and shows what came back. */
export function TestEndpoint({ webhook: { id, url }, onClose }: Props) {
  const [{ fetching, error, data }, test] = useMutation(TestWebhookDocument)
  const send = () => void test({ input: { id } }, { additionalTypenames: ['WebhookDelivery'] })
  useEffect(send, [])
  const result = data?.webhookTest
  const isGood = result?.status != null && result.status >= 200 && result.status < 300
  return (
    <Dialog title={t.webhooks.testEvent} onClose={onClose}>
      <p className="break">{t.webhooks.eventOfTypeGoes(<span className="mono">webhook.test</span>, url)}</p>
      {fetching && <Loading lines={2} />}
      {error && !fetching && <Failed error={error} what={t.webhooks.testCouldNotBeSent} />}
      {result && !fetching && (
        <Notice
          tone={isGood ? 'good' : 'bad'}
          title={
            result.status === null
              ? t.webhooks.noAnswerAfter(number(result.ms))
              : t.webhooks.answeredAfter(String(result.status), number(result.ms))
          }
          alert
        >
          <Answer delivery={result} />
        </Notice>
      )}
      <div className="actions">
        <Button onClick={send} busy={fetching}>
          {t.webhooks.sendAgain}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {t.webhooks.done}
        </Button>
      </div>
    </Dialog>
  )
}

export function RotateSecret({ webhook: { id }, onClose }: Props) {
  const [{ fetching, error }, rotate] = useMutation(RotateWebhookSecretDocument)
  const showSecret = useShowSecret()
  const submit = async () => {
    if (fetching) return
    const { data } = await rotate({ input: { id } })
    if (!data) return
    showSecret({
      title: t.webhooks.endpointsSigningSecret,
      secret: data.webhookRotateSecret.secret,
      words: t.webhooks.signingSecretWords,
      note: t.webhooks.oldOneSignsBesideIt,
      onClose: () => {},
    })
    onClose()
  }
  return (
    <Dialog title={t.webhooks.rotateSigningSecret} onClose={onClose} onSubmit={submit}>
      <p>{t.webhooks.fromNowOnEventsAre}</p>
      {error && <Failed error={error} what={t.webhooks.secretCouldNotBeRotated} />}
      <DialogActions onClose={onClose} act={t.webhooks.rotate} acting={t.webhooks.rotating} busy={fetching} />
    </Dialog>
  )
}

/** Sends the endpoint its past events once more: all events after an event number, or since a time. */
export function Rewind({ webhook: { id, delivered }, onClose }: Props) {
  const [{ fetching, error }, rewind] = useMutation(RewindWebhookDocument)
  const [by, setBy] = useState<'number' | 'time'>('number')
  const [place, setPlace] = useState('')
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, {
    after: t.webhooks.enterNumberOfEventOr,
    since: t.webhooks.enterTimeInPast,
  })
  const submit = async () => {
    if (fetching) return
    const since = by === 'time' && place ? isoOf(new Date(place), place) : null
    const { data } = await rewind({ input: { id, ...(since ? { since } : { after: place.trim() }) } })
    if (!data) return
    announce(
      since
        ? t.webhooks.eventsSinceOnTheirWay(dateAndTime(since))
        : t.webhooks.eventsAfterOnTheirWay(place.trim()),
    )
    onClose()
  }
  return (
    <Dialog title={t.webhooks.sendEventsAgain} onClose={onClose} onSubmit={() => void submit()}>
      <p>{t.webhooks.endpointHasReceivedAllEvents(delivered)}</p>
      <Choice
        label={t.webhooks.begin}
        value={by}
        onChange={event => {
          setBy(event.target.value === 'time' ? 'time' : 'number')
          setPlace('')
        }}
      >
        <option value="number">{t.webhooks.afterEvent}</option>
        <option value="time">{t.webhooks.atTime}</option>
      </Choice>
      {by === 'number' ? (
        <Field
          label={t.webhooks.afterEventWithNumber}
          inputMode="numeric"
          value={place}
          onChange={event => setPlace(event.target.value)}
          hint={t.webhooks.sendsEverythingThatIsKept}
          error={beside.after}
        />
      ) : (
        <Field
          label={t.webhooks.eventsOfThisTimeAnd}
          type="datetime-local"
          required
          max="9999-12-31T23:59"
          value={place}
          onChange={event => setPlace(event.target.value)}
          error={beside.since ?? (beside.after && t.webhooks.enterTimeInPast)}
        />
      )}
      {elsewhere && <Failed error={elsewhere} what={t.webhooks.eventsCouldNotBeSent} />}
      <DialogActions
        onClose={onClose}
        act={t.webhooks.sendAgain}
        acting={t.webhooks.sending}
        busy={fetching}
      />
    </Dialog>
  )
}

export function DeleteEndpoint({ webhook: { id, url }, onClose }: Props) {
  const [{ fetching, error }, remove] = useMutation(DeleteWebhookDocument)
  const announce = useAnnounce()
  const { go } = useRouter()
  const submit = async () => {
    if (fetching) return
    const { pathname } = location
    const { data } = await remove({ input: { id } }, { additionalTypenames: ['Webhook'] })
    if (!data) return
    announce(t.webhooks.deletedEndpoint)
    // The reader may have closed the dialog and opened another page.
    if (location.pathname === pathname) go({ page: 'settings/webhooks', project: null })
  }
  return (
    <Dialog title={t.webhooks.deleteThisEndpoint} onClose={onClose} onSubmit={() => void submit()}>
      <p className="break">{t.webhooks.urlReceivesNothingFromNow(url)}</p>
      {error && <Failed error={error} what={t.webhooks.endpointCouldNotBeDeleted} />}
      <DialogActions
        onClose={onClose}
        act={t.webhooks.deleteIt}
        acting={t.webhooks.deleting}
        busy={fetching}
        isDangerous
      />
    </Dialog>
  )
}
