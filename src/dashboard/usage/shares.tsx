import type { ReactNode } from 'react'
import { number } from '../texts/format.ts'
import { allOf, type Counts, outcomes } from './spans.ts'
import { inWords } from './usage-chart.tsx'

export type Share = Counts & { id: string; name: ReactNode }

/** Bars whose lengths are in proportion to the largest share. */
export function Shares({ title, shares }: { title: string; shares: Share[] }) {
  const most = Math.max(1, ...shares.map(allOf))
  return (
    <div className="stack-tight">
      <h3>{title}</h3>
      <ul className="shares">
        {shares.map(share => (
          <li key={share.id} title={inWords(share)}>
            <span className="who">{share.name}</span>
            <span className="soft">{number(allOf(share))}</span>
            <span className="bar" aria-hidden="true">
              {outcomes.map(({ name, of }) => (
                <span key={name} className={name} style={{ width: `${(of(share) / most) * 100}%` }} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
