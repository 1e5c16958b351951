import { useMutation } from '../../app/operations.ts'
import { RemovePasskeyDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Failed } from '../../ui/states.tsx'

type Props = { id: string; again(): void; onClose(): void }

/** Asks before it removes the last passkey, because the person may then be unable to sign in again. */
export function RemoveLastPasskey({ id, again, onClose }: Props) {
  const [{ fetching, error }, remove] = useMutation(RemovePasskeyDocument)
  const announce = useAnnounce()
  const submit = async () => {
    if (fetching || !(await remove({ input: { id } })).data) return
    announce(t.people.removedPasskey)
    again()
    onClose()
  }
  return (
    <Dialog title={t.people.removeLastPasskeyQuestion} onClose={onClose} onSubmit={submit}>
      <p>{t.people.withoutPasskeyYouCannot}</p>
      {error && <Failed error={error} what={t.people.passkeyCouldNotBeRemoved} />}
      <DialogActions
        act={t.people.remove}
        acting={t.people.removing}
        busy={fetching}
        isDangerous
        onClose={onClose}
      />
    </Dialog>
  )
}
