import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { postSession } from '../../app/person.ts'
import { useSession } from '../../app/session.ts'
import { DeleteViewerDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { download } from '../../ui/download.ts'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'

/** Lets the signed-in person download their data, or delete their profile. */
export function YourData({ id }: { id: string }) {
  const { key } = useSession()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [deleting, setDeleting, close] = useDialog<true>()
  const exportData = async () => {
    if (busy || typeof key === 'string') return
    setBusy(true)
    setRefused(null)
    try {
      const data = await postSession('/export', {}, await key.bearer())
      download('your-data.json', new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
    } catch (fault) {
      setRefused(fault instanceof Error ? fault.message : t.people.yourDataCouldNotBe)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="stack" aria-labelledby="data-title">
      <h2 id="data-title">{t.people.yourData}</h2>
      {refused && (
        <Notice tone="bad" alert>
          <p>{refused}</p>
        </Notice>
      )}
      <div className="row">
        <Button busy={busy} onClick={exportData}>
          {t.people.downloadYourData}
        </Button>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          {t.people.deleteYourProfile}
        </Button>
      </div>
      {deleting && <DeleteProfile id={id} onClose={close} />}
    </section>
  )
}

function DeleteProfile({ id, onClose }: { id: string; onClose(): void }) {
  const [{ fetching, error }, remove] = useMutation(DeleteViewerDocument)
  const { signOut } = useSession()
  const submit = async () => {
    if (!fetching && (await remove({ input: { id } })).data) signOut()
  }
  return (
    <Dialog title={t.people.deleteYourProfileQuestion} onClose={onClose} onSubmit={submit}>
      <p>{t.people.youLeaveAllYourProjects}</p>
      {error && <Failed error={error} what={t.people.yourProfileCouldNotBeDeleted} />}
      <DialogActions
        act={t.people.deleteIt}
        acting={t.people.deleting}
        busy={fetching}
        isDangerous
        onClose={onClose}
      />
    </Dialog>
  )
}
