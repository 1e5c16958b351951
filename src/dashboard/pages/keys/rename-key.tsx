import { useDraft } from '../../app/draft.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { type KeyRowFragment, RenameApiKeyDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'

export const keyNameWords = t.keys.enterNameOfAtMost

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
    announce(t.keys.renamed(apiKey.name, data.apiKeyRename.apiKey.name), apiKey.id)
    cancel()
  }
  return (
    <Dialog title={t.keys.renameName(apiKey.name)} onClose={onClose} onSubmit={submit}>
      <Restored {...draftState} />
      <Field
        label={t.keys.name}
        autoFocus
        value={name}
        onChange={event => setName(event.target.value)}
        error={beside.name}
        autoComplete="off"
      />
      {elsewhere && <Failed error={elsewhere} what={t.keys.keyCouldNotBeRenamed} />}
      <DialogActions onClose={cancel} act={t.keys.rename} acting={t.keys.renaming} busy={fetching} />
    </Dialog>
  )
}
