import { useState } from 'react'
import type { CombinedError } from 'urql'
import { type DraftState, useDraft } from '../../app/draft.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import {
  CreateWebhookDocument,
  UpdateWebhookDocument,
  type WebhookRowFragment,
} from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'
import { useShowSecret } from '../keys/secret.tsx'
import { ChooseTypes } from './choose-types.tsx'

type Draft = { url: string; description: string; isAll: boolean; types: string[] }
type Input = { url: string; description: string | null; types: string[] }

export function AddEndpoint({ onClose }: { onClose(): void }) {
  const [{ fetching, error }, create] = useMutation(CreateWebhookDocument)
  const announce = useAnnounce()
  const showSecret = useShowSecret()
  const [draft, setDraft, draftState] = useDraft<Draft>('add endpoint', () => ({
    ...{ url: '', description: '', isAll: true, types: [] },
  }))
  const send = async (input: Input) => {
    const { data } = await create({ input }, { additionalTypenames: ['Webhook'] })
    if (!data) return
    const { secret, webhook } = data.webhookCreate
    showSecret({
      title: t.webhooks.endpointsSigningSecret,
      secret,
      words: t.webhooks.signingSecretWords,
      note: t.webhooks.useItToVerifyEvents,
      onClose: () => announce(t.webhooks.addedEndpointItReceivesEverything, webhook.id),
    })
    draftState.forget()
    onClose()
  }
  return (
    <Form
      {...{ draft, setDraft, draftState, fetching, error, onClose }}
      title={t.webhooks.addEndpoint}
      act={t.webhooks.addEndpointButton}
      acting={t.webhooks.adding}
      onSubmit={input => void send(input)}
    />
  )
}

export function EditEndpoint({ webhook, onClose }: { webhook: WebhookRowFragment; onClose(): void }) {
  const { id, url, description, types } = webhook
  const [{ fetching, error }, update] = useMutation(UpdateWebhookDocument)
  const announce = useAnnounce()
  // `from` is the endpoint as the reader saw it. Only the fields that differ from it are saved.
  const [{ from, fields }, setDraft, draftState] = useDraft(`endpoint ${id}`, () => {
    const shown: Draft = { url, description: description ?? '', isAll: types.length === 0, types: [...types] }
    return { from: shown, fields: shown }
  })
  const send = async (input: Input) => {
    const changes = changesIn(input, inputOf(from))
    if (Object.keys(changes).length > 0) {
      const { data } = await update({ input: { id, ...changes } })
      if (!data) return
      announce(t.webhooks.savedEndpoint)
    }
    draftState.forget()
    onClose()
  }
  return (
    <Form
      {...{ draftState, fetching, error, onClose }}
      draft={fields}
      setDraft={changed => setDraft({ from, fields: changed })}
      title={t.webhooks.editEndpoint}
      act={t.webhooks.save}
      acting={t.webhooks.saving}
      onSubmit={input => void send(input)}
    />
  )
}

const inputOf = ({ url, description, isAll, types }: Draft): Input => ({
  url,
  description: description.trim() || null,
  types: isAll ? [] : types,
})

const changesIn = (input: Input, before: Input): Partial<Input> =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof Input]),
    ),
  )

const words = {
  url: (message: string) => t.webhooks.addressMessage(message),
  description: t.webhooks.enterAtMost200Characters,
  types: (message: string) => t.webhooks.eventsMessage(message),
}

type FormProps = {
  title: string
  act: string
  acting: string
  draft: Draft
  setDraft(draft: Draft): void
  draftState: DraftState
  fetching: boolean
  error: CombinedError | undefined
  onSubmit(input: Input): void
  onClose(): void
}

function Form({
  title,
  act,
  acting,
  draft,
  setDraft,
  draftState,
  fetching,
  error,
  onSubmit,
  onClose,
}: FormProps) {
  const { url, description, isAll, types } = draft
  const [noneChosen, setNoneChosen] = useState(false)
  const { beside, elsewhere } = faultsOf(error, words)
  const change = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed })
  const isNone = !isAll && types.length === 0
  const submit = () => {
    setNoneChosen(isNone)
    if (fetching || isNone) return
    onSubmit(inputOf(draft))
  }
  const cancel = () => {
    draftState.forget()
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose} onSubmit={submit}>
      <Restored {...draftState} />
      <Field
        label={t.webhooks.address}
        type="url"
        autoFocus
        value={url}
        onChange={event => change({ url: event.target.value })}
        placeholder="https://shop.example.com/hooks"
        hint={t.webhooks.publicHttpsAddressThatAnswers}
        error={beside.url}
        autoComplete="off"
      />
      <Field
        label={t.webhooks.description}
        value={description}
        onChange={event => change({ description: event.target.value })}
        hint={t.webhooks.whatItIsForMay}
        error={beside.description}
        autoComplete="off"
      />
      <ChooseTypes
        chosen={types}
        isAll={isAll}
        error={noneChosen && isNone ? t.webhooks.chooseAtLeastOneEvent : beside.types}
        onChange={(all, chosen) => change({ isAll: all, types: chosen })}
      />
      {elsewhere && <Failed error={elsewhere} what={t.webhooks.endpointCouldNotBeSaved} />}
      <DialogActions onClose={cancel} act={act} acting={acting} busy={fetching} />
    </Dialog>
  )
}
