import { useProjectSlug } from '../app/project.ts'
import { Link } from '../app/router.tsx'
import { useSession } from '../app/session.ts'
import { t } from '../texts/pages.ts'
import { PageHead } from './page.tsx'

const parts = [
  { page: 'settings/domains', label: t.ui.domains },
  { page: 'settings/addresses', label: t.ui.primaryAndRedirects },
  { page: 'settings/general', label: t.ui.general },
  { page: 'settings/members', label: t.ui.members },
  { page: 'settings/webhooks', label: t.ui.webhooks },
  { page: 'settings/activity', label: t.ui.activity },
] as const

export function SettingsHead({ part }: { part: (typeof parts)[number]['page'] }) {
  const project = useProjectSlug() ?? null
  const { operator } = useSession()
  // Hide the webhooks tab from operators, because an operator's key cannot manage the webhook endpoints of a project.
  const shown = parts.filter(({ page }) => !operator || page !== 'settings/webhooks')
  return (
    <>
      <PageHead title={t.ui.projectSettings} />
      <nav className="tabs" aria-label={t.ui.projectSettings}>
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

/**
 * Scrolls the current tab into view, because on a phone the row of tabs is wider than the window and scrolls sideways.
 */
function bringIntoView(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
