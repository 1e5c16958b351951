import { type CSSProperties, type PointerEvent, useEffect, useRef, useState } from 'react'
import { number, partsOf } from '../texts/format.ts'
import { t } from '../texts/index.ts'
import { allOf, type Counts, outcomes, type Step } from './spans.ts'

const bottom = 22
const top = 8
const left = 46

type Props = {
  steps: Step[]
  /** The steps of the previous period, drawn as a line across the bars of `steps`. */
  before?: Step[]
  label: string
  height?: number
  /** The day or hour that a click or Enter has chosen. */
  picked?: string | null
  onPick?: (step: Step) => void
}

/**
 * Stacked bars by day or hour. The reader can read each bar's values by mouse, touch or keyboard. A table beside the
 * chart has the same figures.
 */
export function UsageChart({ steps, before = [], label, height = 190, picked = null, onPick }: Props) {
  const [frame, width] = useWidth()
  const [chosen, setChosen] = useState<number | null>(null)
  const read = Math.min(chosen ?? steps.length, steps.length - 1)
  const [pressed, setPressed] = useState<number | null>(null)
  const highest = niceCeiling(Math.max(1, ...steps.map(allOf), ...before.map(allOf)))
  const high = height - bottom - top
  const step = (width - left) / steps.length
  const bar = Math.min(44, Math.max(3, step * 0.62))
  const base = top + high
  const pickedIndex = steps.findIndex(({ at }) => at === picked)
  const stepUnder = ({ nativeEvent }: { nativeEvent: { offsetX: number } }) =>
    Math.min(steps.length - 1, Math.max(0, Math.floor(nativeEvent.offsetX / step)))
  const pick = (index: number) => steps[index] && onPick?.(steps[index])
  return (
    <div className="stack-tight">
      <div className="read-chart">
        <svg ref={frame} className="chart" height={height} role="img" aria-label={label}>
          {chosen !== null && (
            <rect x={left + read * step} y={top} width={step} height={high} className="read" />
          )}
          {pickedIndex >= 0 && (
            <rect
              x={left + pickedIndex * step + 0.75}
              y={top}
              width={Math.max(2, step - 1.5)}
              height={high}
              className="picked"
            />
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
          {before.length > 0 &&
            ['halo', 'line'].map(look => (
              <path
                key={look}
                className={look}
                d={lineOf(before, left, step, value => base - (value / highest) * high)}
              />
            ))}
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
          aria-valuetext={said(steps[read], before[read])}
          title={onPick && t.usage.filterHint}
          min={0}
          max={steps.length - 1}
          value={read}
          style={{ '--step': `${step}px`, left, width: `calc(100% - ${left}px)` } as CSSProperties}
          onChange={({ target }) => setChosen(Number(target.value))}
          onPointerMove={(event: PointerEvent) => setChosen(stepUnder(event))}
          onPointerDown={(event: PointerEvent) => setPressed(stepUnder(event))}
          // A finger that moved over the bars only reads their values, so it chooses no bar.
          onClick={event => stepUnder(event) === pressed && pick(pressed)}
          onKeyDown={({ key }) => key === 'Enter' && pick(read)}
        />
      </div>
      <p className="small soft reading">{said(steps[read], before[read])}</p>
    </div>
  )
}

function said(step: Step | undefined, before: Step | undefined): string {
  if (!step) return ''
  const counts = t.usage.stepAndCounts(step.name, inWords(step))
  return before ? t.usage.stepBefore(counts, number(allOf(before)), before.name) : counts
}

/** Draws a line with one level for each step, so that each level can be compared with the bar of its step. */
function lineOf(steps: readonly Step[], from: number, width: number, heightOf: (value: number) => number) {
  const levels = steps.map((step, index) => `V${heightOf(allOf(step))}H${from + (index + 1) * width}`)
  return `M${from},${heightOf(steps[0] ? allOf(steps[0]) : 0)}${levels.join('')}`
}

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

/** Rounds up to 1, 2, 4 or 6 times a power of ten, so that half of the result is a whole number. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const ceiling =
    [1, 2, 4, 6, 10].map(factor => factor * power).find(candidate => candidate >= value) ?? value
  return Math.max(2, ceiling)
}

/** Measures the chart's width in pixels, so that the text stays readable on a phone. */
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
