import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { type MemberRowFragment, SetMemberRoleDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Failed } from '../../ui/states.tsx'
import { RoleChoice } from './role-choice.tsx'

type Props = { member: MemberRowFragment; onClose(): void }

export function ChangeRole({ member: { id, name, role: before }, onClose }: Props) {
  const [{ fetching, error }, setMemberRole] = useMutation(SetMemberRoleDocument)
  const [role, setRole] = useState(before)
  const announce = useAnnounce()
  const submit = async () => {
    if (fetching) return
    const { data } = await setMemberRole({ input: { id, role } })
    if (!data) return
    announce(t.people.changedRoleOfName(name, t.people.roles[role]))
    onClose()
  }
  return (
    <Dialog title={t.people.changeRoleOfName(name)} onClose={onClose} onSubmit={submit}>
      <RoleChoice role={role} onChange={setRole} />
      {error && <Failed error={error} what={t.people.roleCouldNotBeChanged} />}
      <DialogActions onClose={onClose} act={t.people.save} acting={t.people.saving} busy={fetching} />
    </Dialog>
  )
}
