import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { type RemoveMemberMutation, RevokeApiKeyDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'

type Props = {
  /** Name of the removed member. */
  member: string
  issued: NonNullable<RemoveMemberMutation['memberRemove']>['apiKeys']
  onClose(): void
}

/** Offers to revoke the API keys that a removed member issued. */
export function KeysOfRemoved({ member, issued, onClose }: Props) {
  const [{ fetching, error }, revoke] = useMutation(RevokeApiKeyDocument)
  const [revoked, setRevoked] = useState<readonly string[]>([])
  const keys = issued.filter(({ id }) => !revoked.includes(id))
  const revokeAll = async () => {
    if (fetching) return
    for (const { id } of keys) {
      const { data } = await revoke({ input: { id } })
      if (!data) return
      setRevoked(before => [...before, id])
    }
    onClose()
  }
  return (
    <Dialog title={t.people.nameIsRemoved(member)} onClose={onClose}>
      <Notice tone="wait">
        <p>{t.people.theseApiKeysWhichName(keys.length, member)}</p>
      </Notice>
      <ul>
        {keys.map(({ id, name, prefix }) => (
          <li key={id} className="break">
            {name} <span className="mono soft">{prefix}…</span>
          </li>
        ))}
      </ul>
      {error && <Failed error={error} what={t.people.keysCouldNotBeRevoked} />}
      <div className="actions">
        <Button onClick={onClose}>{t.people.keepKeys(keys.length)}</Button>
        <Button kind="danger" busy={fetching} onClick={revokeAll}>
          {t.people.revokeKeys(keys.length)}
        </Button>
      </div>
    </Dialog>
  )
}
