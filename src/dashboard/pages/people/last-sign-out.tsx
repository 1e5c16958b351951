import { t } from '../../texts/pages.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'

type Props = { onClose(): void; onSure(): void }

/** Asks before a person signs out who could not sign in again. */
export default function LastSignOut({ onClose, onSure }: Props) {
  const submit = () => {
    onClose()
    onSure()
  }
  return (
    <Dialog title={t.people.signOutWithoutPasskeyQuestion} onClose={onClose} onSubmit={submit}>
      <p>{t.people.afterThisYouCannotSign}</p>
      <DialogActions
        act={t.shell.signOut}
        acting={t.shell.signOut}
        busy={false}
        isDangerous
        onClose={onClose}
      />
    </Dialog>
  )
}
