import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import type { Role } from '../../app/person.ts'
import { useProjectId } from '../../app/project.ts'
import { InviteMemberDocument, type InviteMemberMutation } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { RoleChoice } from './role-choice.tsx'

type Mailed = NonNullable<NonNullable<InviteMemberMutation['memberInvite']>['mail']>
const notSent: Record<Exclude<Mailed, 'sent'>, string> = {
  failed: t.people.mailServerDidNotTake,
  limited: t.people.tooManyInvitationsSent,
  unavailable: t.people.serviceSendsNoMail,
}

type Props = { isFirst: boolean; sends: boolean; onClose(): void }

/** Makes a link to send to one person. The first member of a project is an owner. */
export function InviteMember({ isFirst, sends, onClose }: Props) {
  const projectId = useProjectId()
  const [{ fetching, error, data }, invite] = useMutation(InviteMemberDocument)
  const [role, setRole] = useState<Role>(isFirst ? 'owner' : 'developer')
  const [email, setEmail] = useState('')
  if (data) {
    const { url, mail, invitation } = data.memberInvite
    return (
      <Dialog title={t.people.invitationAs(t.people.roles[invitation.role])} onClose={onClose}>
        {mail && mail !== 'sent' && <Notice tone="wait">{notSent[mail]}</Notice>}
        <p>{mail === 'sent' ? t.people.sentLinkTo(email.trim()) : t.people.sendThisLinkToOne}</p>
        <div className="secret">
          <output aria-label={t.people.invitationsLink} className="mono break">
            {url}
          </output>
          <CopyButton text={url} what={t.people.link} label={t.people.copy} />
        </div>
        <div className="actions">
          <Button kind="primary" onClick={onClose}>
            {t.people.done}
          </Button>
        </div>
      </Dialog>
    )
  }
  const submit = () => {
    const input = { projectId, role, email: email.trim() || null }
    if (!fetching) void invite({ input }, { additionalTypenames: ['Invitation'] })
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
