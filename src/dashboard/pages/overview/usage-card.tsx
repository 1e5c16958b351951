import { useLiveQuery } from '../../app/live.ts'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import { UsageDocument, type UsageQuery } from '../../generated/graphql.ts'
import { t } from '../../texts/index.ts'
import { Segments, useFilter } from '../../ui/filter.tsx'
import { Failed, Loading, Outdated } from '../../ui/states.tsx'
import { AsTables } from '../../usage/as-tables.tsx'
import { Explained, Legend } from '../../usage/legend.tsx'
import { Shares } from '../../usage/shares.tsx'
import {
  allOf,
  type Counts,
  doorNames,
  type Span,
  spanNamed,
  spans,
  spanValues,
  stepsOf,
} from '../../usage/spans.ts'
import { UsageChart } from '../../usage/usage-chart.tsx'
import { DownloadUsage } from './download-usage.tsx'

type Usage = NonNullable<UsageQuery['project']>['usage']

export function UsageCard() {
  const span = spanNamed(useFilter('span', spanValues))
  const { days, hours } = span
  const project = useProjectSlug() ?? null
  const [{ data, error }, ask] = useLiveQuery({ query: UsageDocument, variables: { days, hours, project } })
  const again = () => ask({ requestPolicy: 'network-only' })
  if (error && !data) return <Failed error={error} retry={again} what={t.overview.usageCouldNotBeLoaded} />
  return (
    <section className="card stack" aria-labelledby="usage-title" id="usage">
      <div className="row spread">
        <h2 id="usage-title">{span.title}</h2>
        <div className="row">
          <Segments label={t.overview.howFarBack} name="span" options={spans} keepsPage />
          <DownloadUsage span={span} />
        </div>
      </div>
      {data && <Outdated error={error} retry={again} />}
      {data ? <Shown usage={data.project.usage} span={span} /> : <Loading lines={7} />}
    </section>
  )
}

function Shown({ usage, span }: { usage: Usage; span: Span }) {
  const project = useProjectSlug() ?? null
  const steps = stepsOf(usage)
  if (allOf(usage) === 0) {
    return (
      <p className="soft">
        {span.hours ? t.overview.noRequestsInTheseHours : t.overview.noRequestsInTheseDays}
      </p>
    )
  }
  const others = notByKey(usage)
  const byDoor = usage.doors.map(door => ({ ...door, id: door.door, name: doorNames[door.door] }))
  const byKey = usage.keys.map(used => ({ ...used, id: used.key.id, name: used.key.name }))
  const rest = allOf(others) > 0 ? [{ ...others, id: 'others', name: t.overview.otherKeysOrNotCounted }] : []
  return (
    <>
      <Legend counts={usage} />
      <UsageChart steps={steps} label={span.requests} />
      <Explained counts={usage}>{span.hours ? null : t.overview.daysAreInUtc}</Explained>
      <div className="cards">
        <Shares title={t.overview.byApi} shares={byDoor} />
        <Shares
          title={t.overview.byKey}
          shares={[
            ...byKey.map(used => ({
              ...used,
              name: (
                <Link to={{ page: 'keys', project, query: { search: used.key.prefix, state: 'all' } }}>
                  {used.name}
                </Link>
              ),
            })),
            ...rest,
          ]}
        />
      </div>
      <AsTables
        tables={[
          {
            ...(span.hours ? t.usage.byHour : t.usage.byDay),
            lines: steps.map(step => ({ ...step, id: step.at })).reverse(),
          },
          { ...t.usage.byDoor, lines: byDoor },
          { ...t.usage.byKey, lines: [...byKey, ...rest] },
        ]}
      />
    </>
  )
}

/** Returns the usage of all keys that are not listed. */
function notByKey(usage: Usage): Counts {
  const left = (name: keyof Counts) =>
    Math.max(0, usage[name] - usage.keys.reduce((sum, used) => sum + used[name], 0))
  return {
    requests: left('requests'),
    refusals: left('refusals'),
    served: left('served'),
    faulty: left('faulty'),
    failed: left('failed'),
  }
}
