import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import type { OverviewQuery } from '../../generated/graphql.ts'
import { number } from '../../texts/format.ts'
import { t } from '../../texts/index.ts'
import { Notice } from '../../ui/notice.tsx'

type Warnings = NonNullable<OverviewQuery['project']>['domainWarnings']

const mostShown = 5
const notServed = ['lost', 'plan_without_domains', 'no_certificate']

/**
 * Names the domains that visitors cannot reach now, and the domains that visitors will soon not be able to reach. The
 * service returns the worst domain first.
 */
export default function DomainsInTrouble({ warnings }: { warnings: Warnings }) {
  const project = useProjectSlug() ?? null
  const [worst] = warnings
  if (!worst) return null
  const more = warnings.length - mostShown
  return (
    <Notice
      tone={notServed.includes(worst.code) ? 'bad' : 'wait'}
      title={t.overview.domainsNeedAttention(warnings.length)}
    >
      <ul className="stack-tight">
        {warnings.slice(0, mostShown).map(({ message, domain: { id, name, displayName } }) => (
          <li key={id}>
            {message}{' '}
            <Link
              to={{ page: 'settings/domains', project, query: { open: name } }}
              aria-label={t.overview.detailsOfDisplayName(displayName)}
            >
              {t.overview.details}
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          <Link to={{ page: 'settings/domains', project }}>{t.overview.andMore(number(more))}</Link>
        </p>
      )}
    </Notice>
  )
}
