import { type Cells, figure, type Results } from './results.ts'
import { type WorkName, works } from './works.ts'

/** The works that the chart shows. The report has all works. */
const shown: readonly WorkName[] = [
  ...(['list', 'listNew', 'create', 'mix', 'update', 'place'] as const),
  ...(['graphqlList', 'graphqlListApollo', 'graphqlListUrql', 'graphqlCreateApollo'] as const),
]
const column = 380
const labelWidth = 130
const bar = 14
const step = bar + 4
const top = 38

/** Draws requests per second as bars, grouped by work, in two columns of groups; each group has its own scale. */
export function drawChart(results: Results): string {
  const groups = shown.flatMap(name => {
    const cells = results.cells.get(name)
    return cells ? [{ name, cells }] : []
  })
  const parts: string[] = []
  let y = top
  for (let i = 0; i < groups.length; i += 2) {
    const pair = groups.slice(i, i + 2)
    pair.forEach(({ name, cells }, at) => {
      parts.push(drawGroup(results, name, cells, at * column, y))
    })
    y += 24 + Math.max(...pair.map(({ cells }) => cells.size)) * step + 16
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * column} ${y}" role="img" aria-label="Requests a second of each contestant at each work">
<style>
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .heading { fill: #59636e }
  .title { font-weight: 600; font-size: 13px }
  .label { text-anchor: end }
  .ours { fill: #0a7d55 } .limit { fill: #b6bec8 } .other { fill: #7a93b8 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .heading { fill: #9198a1 }
    .ours { fill: #2fbf8a } .limit { fill: #4b535d } .other { fill: #5d7aa3 }
  }
</style>
<text class="heading" x="0" y="12">Requests a second on one core; green is this store, grey is what the machine itself allows</text>
${parts.join('\n')}
</svg>
`
}

function drawGroup(results: Results, name: WorkName, cells: Cells, x: number, y: number): string {
  const rates = [...cells.keys()].map(contestant => ({
    contestant,
    rate: figure(results, name, contestant, 'perSecond'),
  }))
  const most = Math.max(...rates.map(({ rate }) => rate))
  const bars = rates.map(({ contestant, rate }, index) => {
    const from = y + 10 + index * step
    const length = Math.max(1, Math.round((rate / most) * (column - labelWidth - 70)))
    const kind = contestant === 'ours' ? 'ours' : contestant.startsWith('bare') ? 'limit' : 'other'
    return `<text class="label" x="${x + labelWidth - 8}" y="${from + 11}">${contestant}</text>
<rect class="${kind}" x="${x + labelWidth}" y="${from}" width="${length}" height="${bar}" rx="2"/>
<text x="${x + labelWidth + length + 6}" y="${from + 11}">${Math.round(rate).toLocaleString('en-US')}</text>`
  })
  return [`<text class="title" x="${x}" y="${y}">${works[name].title}</text>`, ...bars].join('\n')
}
