import type { InviteMemberMutation } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

type Made = NonNullable<InviteMemberMutation['memberInvite']>
const notSent: Record<Exclude<NonNullable<Made['mail']>, 'sent'>, string> = {
  failed: t.people.mailServerDidNotTake,
  limited: t.people.tooManyInvitationsSent,
  unavailable: t.people.serviceSendsNoMail,
}

/** Shows the link of a new invitation, which is not shown again. */
export function InvitationLink({ made, email, onClose }: { made: Made; email: string; onClose(): void }) {
  const { url, mail, invitation } = made
  return (
    <Dialog title={t.people.invitationAs(t.people.roles[invitation.role])} onClose={onClose}>
      {mail && mail !== 'sent' && <Notice tone="wait">{notSent[mail]}</Notice>}
      <p>{mail === 'sent' ? t.people.sentLinkTo(email) : t.people.sendThisLinkToOne}</p>
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
