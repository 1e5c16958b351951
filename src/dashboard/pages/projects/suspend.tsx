import { useMutation } from '../../app/operations.ts'
import {
  type ProjectRowFragment,
  ResumeProjectDocument,
  SuspendProjectDocument,
} from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Failed } from '../../ui/states.tsx'

export function Suspend({ project, onClose }: { project: ProjectRowFragment; onClose(): void }) {
  const [suspending, suspend] = useMutation(SuspendProjectDocument)
  const [resuming, resume] = useMutation(ResumeProjectDocument)
  const announce = useAnnounce()
  const verb = project.suspended ? t.projects.resume : t.projects.suspend
  const busy = suspending.fetching || resuming.fetching
  const error = suspending.error ?? resuming.error
  const submit = async () => {
    if (busy) return
    const { data } = await (project.suspended ? resume : suspend)({ input: { id: project.id } })
    if (!data) return
    announce(`${project.suspended ? t.projects.resumed : t.projects.suspended} ${project.name}.`, project.id)
    onClose()
  }
  return (
    <Dialog title={`${verb} ${project.name}?`} onClose={onClose} onSubmit={submit}>
      <p>{project.suspended ? t.projects.itsKeysWorkAgainWithin : t.projects.itsKeysAreRefusedUntil}</p>
      {error && <Failed error={error} what={t.projects.itCouldNotBeDone} />}
      <DialogActions
        out={t.projects.cancel}
        onClose={onClose}
        act={verb}
        acting={project.suspended ? t.projects.resuming : t.projects.suspending}
        busy={busy}
        isDangerous={!project.suspended}
      />
    </Dialog>
  )
}
