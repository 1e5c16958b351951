import { useMutation } from '../../app/operations.ts'
import { type DeployRowFragment, RollbackDocument } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { dateAndTime } from '../../ui/time.tsx'
import { DeployLog } from './deploy-log.tsx'
import { deployName } from './deploy-name.ts'

export function RollBack({ to, onClose }: { to: DeployRowFragment; onClose(): void }) {
  const [{ fetching, error, data }, rollback] = useMutation(RollbackDocument)
  const announce = useAnnounce()
  const submit = async () => {
    if (fetching) return
    const { data: answer } = await rollback(
      { input: { id: to.id } },
      { additionalTypenames: ['Deploy', 'Project', 'Domain'] },
    )
    const made = answer?.deployRollback.deploy
    if (made?.state !== 'succeeded') return
    announce(`${deployName(made.id)} is in service, as ${deployName(to.id)} was.`, made.id)
    onClose()
  }
  return (
    <Dialog title={`Roll back to ${deployName(to.id)}?`} onClose={onClose} onSubmit={submit}>
      <p>Its configuration of {dateAndTime(to.createdAt)} is published again, as a new deploy.</p>
      {error && <Failed error={error} what="Rolling back was refused" />}
      {data?.deployRollback.deploy.state === 'failed' && (
        <Notice tone="bad" title="It failed and changed nothing" alert>
          <DeployLog lines={data.deployRollback.deploy.log} />
        </Notice>
      )}
      <DialogActions onClose={onClose} act="Roll back" acting="Rolling back…" busy={fetching} />
    </Dialog>
  )
}
