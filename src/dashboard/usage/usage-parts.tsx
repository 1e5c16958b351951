import { useLiveQuery } from '../app/live.ts'
import { useProjectSlug } from '../app/project.ts'
import { Link, useRouter } from '../app/router.tsx'
import { UsagePartsDocument, type UsagePartsQuery } from '../generated/pages/graphql.ts'
import { t } from '../texts/pages.ts'
import { Button } from '../ui/button.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import { Failed, Loading, Outdated } from '../ui/states.tsx'
import { AsTables } from './as-tables.tsx'
import { momentOf } from './period-before.ts'
import { ResponseTimes } from './response-times.tsx'
import { Shares } from './shares.tsx'
import { allOf, type Counts, doorNames, type Span, type Step } from './spans.ts'
import { inWords } from './usage-chart.tsx'

type Usage = NonNullable<UsagePartsQuery['project']>['usage']
type Props = { span: Span; steps: Step[]; picked: Step | null }

/**
 * The usage by API and by key, and the response times, over the whole period, or over the day or hour that was picked
 * in the chart.
 */
export default function UsageParts({ span, steps, picked }: Props) {
  const project = useProjectSlug() ?? null
  const one = span.hours ? { days: null, hours: 1 } : { days: 1, hours: null }
  const { days, hours } = picked ? one : span
  const variables = { days, hours, project, until: picked && momentOf(picked) }
  const [{ data, error }, ask] = useLiveQuery({ query: UsagePartsDocument, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  const usage = data?.project.usage
  return (
    <>
      {picked && <Picked span={span} step={picked} />}
      {error && !usage && <Failed error={error} retry={again} what={t.usageParts.partsCouldNotBeLoaded} />}
      {usage && <Outdated error={error} retry={again} />}
      {usage ? <Parts usage={usage} span={span} steps={steps} /> : !error && <Loading lines={4} />}
    </>
  )
}

/** Says which day or hour was picked, and has a button that clears the choice. */
function Picked({ span, step }: { span: Span; step: Step }) {
  const { ask } = useRouter()
  const project = useProjectSlug() ?? null
  // The activity page uses days of the reader's time zone. A UTC day may overlap two of them, so the link selects both.
  const from = new Date(step.at)
  const to = new Date(from.getTime() + (span.hours ? 3_600_000 : 86_400_000) - 1)
  return (
    <div className="row spread">
      <p aria-live="polite">{t.usage.filteredTo(t.usage.stepAndCounts(step.name, inWords(step)))}</p>
      <div className="row">
        <Link
          className="small"
          to={{ page: 'settings/activity', project, query: { from: localDay(from), to: localDay(to) } }}
        >
          {t.usageParts.activityOfThatDay}
        </Link>
        <Button onClick={() => ask({ at: null })}>
          {t.usage.showPeriod(span.title)} <CloseIcon />
        </Button>
      </div>
    </div>
  )
}

const twoDigits = (value: number) => String(value).padStart(2, '0')
const localDay = (day: Date) =>
  `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`

function Parts({ usage, span, steps }: { usage: Usage; span: Span; steps: Step[] }) {
  const project = useProjectSlug() ?? null
  const others = notByKey(usage)
  const byDoor = usage.doors.map(door => ({ ...door, id: door.door, name: doorNames[door.door] }))
  const byKey = usage.keys.map(used => ({ ...used, id: used.key.id, name: used.key.name }))
  const rest =
    allOf(others) > 0 ? [{ ...others, id: 'others', name: t.usageParts.otherKeysOrNotCounted }] : []
  const linked = byKey.map(used => ({
    ...used,
    name: (
      <Link to={{ page: 'keys', project, query: { search: used.key.prefix, state: 'all' } }}>
        {used.name}
      </Link>
    ),
  }))
  return (
    <>
      <div className="cards">
        <Shares title={t.usageParts.byApi} shares={byDoor} />
        <Shares title={t.usageParts.byKey} shares={[...linked, ...rest]} />
        <ResponseTimes latency={usage.latency} />
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
