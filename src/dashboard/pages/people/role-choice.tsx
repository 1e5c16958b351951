import type { Role } from '../../app/person.ts'
import { t } from '../../texts/pages.ts'
import { Choice } from '../../ui/field.tsx'

const roles: readonly Role[] = ['viewer', 'developer', 'owner']
const allows: Record<Role, string> = {
  viewer: t.people.seesEverythingAndChangesNothing,
  developer: t.people.doesEverythingExceptChangingMembers,
  owner: t.people.doesEverything,
}

type Props = { role: Role; offered?: readonly Role[]; onChange(role: Role): void }

/** The choice of a member's role, with a hint that says what the role allows. */
export function RoleChoice({ role, offered = roles, onChange }: Props) {
  return (
    <Choice
      label={t.people.role}
      value={role}
      onChange={event => onChange(event.target.value as Role)}
      hint={allows[role]}
    >
      {offered.map(each => (
        <option key={each} value={each}>
          {t.people.roles[each]}
        </option>
      ))}
    </Choice>
  )
}
