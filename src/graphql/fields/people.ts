import { StoreError } from '../../core/errors.ts'
import { personBehind } from '../../core/keys/caller.ts'
import type { Role } from '../../core/keys/roles.ts'
import { invite, withdrawInvitation } from '../../core/people/invitations.ts'
import { mailInvitation, parseMailAddress } from '../../core/people/mail.ts'
import {
  listMemberships,
  removeMember,
  type Member as StoredMember,
  setRole,
} from '../../core/people/members.ts'
import { listPasskeys, removePasskey } from '../../core/people/passkeys.ts'
import { deletePerson, findPerson, renamePerson } from '../../core/people/people.ts'
import { endSession, endSessions, listSessions } from '../../core/people/sessions.ts'
import type { Project } from '../../core/project.ts'
import type { Person, Invitation as StoredInvitation } from '../../generated/prisma/client.ts'
import { mailDeadline } from '../../tools/mail.ts'
import type { Context } from '../context.ts'
import type {
  InvitationResolvers,
  MemberResolvers,
  MutationResolvers,
  PasskeyResolvers,
  ProjectResolvers,
  QueryResolvers,
  SessionResolvers,
  ViewerResolvers,
} from '../generated/resolvers.ts'
import { makeId, readId } from '../ids.ts'
import { withinInput } from '../input.ts'
import {
  callingPerson,
  ownedBy,
  projectToInviteTo,
  requireOwnProject,
  requireRights,
  uuidIn,
} from './people-rights.ts'

export type ShownViewer = Person & { role: Role }
export type ShownMember = StoredMember & { project: Project }
export type ShownInvitation = StoredInvitation & { project: Project }

export const peopleQueries = {
  viewer: (_parent, _args, context) => viewerOf(context),
} satisfies QueryResolvers

async function viewerOf(context: Context): Promise<ShownViewer> {
  const { id, role } = callingPerson(context)
  return { ...(await findPerson(context.tools.db, id)), role }
}

export const peopleMutations = {
  async memberInvite(_parent, { input: { projectId, role, email } }, context) {
    const { db, clock, config } = context.tools
    const address = email == null ? null : parseMailAddress('input.email', email)
    const { project, isForFirstOwner } = await projectToInviteTo(context, projectId ?? null)
    if (isForFirstOwner && role !== 'owner')
      throw new StoreError('insufficient_scope', 'The first member of a project must be an owner.')
    const { identity } = context
    const invitedBy = identity.kind === 'caller' ? personBehind(identity.caller) : null
    const { secret, invitation } = await invite(db, clock, project, { role, invitedBy, isForFirstOwner })
    // The secret is in the fragment, which browsers do not send, so no log and no link preview contains the secret.
    const url = `${config.publicUrl}/dashboard/invitation#${secret}`
    if (address === null) return { invitation: { ...invitation, project }, url, mail: null }
    context.mailUntil ??= mailDeadline()
    const mailed = { project, invitation, url }
    const mail = await mailInvitation(context.tools, address, mailed, context.mailUntil)
    return { invitation: { ...invitation, project }, url, mail }
  },

  async memberSetRole(_parent, { input: { id, role } }, context) {
    const { project, own, by } = await ownedBy(context, 'member', id)
    return { member: { ...(await setRole(context.tools.db, project, own, role, by)), project } }
  },

  async memberRemove(_parent, { input: { id } }, context) {
    const { db, clock } = context.tools
    const { project, own, by } = await ownedBy(context, 'member', id, person => person.id)
    const { keys } = await removeMember(db, clock, project, own, by)
    return { memberId: id, apiKeys: keys }
  },

  async invitationWithdraw(_parent, { input: { id } }, context) {
    const { project, own } = await ownedBy(context, 'invitation', id)
    await withdrawInvitation(context.tools.db, project, own)
    return { invitationId: id }
  },

  async viewerRename(_parent, { input: { name } }, context) {
    const { id } = callingPerson(context)
    await withinInput(() => renamePerson(context.tools.db, id, name))
    return { viewer: await viewerOf(context) }
  },

  async viewerDelete(_parent, { input: { id } }, context) {
    const person = callingPerson(context)
    if (readId('person', id) !== person.id)
      throw new StoreError('member_not_found', 'This is not the id of the person who calls.')
    await deletePerson(context.tools.db, person.id)
    return { viewerId: id }
  },

  async sessionEnd(_parent, { input: { id } }, context) {
    await endSession(context.tools.db, callingPerson(context).id, uuidIn('session', id, 'session_not_found'))
    return { sessionId: id }
  },

  async sessionsEnd(_parent, { input: { current } }, context) {
    const { id, sessionId } = callingPerson(context)
    return { count: await endSessions(context.tools.db, id, current ? null : sessionId) }
  },

  async passkeyRemove(_parent, { input: { id } }, context) {
    await removePasskey(context.tools.db, callingPerson(context).id, readId('passkey', id) ?? '')
    return { passkeyId: id }
  },
} satisfies MutationResolvers

export const projectPeople = {
  sendsInvitations: (_project, _args, { tools }) => tools.mail !== null,
  async members(project, _args, context): Promise<ShownMember[]> {
    requireOwnProject(context, project)
    const members = await context.loaders().members.load(project.id)
    return members.map(member => ({ ...member, project }))
  },
  async invitations(project, _args, context): Promise<ShownInvitation[]> {
    requireRights(context, project)
    const invitations = await context.loaders().invitations.load(project.id)
    return invitations.map(invitation => ({ ...invitation, project }))
  },
} satisfies ProjectResolvers

export const Viewer = {
  id: ({ id }) => makeId('person', id),
  memberships: async ({ id }, _args, { tools }) =>
    (await listMemberships(tools.db, id)).map(({ project, role, joinedAt }) => ({
      ...{ projectSlug: project.slug, projectName: project.name, role, joinedAt },
    })),
  sessions: ({ id }, _args, { tools }) => listSessions(tools.db, tools.clock, id),
  passkeys: ({ id }, _args, { tools }) => listPasskeys(tools.db, id),
} satisfies ViewerResolvers

export const Session = {
  id: ({ id }) => makeId('session', id),
  current: ({ id }, _args, context) => callingPerson(context).sessionId === id,
} satisfies SessionResolvers

export const Passkey = { id: ({ id }) => makeId('passkey', id) } satisfies PasskeyResolvers

export const Member = {
  id: ({ project, personId }) => makeId('member', `${project.slug}_${personId}`),
  name: ({ person }) => person.name,
  current: ({ personId }, _args, { identity }) =>
    identity.kind === 'caller' && identity.caller.person?.id === personId,
} satisfies MemberResolvers

export const Invitation = {
  id: ({ project, id }) => makeId('invitation', `${project.slug}_${id}`),
  invitedBy: ({ invitedBy }, _args, { loaders }) =>
    invitedBy === null ? null : loaders().personName.load(invitedBy),
} satisfies InvitationResolvers
