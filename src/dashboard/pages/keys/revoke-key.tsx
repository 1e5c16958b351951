import { useMutation } from '../../app/operations.ts'
import { useSession } from '../../app/session.ts'
import { type KeyRowFragment, RevokeApiKeyDocument } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'

export function RevokeKey({ apiKey, onClose }: { apiKey: KeyRowFragment; onClose(): void }) {
  const [{ fetching, error }, revoke] = useMutation(RevokeApiKeyDocument)
  const announce = useAnnounce()
  const { signOut } = useSession()
  const submit = async () => {
    if (fetching) return
    const { data } = await revoke({ input: { id: apiKey.id } })
    if (!data) return
    if (apiKey.current) return signOut()
    announce(`Revoked ${apiKey.name}.`, apiKey.id)
    onClose()
  }
  return (
    <Dialog title={`Revoke ${apiKey.name}?`} onClose={onClose} onSubmit={submit}>
      <p>
        Requests with <span className="mono">{apiKey.prefix}…</span> will stop working within a second. This
        can’t be undone.{' '}
        {apiKey.lastUsedAt ? (
          <>
            It was last used <Ago at={apiKey.lastUsedAt} />.
          </>
        ) : (
          'It was never used.'
        )}
      </p>
      {apiKey.current && (
        <Notice tone="wait">
          <p>This is the key of this session: revoking it signs you out.</p>
        </Notice>
      )}
      {error && <Failed error={error} what="The key could not be revoked" />}
      <DialogActions onClose={onClose} act="Revoke" acting="Revoking…" busy={fetching} isDangerous />
    </Dialog>
  )
}
