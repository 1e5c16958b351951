import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { number, partsOf } from '../texts/format.ts'
import { t } from '../texts/index.ts'
import { allOf, type Counts, outcomes, type Step } from './spans.ts'

const bottom = 22
const top = 8
const left = 46

/** Stacked bars by day or hour, read by mouse, touch and keyboard; the table beside it has the same figures. */
export function UsageChart({
  steps,
  label,
  height = 190,
}: {
  steps: Step[]
  label: string
  height?: number
}) {
  const [frame, width] = useWidth()
  const [chosen, setChosen] = useState<number | null>(null)
  const read = Math.min(chosen ?? steps.length, steps.length - 1)
  const highest = niceCeiling(Math.max(1, ...steps.map(allOf)))
  const high = height - bottom - top
  const step = (width - left) / steps.length
  const bar = Math.min(44, Math.max(3, step * 0.62))
  const base = top + high
  return (
    <div className="stack-tight">
      <div className="read-chart">
        <svg ref={frame} className="chart" height={height} role="img" aria-label={label}>
          {chosen !== null && (
            <rect x={left + read * step} y={top} width={step} height={high} className="read" />
          )}
          {[0, 0.5, 1].map(part => (
            <g key={part}>
              <line x1={left} x2={width} y1={base - high * part} y2={base - high * part} className="grid" />
              <text x={left - 10} y={base - high * part + 4} textAnchor="end">
                {number(highest * part)}
              </text>
            </g>
          ))}
          {steps.map((each, index) =>
            stacked(each).map(({ name, below, value }) => {
              const tall = (value / highest) * high
              return (
                <rect
                  key={each.at + name}
                  x={left + index * step + (step - bar) / 2}
                  y={base - (below / highest) * high - tall}
                  width={bar}
                  height={Math.max(1, tall - 1)}
                  rx={Math.min(2, tall / 2)}
                  className={name}
                />
              )
            }),
          )}
          {dated(steps.length, width).map(index => (
            <text
              key={steps[index]?.at}
              x={left + (index + 0.5) * step}
              y={height - 4}
              textAnchor={index === steps.length - 1 && step < 40 ? 'end' : 'middle'}
              dx={index === steps.length - 1 && step < 40 ? step / 2 : 0}
            >
              {index === steps.length - 1 ? t.usage.now : steps[index]?.short}
            </text>
          ))}
        </svg>
        {/* An invisible slider over the bars: the browser brings the keys, the touch and the screen reader. */}
        <input
          type="range"
          dir="ltr"
          aria-label={t.usage.readChart(label)}
          aria-valuetext={said(steps[read])}
          min={0}
          max={steps.length - 1}
          value={read}
          style={{ '--step': `${step}px`, left, width: `calc(100% - ${left}px)` } as CSSProperties}
          onChange={({ target }) => setChosen(Number(target.value))}
          onPointerMove={({ nativeEvent }) => setChosen(Math.max(0, Math.floor(nativeEvent.offsetX / step)))}
        />
      </div>
      <p className="small soft reading">{said(steps[read])}</p>
    </div>
  )
}

const said = (step: Step | undefined) => (step ? t.usage.stepAndCounts(step.name, inWords(step)) : '')

/** Lists the counts that are not 0: "12 served, 1 refused". */
export function inWords(counts: Counts): string {
  const said = outcomes.flatMap(({ name, of }) =>
    of(counts) > 0 ? t.usage.counted[name](number(of(counts))) : [],
  )
  return partsOf(said) || t.usage.noRequests
}

function stacked(counts: Counts) {
  let below = 0
  return outcomes.flatMap(({ name, of }) => {
    const value = of(counts)
    below += value
    return value > 0 ? { name, value, below: below - value } : []
  })
}

/** Chooses the steps with a date label: evenly spaced, and always the last. */
function dated(count: number, width: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor((width - left) / 80))))
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => count - 1 - i * every)
}

/** Rounds up to 1, 2, 4 or 6 times a power of ten, so that half of it is a whole number. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const ceiling =
    [1, 2, 4, 6, 10].map(factor => factor * power).find(candidate => candidate >= value) ?? value
  return Math.max(2, ceiling)
}

/** Returns the width in pixels, so that text stays readable on a phone. */
function useWidth() {
  const frame = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(900)
  useEffect(() => {
    const shown = frame.current
    if (!shown) return
    const watch = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    watch.observe(shown)
    return () => watch.disconnect()
  }, [])
  return [frame, width] as const
}
