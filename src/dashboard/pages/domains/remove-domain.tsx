import { useMutation } from '../../app/operations.ts'
import { type DomainRowFragment, RemoveDomainDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
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
      announce(t.domains.removedDisplayName(domain.displayName))
      onClose()
    }
    return (
      <Dialog title={t.domains.displaynameIsRemoved(domain.displayName)} onClose={close}>
        <Notice tone="good" alert>
          <p>{t.domains.itIsNoLongerServed}</p>
        </Notice>
        <p>{data.domainRemove.note}</p>
        <div className="actions">
          <Button kind="primary" onClick={close}>
            {t.domains.done}
          </Button>
        </div>
      </Dialog>
    )
  }
  const submit = () => {
    if (!fetching) void remove({ input: { id: domain.id } }, { additionalTypenames: ['Domain'] })
  }
  return (
    <Dialog title={t.domains.removeDisplayName(domain.displayName)} onClose={onClose} onSubmit={submit}>
      <p>{t.domains.thisStopsServingTrafficFor}</p>
      {domain.primary && (
        <Notice tone="wait">
          <p>{t.domains.itIsPrimaryDomainNext}</p>
        </Notice>
      )}
      {error && <Failed error={error} what={t.domains.domainCouldNotBeRemoved} />}
      <DialogActions
        onClose={onClose}
        act={t.domains.remove}
        acting={t.domains.removing}
        busy={fetching}
        isDangerous
      />
    </Dialog>
  )
}
