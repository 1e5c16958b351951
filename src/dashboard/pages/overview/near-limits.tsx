import type { ReactNode } from 'react'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import type { WindowFragment } from '../../generated/graphql.ts'
import { number } from '../../texts/format.ts'
import { t } from '../../texts/index.ts'
import { Notice } from '../../ui/notice.tsx'
import { Until } from '../../ui/time.tsx'
import { areDomainsNear, isWindowNear, type Limits, spent } from './near.ts'

type Warning = { of: string; text: ReactNode }

const mostShown = 10

/** Warns before the use of the project reaches a limit, and before an API key expires. */
export default function NearLimits({ minute, day, news }: Limits) {
  const project = useProjectSlug() ?? null
  const most = news?.limits.domains ?? 0
  const domains = news?.domains.nodes.length ?? 0
  const { nodes: keys = [], pageInfo } = news?.ending ?? {}
  const others = keys.length - mostShown
  const limits = [
    isWindowNear(day) && { of: 'day', text: <Spent window={day} words={t.overview.usedOfDay} /> },
    isWindowNear(minute) && {
      of: 'minute',
      text: <Spent window={minute} words={t.overview.usedOfMinute} />,
    },
    areDomainsNear(news) && {
      of: 'domains',
      text: (
        <>
          {t.overview.domainsInUse(number(domains), number(most))}{' '}
          <Link to={{ page: 'settings/domains', project }}>{t.overview.removeUnusedDomains}</Link>
        </>
      ),
    },
  ].filter(each => each !== false)
  const ends = keys.slice(0, mostShown).map(({ id, name, expiresAt }) => ({
    of: id,
    text: <>{t.overview.nameExpiresInExpiresAt(name, expiresAt && <Until at={expiresAt} />)}</>,
  }))
  return (
    <>
      <Warnings title={t.overview.approachingLimit} warnings={limits} />
      {/* Warn early, before clients get refused. */}
      <Warnings
        title={ends.length === 1 ? t.overview.keyExpiresSoon : t.overview.keysExpiringSoon}
        warnings={ends}
      >
        <Link to={{ page: 'keys', project, query: { state: 'ending' } }}>
          {others > 0
            ? (pageInfo?.hasNextPage ? t.overview.andMoreThan : t.overview.andMore)(number(others))
            : t.overview.goToApiKeys}
        </Link>
      </Warnings>
    </>
  )
}

function Warnings({
  title,
  warnings,
  children,
}: {
  title: string
  warnings: Warning[]
  children?: ReactNode
}) {
  if (warnings.length === 0) return null
  return (
    <Notice tone="wait" title={title}>
      <ul className="stack-tight">
        {warnings.map(({ of, text }) => (
          <li key={of}>{text}</li>
        ))}
      </ul>
      {children && <p>{children}</p>}
    </Notice>
  )
}

function Spent({ window, words }: { window: WindowFragment; words: typeof t.overview.usedOfDay }) {
  const project = useProjectSlug() ?? null
  return (
    <>
      {words(number(spent(window)), number(window.limit), <Until at={window.resetAt} />)}{' '}
      <Link to={{ page: 'overview', project, query: { span: '24h' } }}>
        {t.overview.seeWhichKeysUsedThem}
      </Link>
    </>
  )
}
