import { useEffect, useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { useRouter } from '../../app/router.tsx'
import {
  DeleteWebhookDocument,
  RewindWebhookDocument,
  RotateWebhookSecretDocument,
  TestWebhookDocument,
  type WebhookRowFragment,
} from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { dateAndTime } from '../../ui/time.tsx'
import { SecretDialog } from '../keys/secret.tsx'
import { Answer } from './deliveries.tsx'
import { secretWords } from './endpoint-form.tsx'

type Props = { webhook: WebhookRowFragment; onClose(): void }

/** Sends a test event at once and shows what came back. */
export function TestEndpoint({ webhook: { id, url }, onClose }: Props) {
  const [{ fetching, error, data }, test] = useMutation(TestWebhookDocument)
  const send = () => void test({ input: { id } }, { additionalTypenames: ['WebhookDelivery'] })
  useEffect(send, [])
  const result = data?.webhookTest
  const isGood = result?.status != null && result.status >= 200 && result.status < 300
  return (
    <Dialog title="Test event" onClose={onClose}>
      <p className="break">
        An event of the type <span className="mono">webhook.test</span> goes to {url}.
      </p>
      {fetching && <Loading lines={2} />}
      {error && !fetching && <Failed error={error} what="The test could not be sent" />}
      {result && !fetching && (
        <Notice
          tone={isGood ? 'good' : 'bad'}
          title={
            result.status === null
              ? `No answer after ${result.ms} ms`
              : `Answered ${result.status} after ${result.ms} ms`
          }
          alert
        >
          <Answer delivery={result} />
        </Notice>
      )}
      <div className="actions">
        <Button onClick={send} busy={fetching}>
          Send again
        </Button>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

export function RotateSecret({ webhook: { id }, onClose }: Props) {
  const [{ fetching, error, data }, rotate] = useMutation(RotateWebhookSecretDocument)
  if (data) {
    return (
      <SecretDialog
        title="The endpoint’s signing secret"
        secret={data.webhookRotateSecret.secret}
        words={secretWords}
        note="The old one signs beside it for a day."
        onClose={onClose}
      />
    )
  }
  const submit = () => {
    if (!fetching) void rotate({ input: { id } })
  }
  return (
    <Dialog title="Rotate the signing secret" onClose={onClose} onSubmit={submit}>
      <p>
        From now on events are signed by a new secret, and for a day by the old one too. Change your receiver
        within this day.
      </p>
      {error && <Failed error={error} what="The secret could not be rotated" />}
      <DialogActions onClose={onClose} act="Rotate" acting="Rotating…" busy={fetching} />
    </Dialog>
  )
}

/** Moves the endpoint's place back, so that it receives events again: from a number on, or from a time on. */
export function Rewind({ webhook: { id, delivered }, onClose }: Props) {
  const [{ fetching, error }, rewind] = useMutation(RewindWebhookDocument)
  const [by, setBy] = useState<'number' | 'time'>('number')
  const [place, setPlace] = useState('')
  const announce = useAnnounce()
  const since = by === 'time' && place ? new Date(place).toISOString() : null
  const submit = async () => {
    if (fetching) return
    const { data } = await rewind({ input: { id, ...(since ? { since } : { after: place.trim() }) } })
    if (!data) return
    const from = since ? `since ${dateAndTime(since)}` : `after number ${place.trim()}`
    announce(`The events ${from} are on their way again.`)
    onClose()
  }
  return (
    <Dialog title="Send events again" onClose={onClose} onSubmit={() => void submit()}>
      <p>
        The endpoint has received all events up to number {delivered}. Those from the place below on are sent
        again, in order, with the same ids.
      </p>
      <Choice
        label="Begin"
        value={by}
        onChange={event => {
          setBy(event.target.value === 'time' ? 'time' : 'number')
          setPlace('')
        }}
      >
        <option value="number">After an event</option>
        <option value="time">At a time</option>
      </Choice>
      {by === 'number' ? (
        <Field
          label="After the event with the number"
          inputMode="numeric"
          autoFocus
          value={place}
          onChange={event => setPlace(event.target.value)}
          hint="0 sends everything that is kept."
          error={error ? 'Enter the number of an event, or 0.' : undefined}
        />
      ) : (
        <Field
          label="Events of this time and later"
          type="datetime-local"
          required
          value={place}
          onChange={event => setPlace(event.target.value)}
          error={error ? 'Enter a time in the past.' : undefined}
        />
      )}
      {error && <Failed error={error} what="The events could not be sent again" />}
      <DialogActions onClose={onClose} act="Send again" acting="Sending…" busy={fetching} />
    </Dialog>
  )
}

export function DeleteEndpoint({ webhook: { id, url }, onClose }: Props) {
  const [{ fetching, error }, remove] = useMutation(DeleteWebhookDocument)
  const announce = useAnnounce()
  const { go } = useRouter()
  const submit = async () => {
    if (fetching) return
    const { data } = await remove({ input: { id } }, { additionalTypenames: ['Webhook'] })
    if (!data) return
    announce('Deleted the endpoint.')
    go({ page: 'settings/webhooks', project: null })
  }
  return (
    <Dialog title="Delete this endpoint?" onClose={onClose} onSubmit={() => void submit()}>
      <p className="break">
        {url} receives nothing from now on. Its deliveries are deleted too. This can’t be undone.
      </p>
      {error && <Failed error={error} what="The endpoint could not be deleted" />}
      <DialogActions onClose={onClose} act="Delete" acting="Deleting…" busy={fetching} isDangerous />
    </Dialog>
  )
}
