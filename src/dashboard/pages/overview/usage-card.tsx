import { useLiveQuery } from '../../app/live.ts'
import { useProjectSlug } from '../../app/project.ts'
import { UsageDocument, type UsageQuery } from '../../generated/graphql.ts'
import { number } from '../../ui/meter.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { date } from '../../ui/time.tsx'
import { UsageChart } from './usage-chart.tsx'

export type UsageDay = NonNullable<UsageQuery['project']>['usage']['days'][number]

export function UsageCard() {
  const project = useProjectSlug() ?? null
  const [{ data, error }, ask] = useLiveQuery({ query: UsageDocument, variables: { days: 30, project } })
  if (error && !data) {
    return (
      <Failed
        error={error}
        retry={() => ask({ requestPolicy: 'network-only' })}
        what="The usage could not be loaded"
      />
    )
  }
  if (!data) return <Loading lines={7} />
  const { requests, refusals, days, doors } = data.project.usage
  return (
    <section className="card stack" aria-labelledby="usage-title">
      <div className="row spread">
        <h2 id="usage-title">Last 30 days</h2>
        <ul className="row small legend">
          <li className="answered">{number(requests)} answered</li>
          <li className="refused">{number(refusals)} refused</li>
        </ul>
      </div>
      {requests + refusals === 0 ? (
        <p className="soft">No requests yet. The lines below make the first one.</p>
      ) : (
        <>
          <UsageChart days={days} />
          <p className="small soft">
            {doors
              .map(({ door, requests: through }) => `${number(through)} through ${doorNames[door]}`)
              .join(', ')}
            . Days are those of UTC.
          </p>
        </>
      )}
      <details>
        <summary>The same as a table</summary>
        <section className="table-frame" aria-label="Requests by day" tabIndex={0}>
          <DaysTable days={days} />
        </section>
      </details>
    </section>
  )
}

const doorNames = { rest: 'REST', graphql: 'GraphQL' }

function DaysTable({ days }: { days: UsageDay[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col" className="num">
            Answered
          </th>
          <th scope="col" className="num">
            Refused
          </th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(day => (
          <tr key={day.date}>
            <th scope="row">{date(day.date)}</th>
            <td className="num">{number(day.requests)}</td>
            <td className="num">{number(day.refusals)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
