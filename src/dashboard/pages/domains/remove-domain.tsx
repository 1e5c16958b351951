import { useMutation } from '../../app/operations.ts'
import { type DomainRowFragment, RemoveDomainDocument } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'

export function RemoveDomain({ domain, onClose }: { domain: DomainRowFragment; onClose(): void }) {
  const [{ fetching, error, data }, remove] = useMutation(RemoveDomainDocument)
  const announce = useAnnounce()
  if (data) {
    const close = () => {
      announce(`Removed ${domain.displayName}.`)
      onClose()
    }
    return (
      <Dialog title={`${domain.displayName} is removed`} onClose={close}>
        <Notice tone="good" alert>
          <p>It is no longer served.</p>
        </Notice>
        <p>{data.domainRemove.note}</p>
        <div className="actions">
          <Button kind="primary" onClick={close}>
            Done
          </Button>
        </div>
      </Dialog>
    )
  }
  const submit = () => {
    if (!fetching) void remove({ input: { id: domain.id } }, { additionalTypenames: ['Domain'] })
  }
  return (
    <Dialog title={`Remove ${domain.displayName}?`} onClose={onClose} onSubmit={submit}>
      <p>This stops serving traffic for it immediately, and its certificate is no longer renewed.</p>
      {domain.primary && (
        <Notice tone="wait">
          <p>It is the primary domain. The next deploy should name another one.</p>
        </Notice>
      )}
      {error && <Failed error={error} what="The domain could not be removed" />}
      <DialogActions onClose={onClose} act="Remove" acting="Removing…" busy={fetching} isDangerous />
    </Dialog>
  )
}
