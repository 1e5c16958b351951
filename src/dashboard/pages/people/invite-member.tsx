import { useState } from 'react'
import { useKeepOpen } from '../../app/keep-open.tsx'
import { useMutation } from '../../app/operations.ts'
import type { Role } from '../../app/person.ts'
import { useProjectId } from '../../app/project.ts'
import { InviteMemberDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Failed } from '../../ui/states.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { RoleChoice } from './role-choice.tsx'

type Props = { isFirst: boolean; sends: boolean; onClose(): void }

/** Makes a link to send to one person. The first member of a project is an owner. */
export function InviteMember({ isFirst, sends, onClose }: Props) {
  const projectId = useProjectId()
  const [{ fetching, error }, invite] = useMutation(InviteMemberDocument)
  const [role, setRole] = useState<Role>(isFirst ? 'owner' : 'developer')
  const [email, setEmail] = useState('')
  const keepOpen = useKeepOpen()
  const submit = async () => {
    if (fetching) return
    const to = email.trim()
    const input = { projectId, role, email: to || null }
    const { data } = await invite({ input }, { additionalTypenames: ['Invitation'] })
    if (!data) return
    keepOpen(close => <InvitationLink made={data.memberInvite} email={to} onClose={close} />)
    onClose()
  }
  return (
    <Dialog title={t.people.inviteSomebody} onClose={onClose} onSubmit={submit}>
      <RoleChoice role={role} onChange={setRole} {...(isFirst && { offered: ['owner'] })} />
      {sends && (
        <Field
          label={t.people.email}
          type="email"
          autoComplete="off"
          value={email}
          onChange={event => setEmail(event.target.value)}
          hint={t.people.linkIsSentThere}
        />
      )}
      {error && <Failed error={error} what={t.people.invitationCouldNotBeMade} />}
      <DialogActions onClose={onClose} act={t.people.makeLink} acting={t.people.makingLink} busy={fetching} />
    </Dialog>
  )
}
