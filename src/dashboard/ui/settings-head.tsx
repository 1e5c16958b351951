import { useProjectSlug } from '../app/project.ts'
import { Link } from '../app/router.tsx'
import { useSession } from '../app/session.ts'
import { PageHead } from './page.tsx'

const parts = [
  { page: 'settings/domains', label: 'Domains' },
  { page: 'settings/addresses', label: 'Primary and redirects' },
  { page: 'settings/general', label: 'General' },
  { page: 'settings/members', label: 'Members' },
  { page: 'settings/webhooks', label: 'Webhooks' },
  { page: 'settings/activity', label: 'Activity' },
] as const

export function SettingsHead({ part }: { part: (typeof parts)[number]['page'] }) {
  const project = useProjectSlug() ?? null
  const { operator } = useSession()
  // Endpoints belong to the store, which an operator's key cannot manage.
  const shown = parts.filter(({ page }) => !operator || page !== 'settings/webhooks')
  return (
    <>
      <PageHead title="Project settings" />
      <nav className="tabs" aria-label="Project settings">
        {shown.map(({ page, label }) => (
          <Link
            key={page}
            to={{ page, project }}
            aria-current={page === part ? 'page' : undefined}
            ref={page === part ? bringIntoView : null}
          >
            {label}
          </Link>
        ))}
      </nav>
    </>
  )
}

/** On a phone the tabs scroll sideways. */
function bringIntoView(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
