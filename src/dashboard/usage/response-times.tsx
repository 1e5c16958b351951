import type { UsagePartsQuery } from '../generated/pages/graphql.ts'
import { number, withTwoDigits } from '../texts/format.ts'
import { t } from '../texts/pages.ts'
import { doorNames } from './spans.ts'

type Latency = NonNullable<UsagePartsQuery['project']>['usage']['latency']

/** How long the answers of each API took. */
export function ResponseTimes({ latency }: { latency: Latency }) {
  const timed = latency.filter(door => door.timed > 0)
  return (
    <div className="stack-tight">
      <h3>{t.usageParts.responseTimes}</h3>
      {timed.length === 0 ? (
        <p className="small soft">{t.usageParts.noAnswers}</p>
      ) : (
        <>
          <section className="table-frame" aria-label={t.usageParts.responseTimes} tabIndex={0}>
            <table className="counts">
              <thead>
                <tr>
                  <th scope="col">{t.usageParts.door}</th>
                  <th scope="col" className="num">
                    {t.usageParts.median}
                  </th>
                  <th scope="col" className="num">
                    {t.usageParts.slowest}
                  </th>
                  <th scope="col" className="num">
                    {t.usageParts.answers}
                  </th>
                </tr>
              </thead>
              <tbody>
                {timed.map(({ door, timed, p50, p99 }) => (
                  <tr key={door}>
                    <th scope="row">{doorNames[door]}</th>
                    <td className="num">{took(p50)}</td>
                    <td className="num">{took(p99)}</td>
                    <td className="num">{number(timed)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <p className="small soft">{t.usageParts.timesAreRounded}</p>
        </>
      )}
    </div>
  )
}

/** The values are accurate to 10 %, so two digits are enough. */
function took(milliseconds: number | null | undefined): string {
  if (milliseconds == null) return ''
  return milliseconds < 1000
    ? t.usageParts.milliseconds(withTwoDigits(milliseconds))
    : t.usageParts.seconds(withTwoDigits(milliseconds / 1000))
}
