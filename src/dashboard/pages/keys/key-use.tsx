import { useLiveQuery } from '../../app/live.ts'
import { KeyUsageDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Segments, useFilter } from '../../ui/filter.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { AsTables } from '../../usage/as-tables.tsx'
import { Explained, Legend } from '../../usage/legend.tsx'
import { doorNames, spanNamed, spans, spanValues, stepsOf } from '../../usage/spans.ts'
import { UsageChart } from '../../usage/usage-chart.tsx'

/** Shows the usage of a key by day or hour, by API and by result. */
export function KeyUse({ id, name }: { id: string; name: string }) {
  const span = spanNamed(useFilter('span', spanValues))
  const { days, hours } = span
  const [{ data, error }, ask] = useLiveQuery({ query: KeyUsageDocument, variables: { id, days, hours } })
  const again = () => ask({ requestPolicy: 'network-only' })
  const usage = data?.node && 'usage' in data.node ? data.node.usage : undefined
  if (error && !usage) return <Failed error={error} retry={again} what={t.keys.usageCouldNotBeLoaded} />
  if (!usage) return <Loading lines={5} />
  const steps = stepsOf(usage)
  return (
    <section className="stack" aria-label={t.keys.usageOfName(name)}>
      <div className="row spread">
        <Legend counts={usage} />
        <Segments label={t.keys.howFarBack} name="span" options={spans} clears={{}} />
      </div>
      <UsageChart steps={steps} label={span.requestsOf(name)} height={150} />
      <Explained counts={usage}>{hours ? null : t.keys.daysAreInUtc}</Explained>
      <AsTables
        tables={[
          {
            ...t.usage.byDoor,
            lines: usage.doors.map(door => ({ ...door, id: door.door, name: doorNames[door.door] })),
          },
          {
            ...(hours ? t.usage.byHour : t.usage.byDay),
            lines: steps.map(step => ({ ...step, id: step.at })).reverse(),
          },
        ]}
      />
    </section>
  )
}
