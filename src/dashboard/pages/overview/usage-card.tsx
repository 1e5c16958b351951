import { now } from '../../app/clock.ts'
import { useLiveQuery } from '../../app/live.ts'
import { useProjectSlug } from '../../app/project.ts'
import { useRouter } from '../../app/router.tsx'
import { UsageDocument, type UsageQuery } from '../../generated/graphql.ts'
import { number } from '../../texts/format.ts'
import { t } from '../../texts/index.ts'
import { Segments, useFilter } from '../../ui/filter.tsx'
import { part } from '../../ui/part.tsx'
import { Failed, Loading, Outdated } from '../../ui/states.tsx'
import { Explained, Legend } from '../../usage/legend.tsx'
import { chosenStep, comparison, endOfPeriodBefore } from '../../usage/period-before.ts'
import { allOf, type Span, spanNamed, spans, spanValues, stepsOf } from '../../usage/spans.ts'
import { UsageChart } from '../../usage/usage-chart.tsx'
import { DownloadUsage } from './download-usage.tsx'

// Load the code on demand: the first page load must stay small.
const UsageParts = part(
  () => import('../../usage/usage-parts.tsx'),
  () => <Loading lines={4} />,
)

/** After the choice of another period, show all of the period instead of one day or hour. */
const wholePeriod = { at: null }

type Project = NonNullable<UsageQuery['project']>

export function UsageCard() {
  const span = spanNamed(useFilter('span', spanValues))
  const { days, hours } = span
  const project = useProjectSlug() ?? null
  const before = endOfPeriodBefore(span, now())
  const variables = { days, hours, project, before }
  const [{ data, error }, ask] = useLiveQuery({ query: UsageDocument, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  if (error && !data) return <Failed error={error} retry={again} what={t.overview.usageCouldNotBeLoaded} />
  return (
    <section className="card stack" aria-labelledby="usage-title" id="usage">
      <div className="row spread">
        <h2 id="usage-title">{span.title}</h2>
        <div className="row">
          <Segments label={t.overview.howFarBack} name="span" options={spans} clears={wholePeriod} />
          <DownloadUsage span={span} />
        </div>
      </div>
      {data && <Outdated error={error} retry={again} />}
      {data ? <Shown {...data.project} span={span} /> : <Loading lines={7} />}
    </section>
  )
}

function Shown({ usage, before, span }: Pick<Project, 'usage' | 'before'> & { span: Span }) {
  const { query, ask } = useRouter()
  const steps = stepsOf(usage)
  const earlier = allOf(before) > 0 ? stepsOf(before) : []
  const picked = chosenStep(steps, query.get('at'))
  if (allOf(usage) === 0) {
    return (
      <p className="soft">
        {span.hours ? t.overview.noRequestsInTheseHours : t.overview.noRequestsInTheseDays}
      </p>
    )
  }
  const compared = comparison(span, steps, earlier)
  return (
    <>
      <Legend counts={usage}>
        {earlier.length > 0 && (
          <li className="before">{t.usage.inPeriodBefore(number(allOf(before)), span.before)}</li>
        )}
      </Legend>
      {compared && <p className="small">{compared}</p>}
      <UsageChart
        steps={steps}
        before={earlier}
        label={span.requests}
        picked={picked?.at ?? null}
        onPick={step => ask({ at: step.at === picked?.at ? null : step.at })}
      />
      <Explained counts={usage}>{span.hours ? null : t.overview.daysAreInUtc}</Explained>
      <UsageParts span={span} steps={steps} picked={picked} />
    </>
  )
}
