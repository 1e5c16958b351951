import { figure, type Results } from './results.ts'
import { works } from './works.ts'

const width = 760
const labelWidth = 150
const bar = 16
const gap = 5

/** Requests a second as bars, a group for each work; each group has a scale of its own. */
export function drawChart(results: Results): string {
  const parts: string[] = []
  let y = 34
  for (const [name, contestants] of results.cells) {
    const rates = [...contestants.keys()].map(contestant => ({
      contestant,
      rate: figure(results, name, contestant, 'perSecond'),
    }))
    const most = Math.max(...rates.map(({ rate }) => rate))
    parts.push(`<text class="title" x="0" y="${y}">${works[name].title}</text>`)
    y += 10
    for (const { contestant, rate } of rates) {
      const length = Math.max(1, Math.round((rate / most) * (width - labelWidth - 80)))
      const kind = contestant === 'ours' ? 'ours' : contestant.startsWith('bare') ? 'limit' : 'other'
      parts.push(
        `<text class="label" x="${labelWidth - 8}" y="${y + 12}">${contestant}</text>`,
        `<rect class="${kind}" x="${labelWidth}" y="${y}" width="${length}" height="${bar}" rx="2"/>`,
        `<text class="rate" x="${labelWidth + length + 6}" y="${y + 12}">${Math.round(rate).toLocaleString('en-US')}</text>`,
      )
      y += bar + gap
    }
    y += 26
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" role="img" aria-label="Requests a second of each contestant at each work">
<style>
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .heading { font-size: 13px; fill: #59636e }
  .title { font-weight: 600; font-size: 14px }
  .label { text-anchor: end }
  .ours { fill: #0a7d55 } .limit { fill: #b6bec8 } .other { fill: #7a93b8 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .heading { fill: #9198a1 }
    .ours { fill: #2fbf8a } .limit { fill: #4b535d } .other { fill: #5d7aa3 }
  }
</style>
<text class="heading" x="0" y="13">Requests a second; grey is what the machine itself allows</text>
${parts.join('\n')}
</svg>
`
}
