import { t } from '../texts/index.ts'
import { asOperator } from './person.ts'
import { useSession } from './session.ts'

/** Lists the projects of the signed-in person. For an operator, it also lists the service as a whole. */
export function ProjectSwitcher() {
  const { key, operator, projectSlug, openProject } = useSession()
  if (typeof key === 'string') return null
  const { projects, operator: rights } = key.access
  const mayOperate = rights === 'granted'
  if (projects.length + Number(mayOperate) < 2) return <p>{operator ? t.shell.operator : projectSlug}</p>
  return (
    <select
      className="input"
      aria-label={t.shell.project}
      value={operator ? asOperator : (projectSlug ?? '')}
      onChange={event => openProject(event.target.value)}
    >
      {projects.map(({ slug, name }) => (
        <option key={slug} value={slug}>
          {name}
        </option>
      ))}
      {mayOperate && <option value={asOperator}>{t.shell.asOperator}</option>}
    </select>
  )
}
