import { useMutation } from '../../app/operations.ts'
import {
  type ProjectRowFragment,
  ResumeProjectDocument,
  SuspendProjectDocument,
} from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Failed } from '../../ui/states.tsx'

export function Suspend({ project, onClose }: { project: ProjectRowFragment; onClose(): void }) {
  const [suspending, suspend] = useMutation(SuspendProjectDocument)
  const [resuming, resume] = useMutation(ResumeProjectDocument)
  const announce = useAnnounce()
  const verb = project.suspended ? 'Resume' : 'Suspend'
  const busy = suspending.fetching || resuming.fetching
  const error = suspending.error ?? resuming.error
  const submit = async () => {
    if (busy) return
    const { data } = await (project.suspended ? resume : suspend)({ input: { id: project.id } })
    if (!data) return
    announce(`${project.suspended ? 'Resumed' : 'Suspended'} ${project.name}.`, project.id)
    onClose()
  }
  return (
    <Dialog title={`${verb} ${project.name}?`} onClose={onClose} onSubmit={submit}>
      <p>
        {project.suspended
          ? 'Its keys work again within a second.'
          : 'Its keys are refused until you resume it. Nothing is lost.'}
      </p>
      {error && <Failed error={error} what="It could not be done" />}
      <DialogActions
        out="Cancel"
        onClose={onClose}
        act={verb}
        acting={project.suspended ? 'Resuming…' : 'Suspending…'}
        busy={busy}
        isDangerous={!project.suspended}
      />
    </Dialog>
  )
}
