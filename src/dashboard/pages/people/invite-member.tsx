import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import type { Role } from '../../app/person.ts'
import { useProjectId } from '../../app/project.ts'
import { InviteMemberDocument } from '../../generated/pages/graphql.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Choice } from '../../ui/field.tsx'
import { Failed } from '../../ui/states.tsx'
import { roles } from './role-choice.tsx'

const allows: Record<Role, string> = {
  viewer: 'Sees everything and changes nothing.',
  developer: 'Does everything except changing the members.',
  owner: 'Does everything.',
}

/** Makes a link to send to one person. The first member of a project is an owner. */
export function InviteMember({ isFirst, onClose }: { isFirst: boolean; onClose(): void }) {
  const projectId = useProjectId()
  const [{ fetching, error, data }, invite] = useMutation(InviteMemberDocument)
  const [role, setRole] = useState<Role>(isFirst ? 'owner' : 'developer')
  if (data) {
    const { url, invitation } = data.memberInvite
    return (
      <Dialog title={`An invitation as ${invitation.role}`} onClose={onClose}>
        <p>
          Send this link to one person. It works once, within seven days. You won’t be able to see it again.
        </p>
        <div className="secret">
          <output aria-label="The invitation’s link" className="mono break">
            {url}
          </output>
          <CopyButton text={url} what="the link" label="Copy" />
        </div>
        <div className="actions">
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    )
  }
  const submit = () => {
    if (!fetching) void invite({ input: { projectId, role } }, { additionalTypenames: ['Invitation'] })
  }
  return (
    <Dialog title="Invite somebody" onClose={onClose} onSubmit={submit}>
      <Choice
        label="Role"
        value={role}
        onChange={event => setRole(event.target.value as Role)}
        hint={allows[role]}
      >
        {(isFirst ? (['owner'] as const) : roles).map(each => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </Choice>
      {error && <Failed error={error} what="The invitation could not be made" />}
      <DialogActions onClose={onClose} act="Make a link" acting="Making a link…" busy={fetching} />
    </Dialog>
  )
}
