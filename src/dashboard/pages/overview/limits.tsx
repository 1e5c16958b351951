import type { CombinedError } from 'urql'
import { useLiveQuery } from '../../app/live.ts'
import { useProjectSlug } from '../../app/project.ts'
import { useMissing, useSession } from '../../app/session.ts'
import {
  ProjectRateLimitDocument,
  type ProjectRateLimitQuery,
  RateLimitDocument,
  type WindowFragment,
} from '../../generated/graphql.ts'
import { t } from '../../texts/index.ts'
import { Button } from '../../ui/button.tsx'
import { RefreshIcon } from '../../ui/icons.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Notice } from '../../ui/notice.tsx'
import { part } from '../../ui/part.tsx'
import { Failed, Loading, Outdated } from '../../ui/states.tsx'
import { Until, useWhenPassed } from '../../ui/time.tsx'
import { Inventory } from './inventory.tsx'
import { hasWarnings, type News, spent } from './near.ts'

// Load the code on demand: the first page load must stay small, and there is seldom anything to show.
const NearLimits = part(() => import('./near-limits.tsx'))

/**
 * Shows how many requests the plan has left. The query costs no request of the plan, so the dashboard sends the query
 * again when the minute or the day of a limit ends.
 */
export function OwnLimits({ news }: { news: News | undefined }) {
  const [{ data, error, fetching }, ask] = useLiveQuery({ query: RateLimitDocument })
  const again = () => ask({ requestPolicy: 'network-only' })
  return <Limits limits={data?.rateLimit} {...{ error, fetching, again, news }} />
}

/** Shows a project's limits to an operator, who has no key of the project. */
export function LimitsOfProject({ news }: { news: News | undefined }) {
  const project = useProjectSlug() ?? null
  const [{ data, error, fetching }, ask] = useLiveQuery({
    query: ProjectRateLimitDocument,
    variables: { project },
  })
  const again = () => ask({ requestPolicy: 'network-only' })
  return <Limits limits={data?.project.rateLimit} {...{ error, fetching, again, news }} />
}

type Known = NonNullable<ProjectRateLimitQuery['project']>['rateLimit']
type Props = {
  limits: Known | undefined
  error: CombinedError | undefined
  fetching: boolean
  again(): void
  news: News | undefined
}

function Limits({ limits, error, fetching, again, news }: Props) {
  const { operator } = useSession()
  const mayCount = useMissing('pets_read') === null && !operator
  useWhenPassed(used(limits?.minute), again)
  useWhenPassed(used(limits?.day), again)
  useWhenPassed(limits?.ban?.endsAt, again)

  if (error && !limits) return <Failed error={error} retry={again} what={t.overview.limitsCouldNotBeLoaded} />
  if (!limits) return <Loading />
  return (
    <>
      {hasWarnings({ ...limits, news }) && <NearLimits {...limits} news={news} />}
      <section className="stack" aria-labelledby="limits-title">
        <div className="row spread">
          <h2 id="limits-title">{t.overview.requests}</h2>
          <Button kind="quiet" onClick={again} busy={fetching} aria-label={t.overview.refreshLimits}>
            <RefreshIcon />
          </Button>
        </div>
        <Outdated error={error} retry={again} />
        {limits.ban && (
          <Notice tone="bad" title={t.overview.thisKeyIsBannedFor} alert>
            <p>
              {t.overview.itKeptSendingAfterIt(
                <Until at={limits.ban.endsAt} />,
                <span className="mono">Retry-After</span>,
              )}
            </p>
          </Notice>
        )}
        <div className="cards">
          <Window title={t.overview.thisMinute} window={limits.minute} />
          <Window title={t.overview.today} window={limits.day} />
        </div>
      </section>
      {mayCount && <Inventory isRefused={Math.min(limits.minute.remaining, limits.day.remaining) === 0} />}
    </>
  )
}

const used = (window: WindowFragment | undefined) =>
  window && window.remaining < window.limit ? window.resetAt : null

function Window({ title, window }: { title: string; window: WindowFragment }) {
  const taken = spent(window)
  return (
    <div className="card meter-card">
      <Meter label={title} value={taken} max={window.limit} />
      <p className="small soft">
        {taken === 0 ? (
          t.overview.resetsOnYourNextRequest
        ) : (
          <>
            {window.remaining === 0 && (
              <>
                <strong className="bad-text">{t.overview.limitReached}</strong>{' '}
              </>
            )}
            {t.overview.resetsIn(<Until at={window.resetAt} />)}
          </>
        )}
      </p>
    </div>
  )
}
