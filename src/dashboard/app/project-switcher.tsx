import { t } from '../texts/index.ts'
import { useSession } from './session.ts'

/** The projects of the signed-in person. Another one is opened with a token of its own. */
export function ProjectSwitcher() {
  const { key, projectSlug, openProject } = useSession()
  if (typeof key === 'string') return null
  const { projects } = key.access
  if (projects.length < 2) return <p>{projectSlug}</p>
  return (
    <select
      className="input"
      aria-label={t.shell.project}
      value={projectSlug ?? ''}
      onChange={event => openProject(event.target.value)}
    >
      {projects.map(({ slug, name }) => (
        <option key={slug} value={slug}>
          {name}
        </option>
      ))}
    </select>
  )
}
