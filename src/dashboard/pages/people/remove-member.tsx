import { Provider, useClient } from 'urql'
import { useKeepOpen } from '../../app/keep-open.tsx'
import { useMutation } from '../../app/operations.ts'
import { useSession } from '../../app/session.ts'
import { type MemberRowFragment, RemoveMemberDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Failed } from '../../ui/states.tsx'
import { KeysOfRemoved } from './keys-of-removed.tsx'

/** Removes a member, then offers to revoke the API keys that the member issued. */
export function RemoveMember({ member, onClose }: { member: MemberRowFragment; onClose(): void }) {
  const [{ fetching, error }, remove] = useMutation(RemoveMemberDocument)
  const { openAnotherProject } = useSession()
  const announce = useAnnounce()
  const client = useClient()
  const keepOpen = useKeepOpen()

  const submit = async () => {
    if (fetching) return
    const { data } = await remove({ input: { id: member.id } })
    if (!data) return
    if (member.current) return openAnotherProject()
    const { apiKeys } = data.memberRemove
    const finish = () => announce(t.people.removedMember(member.name))
    if (apiKeys.length === 0) finish()
    else
      keepOpen(close => (
        <Provider value={client}>
          <KeysOfRemoved
            member={member.name}
            issued={apiKeys}
            onClose={() => {
              close()
              finish()
            }}
          />
        </Provider>
      ))
    onClose()
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
