import { useMutation } from '../../app/operations.ts'
import { type DeployRowFragment, RollbackDocument } from '../../generated/pages/graphql.ts'
import { dateAndTime } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
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
    announce(t.deploys.idIsInServiceAs(deployName(made.id), deployName(to.id)), made.id)
    onClose()
  }
  return (
    <Dialog title={t.deploys.rollBackToId(deployName(to.id))} onClose={onClose} onSubmit={submit}>
      <p>{t.deploys.itsConfigurationOfWhenIs(dateAndTime(to.createdAt))}</p>
      {error && <Failed error={error} what={t.deploys.rollingBackWasRefused} />}
      {data?.deployRollback.deploy.state === 'failed' && (
        <Notice tone="bad" title={t.deploys.itFailedAndChangedNothing} alert>
          <DeployLog lines={data.deployRollback.deploy.log} />
        </Notice>
      )}
      <DialogActions
        onClose={onClose}
        act={t.deploys.rollBack}
        acting={t.deploys.rollingBack}
        busy={fetching}
      />
    </Dialog>
  )
}
