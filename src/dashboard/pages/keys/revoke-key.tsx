import { useMutation } from '../../app/operations.ts'
import { useSession } from '../../app/session.ts'
import { type KeyRowFragment, RevokeApiKeyDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
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
    announce(t.keys.revokedName(apiKey.name), apiKey.id)
    onClose()
  }
  return (
    <Dialog title={t.keys.revokeName(apiKey.name)} onClose={onClose} onSubmit={submit}>
      <p>
        {t.keys.requestsWillStop(<span className="mono">{apiKey.prefix}…</span>)}{' '}
        {apiKey.lastUsedAt ? t.keys.itWasLastUsedWhen(<Ago at={apiKey.lastUsedAt} />) : t.keys.itWasNeverUsed}
      </p>
      {apiKey.current && (
        <Notice tone="wait">
          <p>{t.keys.thisIsKeyOfThis}</p>
        </Notice>
      )}
      {error && <Failed error={error} what={t.keys.keyCouldNotBeRevoked} />}
      <DialogActions
        onClose={onClose}
        act={t.keys.revoke}
        acting={t.keys.revoking}
        busy={fetching}
        isDangerous
      />
    </Dialog>
  )
}
