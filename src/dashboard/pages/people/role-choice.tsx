import type { Role } from '../../app/person.ts'
import { t } from '../../texts/pages.ts'

export const roles: readonly Role[] = ['viewer', 'developer', 'owner']

export function RoleChoice({
  label,
  role,
  onChange,
}: {
  label: string
  role: Role
  onChange(role: Role): void
}) {
  return (
    <select
      className="input"
      aria-label={label}
      value={role}
      onChange={event => onChange(event.target.value as Role)}
    >
      {roles.map(each => (
        <option key={each} value={each}>
          {t.people.roles[each]}
        </option>
      ))}
    </select>
  )
}
