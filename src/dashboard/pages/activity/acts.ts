import { t } from '../../texts/pages.ts'

/** The words for each type of audit entry, in the groups of the filter. The name of the thing follows the words. */
export const actGroups = {
  api_key: {
    title: t.activity.apiKeys,
    acts: {
      'api_key.issued': t.activity.issuedApiKey,
      'api_key.rotated': t.activity.rotatedApiKey,
      'api_key.revoked': t.activity.revokedApiKey,
      'api_key.expiring': t.activity.warnedThatKeyEndsSoon,
      'api_key.leaked': t.activity.reportedLeakedApiKey,
      'api_key.changed': t.activity.changedApiKey,
      'api_key.removed': t.activity.removedApiKey,
      'api_key.refused': t.activity.wasRefusedForMissingScope,
      'api_key.banned': t.activity.bannedApiKey,
      'api_key.ban_lifted': t.activity.liftedBanOfApiKey,
    },
  },
  domain: {
    title: t.activity.domainsAndCertificates,
    acts: {
      'domain.added': t.activity.addedDomain,
      'domain.verified': t.activity.verifiedDomain,
      'domain.drifted': t.activity.foundChangedDnsRecordsOf,
      'domain.lost': t.activity.tookOutOfServiceDomain,
      'domain.changed': t.activity.changedDomain,
      'domain.removed': t.activity.removedDomain,
      'certificate.issued': t.activity.gotCertificateFor,
      'certificate.failed': t.activity.failedToGetCertificateFor,
      'certificate.expiring': t.activity.warnedThatCertificateEndsSoon,
      'certificate.removed': t.activity.removedCertificateOf,
    },
  },
  deploy: {
    title: t.activity.deploys,
    acts: {
      'deploy.succeeded': t.activity.publishedDeploy,
      'deploy.failed': t.activity.failedToPublishDeploy,
      'deploy.changed': t.activity.changedDeploy,
      'deploy.removed': t.activity.removedDeploy,
    },
  },
  project: {
    title: t.activity.projectAndPlan,
    acts: {
      'project.created': t.activity.createdProject,
      'project.changed': t.activity.changedProject,
      'project.suspended': t.activity.suspendedProject,
      'project.resumed': t.activity.resumedProject,
      'project.removed': t.activity.removedProject,
      'project.rate_limit_reset': t.activity.resetLimitsOfProject,
      'plan.changed': t.activity.changedPlanOf,
      'limit.reached': t.activity.warnedAboutLimitOf,
      'usage.recorded': t.activity.recordedUsageOf,
    },
  },
  webhook: {
    title: t.activity.webhooks,
    acts: {
      'webhook.added': t.activity.addedEndpoint,
      'webhook.changed': t.activity.changedEndpoint,
      'webhook.disabled': t.activity.disabledEndpoint,
      'webhook.removed': t.activity.removedEndpoint,
    },
  },
  member: {
    title: t.activity.members,
    acts: {
      'member.added': t.activity.addedMember,
      'member.changed': t.activity.changedRoleOf,
      'member.removed': t.activity.removedMember,
      'invitation.added': t.activity.invitedSomebody,
      'invitation.changed': t.activity.changedInvitationOfSomebody,
      'invitation.removed': t.activity.endedInvitationOfSomebody,
      'join_domain.added': t.activity.letPeopleJoinFrom,
      'join_domain.changed': t.activity.changedRoleOfPeopleFrom,
      'join_domain.removed': t.activity.noLongerLetsJoinFrom,
    },
  },
} as const

/** Entries of the service itself, which an operator sees. */
const serviceActs = {
  'plan.limits_changed': t.activity.changedLimitsOfPlan,
  'table.truncated': t.activity.emptiedTable,
  'person.added': t.activity.addedPerson,
  'person.changed': t.activity.changedPerson,
  'person.removed': t.activity.removedPerson,
  'passkey.added': t.activity.addedPasskey,
  'passkey.changed': t.activity.changedPasskey,
  'passkey.removed': t.activity.removedPasskey,
  'operator.added': t.activity.madeOperator,
  'operator.removed': t.activity.endedOperator,
  'certificates.resumed': t.activity.resumedCertificates,
}

export type Group = keyof typeof actGroups
export const groups = Object.keys(actGroups) as Group[]

const words: Record<string, string> = Object.assign(
  {},
  serviceActs,
  ...groups.map(group => actGroups[group].acts),
)

/** Returns the words for an event type, such as "Issued the API key"; the type itself if this page does not know it. */
export const actWords = (type: string) => words[type] ?? type

/** Returns the event types that a value of the filter selects: all types of a group, or one type. */
export function typesOf(value: string | null): string[] | null {
  const group = groups.find(each => each === value)
  if (group) return Object.keys(actGroups[group].acts)
  return value ? [value] : null
}
