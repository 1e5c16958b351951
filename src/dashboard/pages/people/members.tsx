import { useEffect, useState } from 'react'
import { findIssuer } from '../../app/issuer.ts'
import { useLiveQuery } from '../../app/live.ts'
import { useMutation } from '../../app/operations.ts'
import { useProjectSlug } from '../../app/project.ts'
import { useSession } from '../../app/session.ts'
import {
  InvitationsDocument,
  type MemberRowFragment,
  MembersDocument,
  WithdrawInvitationDocument,
} from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SettingsHead } from '../../ui/settings-head.tsx'
import { by, useSorted } from '../../ui/sort.ts'
import { Failed, Loading } from '../../ui/states.tsx'
import { Table, unseen } from '../../ui/table.tsx'
import { Ago, Until } from '../../ui/time.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { ChangeRole } from './change-role.tsx'
import { InviteMember } from './invite-member.tsx'
import { JoinDomains } from './join-domains.tsx'
import { RemoveMember } from './remove-member.tsx'

const everyMs = 30_000
const ranks = { owner: 0, developer: 1, viewer: 2 }
const sorts = {
  name: ({ name }: MemberRowFragment) => name,
  role: ({ role }: MemberRowFragment) => ranks[role],
  joined: ({ joinedAt }: MemberRowFragment) => Date.parse(joinedAt),
}

export default function Members() {
  const project = useProjectSlug() ?? null
  const { operator, key } = useSession()
  const [{ data, error }, ask] = useLiveQuery(
    { query: MembersDocument, variables: { project } },
    () => everyMs,
  )
  const [removing, setRemoving, closeRemoval] = useDialog<MemberRowFragment>()
  const [changing, setChanging, closeChange] = useDialog<MemberRowFragment>()
  const [inviting, setInviting, closeInvitation] = useDialog<true>()
  const [issuer, setIssuer] = useState<string | null>(null)
  useEffect(() => void findIssuer().then(setIssuer), [])
  const again = () => ask({ requestPolicy: 'network-only' })
  const members = data?.project.members ?? []
  const sorted = useSorted(members, sorts)
  const isOwner = operator || members.some(({ current, role }) => current && role === 'owner')
  const mayInvite = isOwner || (typeof key === 'string' && data !== undefined && members.length === 0)
  return (
    <>
      <SettingsHead part="settings/members" />
      <div className="stack loose">
        <div className="row spread">
          <p className="soft">
            {isOwner ? t.people.peopleWhoBelongToThis : t.people.peopleWhoBelongToThisProjectOnly}
          </p>
          {mayInvite && (
            <Button kind="primary" onClick={() => setInviting(true)}>
              {members.length === 0 && !operator ? t.people.inviteFirstOwner : t.people.inviteSomebody}
            </Button>
          )}
        </div>
        {error && !data ? (
          <Failed error={error} what={t.people.membersCouldNotBeLoaded} retry={again} />
        ) : !data ? (
          <Loading />
        ) : members.length === 0 ? (
          <p className="soft">{t.people.nobodyYetThisProjectIs}</p>
        ) : (
          <Table
            columns={[
              [t.people.name, undefined, by('name', 'joined', t.sorts.name)],
              [t.people.role, 'col-l', by('role', 'joined', t.sorts.role)],
              [t.people.joined, 'col-m wide', by('joined', 'joined', t.sorts.age)],
              [unseen(t.people.actions), 'col-l'],
            ]}
          >
            {sorted.map(member => (
              <tr key={member.id}>
                <th scope="row" className="break">
                  <span className="row">
                    {member.name} {member.current && <Badge tone="good">{t.people.you}</Badge>}
                  </span>
                </th>
                <td>
                  <span className="row">
                    {t.people.roles[member.role]}
                    {isOwner && (
                      <Button
                        onClick={() => setChanging(member)}
                        aria-label={t.people.changeRoleOfName(member.name)}
                      >
                        {t.people.change}
                      </Button>
                    )}
                  </span>
                </td>
                <td className="wide">
                  <Ago at={member.joinedAt} />
                </td>
                <td>
                  {(isOwner || member.current) && (
                    <Button
                      onClick={() => setRemoving(member)}
                      aria-label={member.current ? t.people.leaveProject : t.people.removeName(member.name)}
                    >
                      {member.current ? t.people.leave : t.people.remove}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
        {isOwner && <Invitations project={project} />}
        {isOwner && issuer !== null && <JoinDomains host={issuer} />}
      </div>
      {inviting && (
        <InviteMember
          isFirst={!isOwner}
          sends={data?.project.sendsInvitations ?? false}
          onClose={closeInvitation}
        />
      )}
      {changing && <ChangeRole member={changing} onClose={closeChange} />}
      {removing && (
        <RemoveMember
          member={removing}
          onClose={() => {
            closeRemoval()
            again()
          }}
        />
      )}
    </>
  )
}

function Invitations({ project }: { project: string | null }) {
  const [{ data, error }, ask] = useLiveQuery(
    { query: InvitationsDocument, variables: { project }, context: invitationContext },
    () => everyMs,
  )
  const [{ error: refused, fetching, data: withdrawn }, withdraw] = useMutation(WithdrawInvitationDocument)
  const announce = useAnnounce()
  if (error && !data) return <Failed error={error} what={t.people.invitationsCouldNotBeLoaded} />
  const invitations = data?.project.invitations ?? []
  if (invitations.length === 0) return null
  return (
    <section className="stack" aria-labelledby="invitations-title">
      <h2 id="invitations-title">{t.people.openInvitations}</h2>
      {refused && <Failed error={refused} what={t.people.invitationCouldNotBeWithdrawn} />}
      <Table
        columns={[
          [t.people.role],
          [t.people.madeBy, 'wide'],
          [t.people.ends, 'col-l'],
          [unseen(t.people.actions), 'col-l'],
        ]}
      >
        {invitations.map(({ id, role, invitedBy, expiresAt }) => (
          <tr key={id}>
            <th scope="row">{t.people.roles[role]}</th>
            <td className="wide break">
              {invitedBy ?? <span className="soft">{t.people.operatorOrKey}</span>}
            </td>
            <td>{t.people.inLeft(<Until at={expiresAt} />)}</td>
            <td>
              <Button
                // Stays busy until the row is gone, so that a double click withdraws once.
                busy={fetching || withdrawn?.invitationWithdraw.invitationId === id}
                aria-label={t.people.withdrawFor(t.people.roles[role])}
                onClick={async () => {
                  const { data: done } = await withdraw({ input: { id } })
                  if (done) announce(t.people.withdrewInvitation)
                  ask({ requestPolicy: 'network-only' })
                }}
              >
                {t.people.withdraw}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

/**
 * Makes urql load the list again after each new invitation. urql cannot find the type by itself if the list is empty.
 */
const invitationContext = { additionalTypenames: ['Invitation'] }
