import { useProjectSlug } from '../app/project.ts'
import { Link } from '../app/router.tsx'
import { PageHead } from './page.tsx'

const parts = [
  { page: 'settings/domains', label: 'Domains' },
  { page: 'settings/addresses', label: 'Primary and redirects' },
  { page: 'settings/general', label: 'General' },
  { page: 'settings/members', label: 'Members' },
] as const

export function SettingsHead({ part }: { part: (typeof parts)[number]['page'] }) {
  const project = useProjectSlug() ?? null
  return (
    <>
      <PageHead title="Project settings" />
      <nav className="tabs" aria-label="Project settings">
        {parts.map(({ page, label }) => (
          <Link key={page} to={{ page, project }} aria-current={page === part ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
    </>
  )
}
