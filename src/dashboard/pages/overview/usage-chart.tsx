import { useEffect, useRef, useState } from 'react'
import { number } from '../../ui/meter.tsx'
import { date } from '../../ui/time.tsx'
import type { UsageDay } from './usage-card.tsx'

const height = 190
const bottom = 22
const left = 46

/** Bars by day, refusals on top of what was answered; the table below says the same in figures. */
export function UsageChart({ days }: { days: UsageDay[] }) {
  const [frame, width] = useWidth()
  const highest = niceCeiling(Math.max(1, ...days.map(day => day.requests + day.refusals)))
  const high = height - bottom - 8
  const step = (width - left) / days.length
  const bar = Math.max(3, step * 0.62)
  const dated = width < 500 ? [0, 15] : [0, 10, 20]
  const tall = (value: number) => (value / highest) * high
  return (
    <svg
      ref={frame}
      className="chart"
      height={height}
      role="img"
      aria-label="Requests of the last 30 days, as in the table below"
    >
      {[0, 0.5, 1].map(part => (
        <g key={part}>
          <line x1={left} x2={width} y1={8 + high * (1 - part)} y2={8 + high * (1 - part)} className="grid" />
          <text x={left - 10} y={8 + high * (1 - part) + 4} textAnchor="end">
            {number(highest * part)}
          </text>
        </g>
      ))}
      {days.map((day, index) => {
        const x = left + index * step + (step - bar) / 2
        const answered = tall(day.requests)
        const refused = tall(day.refusals)
        const base = 8 + high
        return (
          <g key={day.date}>
            <title>{`${date(day.date)}: ${number(day.requests)} answered, ${number(day.refusals)} refused`}</title>
            <rect x={left + index * step} y={8} width={step} height={high} className="hit" />
            {answered > 0 && (
              <rect
                x={x}
                y={base - answered}
                width={bar}
                height={answered}
                rx={Math.min(3, answered / 2)}
                className="answered"
              />
            )}
            {refused > 0 && (
              <rect
                x={x}
                y={base - answered - refused - 1}
                width={bar}
                height={refused}
                rx={Math.min(3, refused / 2)}
                className="refused"
              />
            )}
          </g>
        )
      })}
      {[...dated, days.length - 1].map(index => {
        const day = days[index]
        if (!day) return null
        const last = index === days.length - 1
        return (
          <text
            key={day.date}
            x={last ? width : left + index * step}
            y={height - 4}
            textAnchor={last ? 'end' : 'start'}
          >
            {last ? 'today' : shortDay(day.date)}
          </text>
        )
      })}
    </svg>
  )
}

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const shortDay = (day: string) => short.format(new Date(day))

/** The next 1, 2, 4 or 6 times a power of ten, so that half of it is whole. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const ceiling =
    [1, 2, 4, 6, 10].map(factor => factor * power).find(candidate => candidate >= value) ?? value
  return Math.max(2, ceiling)
}

/** Drawn in real pixels, so that the figures stay readable on a phone. */
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
