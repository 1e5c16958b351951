import { number } from '../ui/meter.tsx'
import { type Counts, outcomes } from './spans.ts'

/** The colours of a chart with their counts. The first is shown even if its count is 0. */
export function Legend({ counts }: { counts: Counts }) {
  const shown = outcomes.filter(({ name, of }) => name === 'served' || of(counts) > 0)
  return (
    <ul className="row small legend">
      {shown.map(({ name, of }) => (
        <li key={name} className={name}>
          {number(of(counts))} {name}
        </li>
      ))}
    </ul>
  )
}

/** Explains the counts. Shown only if one of them is not 0. */
export function Explained({ counts, children }: { counts: Counts; children: string | null }) {
  const { faulty, failed, refusals } = counts
  const said = [
    faulty > 0 && 'Client errors (4xx) were caused by the request.',
    failed > 0 && 'Failed ones met an error of the store’s own (5xx).',
    refusals > 0 && 'Refused ones came when the limit was used up.',
    children,
  ].filter(Boolean)
  return said.length === 0 ? null : <p className="small soft">{said.join(' ')}</p>
}
