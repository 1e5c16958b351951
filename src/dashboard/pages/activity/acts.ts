/** The entries of the audit log in words, by type, in the groups of the filter. The name of the thing follows. */
export const actGroups = {
  api_key: {
    title: 'API keys',
    acts: {
      'api_key.issued': 'Issued the API key',
      'api_key.rotated': 'Rotated the API key',
      'api_key.revoked': 'Revoked the API key',
      'api_key.expiring': 'Warned that a key ends soon:',
      'api_key.leaked': 'Reported the leaked API key',
      'api_key.changed': 'Changed the API key',
      'api_key.removed': 'Removed the API key',
      'api_key.refused': 'Was refused for a missing scope:',
      'api_key.banned': 'Banned the API key',
      'api_key.ban_lifted': 'Lifted the ban of the API key',
    },
  },
  domain: {
    title: 'Domains and certificates',
    acts: {
      'domain.added': 'Added the domain',
      'domain.verified': 'Verified the domain',
      'domain.drifted': 'Found changed DNS records of',
      'domain.lost': 'Took out of service the domain',
      'domain.changed': 'Changed the domain',
      'domain.removed': 'Removed the domain',
      'certificate.issued': 'Got a certificate for',
      'certificate.failed': 'Failed to get a certificate for',
      'certificate.expiring': 'Warned that a certificate ends soon:',
      'certificate.removed': 'Removed the certificate of',
    },
  },
  deploy: {
    title: 'Deploys',
    acts: {
      'deploy.succeeded': 'Published the deploy',
      'deploy.failed': 'Failed to publish the deploy',
      'deploy.changed': 'Changed the deploy',
      'deploy.removed': 'Removed the deploy',
    },
  },
  project: {
    title: 'Project and plan',
    acts: {
      'project.created': 'Created the project',
      'project.changed': 'Changed the project',
      'project.suspended': 'Suspended the project',
      'project.resumed': 'Resumed the project',
      'project.removed': 'Removed the project',
      'project.rate_limit_reset': 'Reset the limits of the project',
      'plan.changed': 'Changed the plan of',
      'limit.reached': 'Warned about the limit of',
      'usage.recorded': 'Recorded the usage of',
    },
  },
  webhook: {
    title: 'Webhooks',
    acts: {
      'webhook.added': 'Added the endpoint',
      'webhook.changed': 'Changed the endpoint',
      'webhook.disabled': 'Disabled the endpoint',
      'webhook.removed': 'Removed the endpoint',
    },
  },
  member: {
    title: 'Members',
    acts: {
      'member.added': 'Added the member',
      'member.changed': 'Changed the role of',
      'member.removed': 'Removed the member',
      'invitation.added': 'Invited somebody',
      'invitation.changed': 'Changed the invitation of somebody',
      'invitation.removed': 'Ended the invitation of somebody',
    },
  },
} as const

/** Entries of the service itself, which an operator sees. */
const serviceActs = {
  'plan.limits_changed': 'Changed the limits of the plan',
  'table.truncated': 'Emptied the table',
  'person.added': 'Added the person',
  'person.changed': 'Changed the person',
  'person.removed': 'Removed the person',
  'passkey.added': 'Added the passkey',
  'passkey.changed': 'Changed the passkey',
  'passkey.removed': 'Removed the passkey',
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

/** The types that a value of the filter stands for: a group, or one type. */
export function typesOf(value: string | null): string[] | null {
  const group = groups.find(each => each === value)
  if (group) return Object.keys(actGroups[group].acts)
  return value ? [value] : null
}
