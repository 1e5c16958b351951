import { useDraft } from '../../app/draft.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { type KeyRowFragment, RenameApiKeyDocument } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'

export const keyNameWords = 'Enter a name of at most 100 characters.'

export function RenameKey({ apiKey, onClose }: { apiKey: KeyRowFragment; onClose(): void }) {
  const [{ fetching, error }, rename] = useMutation(RenameApiKeyDocument)
  const [name, setName, draftState] = useDraft(`name ${apiKey.id}`, () => apiKey.name)
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, { name: keyNameWords })
  const cancel = () => {
    draftState.forget()
    onClose()
  }
  const submit = async () => {
    if (fetching) return
    const { data } = await rename({ input: { id: apiKey.id, name } })
    if (!data) return
    announce(`Renamed ${apiKey.name} to ${data.apiKeyRename.apiKey.name}.`, apiKey.id)
    cancel()
  }
  return (
    <Dialog title={`Rename ${apiKey.name}`} onClose={onClose} onSubmit={submit}>
      <Restored {...draftState} />
      <Field
        label="Name"
        autoFocus
        value={name}
        onChange={event => setName(event.target.value)}
        error={beside.name}
        autoComplete="off"
      />
      {elsewhere && <Failed error={elsewhere} what="The key could not be renamed" />}
      <DialogActions onClose={cancel} act="Rename" acting="Renaming…" busy={fetching} />
    </Dialog>
  )
}
