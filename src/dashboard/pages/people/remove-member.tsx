import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { useSession } from '../../app/session.ts'
import {
  type MemberRowFragment,
  RemoveMemberDocument,
  RevokeApiKeyDocument,
} from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'

/** Removes a member, then offers to revoke the API keys that the member issued. */
export function RemoveMember({ member, onClose }: { member: MemberRowFragment; onClose(): void }) {
  const [{ fetching, error, data }, remove] = useMutation(RemoveMemberDocument)
  const [{ fetching: revoking, error: notRevoked }, revoke] = useMutation(RevokeApiKeyDocument)
  const [revoked, setRevoked] = useState<readonly string[]>([])
  const { signOut } = useSession()
  const announce = useAnnounce()
  const keys = data?.memberRemove.apiKeys.filter(({ id }) => !revoked.includes(id)) ?? []

  const finish = () => {
    announce(t.people.removedMember(member.name))
    onClose()
  }
  const submit = async () => {
    if (fetching) return
    const { data: done } = await remove({ input: { id: member.id } })
    if (!done) return
    if (member.current) return signOut()
    if (done.memberRemove.apiKeys.length === 0) finish()
  }
  const revokeAll = async () => {
    if (revoking) return
    for (const { id } of keys) {
      const { data: done } = await revoke({ input: { id } })
      if (!done) return
      setRevoked(before => [...before, id])
    }
    finish()
  }
  if (data) {
    return (
      <Dialog title={t.people.nameIsRemoved(member.name)} onClose={finish}>
        <Notice tone="wait">
          <p>{t.people.theseApiKeysWhichName(keys.length, member.name)}</p>
        </Notice>
        <ul>
          {keys.map(({ id, name, prefix }) => (
            <li key={id} className="break">
              {name} <span className="mono soft">{prefix}…</span>
            </li>
          ))}
        </ul>
        {notRevoked && <Failed error={notRevoked} what={t.people.keysCouldNotBeRevoked} />}
        <div className="actions">
          <Button onClick={finish}>{t.people.keepKeys(keys.length)}</Button>
          <Button kind="danger" busy={revoking} onClick={revokeAll}>
            {t.people.revokeKeys(keys.length)}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog
      title={member.current ? t.people.leaveProjectQuestion : t.people.removeNameQuestion(member.name)}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{member.current ? t.people.youWillBeOut : t.people.memberWillBeOut(member.name)}</p>
      {error && <Failed error={error} what={t.people.memberCouldNotBeRemoved} />}
      <DialogActions
        onClose={onClose}
        act={member.current ? t.people.leave : t.people.remove}
        acting={member.current ? t.people.leaving : t.people.removing}
        busy={fetching}
        isDangerous
      />
    </Dialog>
  )
}
