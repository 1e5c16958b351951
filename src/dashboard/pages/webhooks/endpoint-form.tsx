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
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'
import { SecretDialog } from '../keys/secret.tsx'
import { ChooseTypes } from './choose-types.tsx'

type Draft = { url: string; description: string; isAll: boolean; types: string[] }
type Input = { url: string; description: string | null; types: string[] }

export const secretWords = { short: 'secret', long: 'signing secret' }

export function AddEndpoint({ onClose }: { onClose(): void }) {
  const [{ fetching, error, data }, create] = useMutation(CreateWebhookDocument)
  const announce = useAnnounce()
  const [draft, setDraft, draftState] = useDraft<Draft>('add endpoint', () => ({
    ...{ url: '', description: '', isAll: true, types: [] },
  }))
  if (data) {
    const { secret, webhook } = data.webhookCreate
    const close = () => {
      draftState.forget()
      announce('Added the endpoint. It receives everything that happens from now on.', webhook.id)
      onClose()
    }
    return (
      <SecretDialog
        title="The endpoint’s signing secret"
        secret={secret}
        words={secretWords}
        note="Verify with it that an event comes from this store."
        onClose={close}
      />
    )
  }
  const send = (input: Input) => void create({ input }, { additionalTypenames: ['Webhook'] })
  return (
    <Form
      {...{ draft, setDraft, draftState, fetching, error, onClose }}
      title="Add an endpoint"
      act="Add endpoint"
      acting="Adding…"
      onSubmit={send}
    />
  )
}

export function EditEndpoint({ webhook, onClose }: { webhook: WebhookRowFragment; onClose(): void }) {
  const { id, url, description, types } = webhook
  const [{ fetching, error }, update] = useMutation(UpdateWebhookDocument)
  const announce = useAnnounce()
  const [draft, setDraft, draftState] = useDraft<Draft>(`edit ${id}`, () => ({
    ...{ url, description: description ?? '', isAll: types.length === 0, types: [...types] },
  }))
  const send = async (input: Input) => {
    const { data } = await update({ input: { id, ...input } })
    if (!data) return
    draftState.forget()
    announce('Saved the endpoint.')
    onClose()
  }
  return (
    <Form
      {...{ draft, setDraft, draftState, fetching, error, onClose }}
      title="Edit the endpoint"
      act="Save"
      acting="Saving…"
      onSubmit={input => void send(input)}
    />
  )
}

const words = {
  url: (message: string) => `The address ${message}.`,
  description: 'Enter at most 200 characters, or nothing.',
  types: (message: string) => `The events ${message}.`,
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
    onSubmit({ url, description: description.trim() || null, types: isAll ? [] : types })
  }
  const cancel = () => {
    draftState.forget()
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose} onSubmit={submit}>
      <Restored {...draftState} />
      <Field
        label="Address"
        type="url"
        autoFocus
        value={url}
        onChange={event => change({ url: event.target.value })}
        placeholder="https://shop.example.com/hooks"
        hint="A public https address that answers with a status of 2xx within 15 seconds."
        error={beside.url}
        autoComplete="off"
      />
      <Field
        label="Description"
        value={description}
        onChange={event => change({ description: event.target.value })}
        hint="What it is for; may be empty."
        error={beside.description}
        autoComplete="off"
      />
      <ChooseTypes
        chosen={types}
        isAll={isAll}
        error={noneChosen && isNone ? 'Choose at least one event.' : beside.types}
        onChange={(all, chosen) => change({ isAll: all, types: chosen })}
      />
      {elsewhere && <Failed error={elsewhere} what="The endpoint could not be saved" />}
      <DialogActions onClose={cancel} act={act} acting={acting} busy={fetching} />
    </Dialog>
  )
}
