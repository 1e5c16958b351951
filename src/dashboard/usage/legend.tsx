import type { ReactNode } from 'react'
import { number } from '../texts/format.ts'
import { t } from '../texts/index.ts'
import { type Counts, outcomes } from './spans.ts'

/** The colours of a chart with their counts. The colour of served requests is shown even if its count is 0. */
export function Legend({ counts, children }: { counts: Counts; children?: ReactNode }) {
  const shown = outcomes.filter(({ name, of }) => name === 'served' || of(counts) > 0)
  return (
    <ul className="row small legend">
      {shown.map(({ name, of }) => (
        <li key={name} className={name}>
          {t.usage.counted[name](number(of(counts)))}
        </li>
      ))}
      {children}
    </ul>
  )
}

/** Explains the counts of client errors, failures and refusals that are not 0, then shows `children`. */
export function Explained({ counts, children }: { counts: Counts; children: string | null }) {
  const { faulty, failed, refusals } = counts
  const said = [
    faulty > 0 && t.usage.clientErrors4xxWereCaused,
    failed > 0 && t.usage.failedOnesMetErrorOf,
    refusals > 0 && t.usage.refusedOnesCameWhenLimit,
    children,
  ].filter(Boolean)
  return said.length === 0 ? null : <p className="small soft">{said.join(' ')}</p>
}
