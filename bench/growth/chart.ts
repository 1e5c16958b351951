import type { Cost, Grown } from './measure.ts'

const width = 380
const height = 210
const left = 34
const labels = 150
/** The longest label needs this space beyond the second column. */
const margin = 40
const most = 2
const lineHeight = 14

/** Draws a panel for each axis, with a line for each kind of request: the CPU time as a multiple of the smallest store's. */
export function drawGrowth(grown: Grown[]): string {
  const panels = grown.map((each, index) =>
    drawPanel(each, (index % 2) * width, Math.floor(index / 2) * height),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * width + margin} ${Math.ceil(grown.length / 2) * height}" role="img" aria-label="How the cost of each kind of request grows">
<style>
  text { font: 11px system-ui, sans-serif; fill: #59636e }
  .title { font-weight: 600; font-size: 13px; fill: #1f2328 }
  path { fill: none; stroke: #7a93b8; stroke-width: 1.5 } .over { stroke: #0a7d55; stroke-width: 2.5 } .rule { stroke: #b6bec8; stroke-width: 1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 } .title { fill: #e6edf3 }
    path { stroke: #5d7aa3 } .over { stroke: #2fbf8a } .rule { stroke: #4b535d }
  }
</style>
${panels.join('\n')}
</svg>
`
}

function drawPanel({ axis, rows }: Grown, x: number, y: number): string {
  const bottom = y + height - 34
  const top = y + 30
  const right = x + width - labels
  const atStep = (index: number) => x + left + (index * (right - x - left)) / (axis.steps.length - 1)
  const atRatio = (ratio: number) => bottom - (Math.min(ratio, most) / most) * (bottom - top)
  const rules = [0, 1, most].map(
    ratio => `<path class="rule" d="M${x + left} ${atRatio(ratio)}H${right}"/>
<text x="${x + left - 6}" y="${atRatio(ratio) + 4}" text-anchor="end">${ratio} ×</text>`,
  )
  const names = axis.steps.map(
    (step, index) =>
      `<text x="${atStep(index)}" y="${bottom + 16}" text-anchor="middle">${step.toLocaleString('en')}</text>`,
  )
  const grownTo = rows.map(({ kind, costs }) => ({
    title: kind.title,
    ratios: costs.map(cost => total(cost) / total(costs[0])),
  }))
  const lines = grownTo.map(({ ratios }) => {
    const points = ratios.map((ratio, index) => `${atStep(index)} ${atRatio(ratio).toFixed(1)}`)
    return `<path${isOver(ratios) ? ' class="over"' : ''} d="M${points.join('L')}"/>`
  })
  let free = Number.NEGATIVE_INFINITY
  const over = grownTo
    .filter(({ ratios }) => isOver(ratios))
    .toSorted((a, b) => (b.ratios.at(-1) ?? 0) - (a.ratios.at(-1) ?? 0))
    .map(({ title, ratios }) => {
      const last = ratios.at(-1) ?? 0
      free = Math.max(atRatio(last) + 4, free + lineHeight)
      return `<text x="${right + 6}" y="${free.toFixed(1)}">${title}${last > most ? `, ${last.toFixed(1)} ×` : ''}</text>`
    })
  return [
    `<text class="title" x="${x}" y="${y + 14}">${axis.title}</text>`,
    ...rules,
    ...names,
    ...lines,
    ...over,
  ].join('\n')
}

const isOver = (ratios: number[]) => Math.max(...ratios) > 1.3
const total = (cost: Cost | undefined) => (cost ? cost.process + cost.postgres : Number.NaN)
