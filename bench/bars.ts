/** `bars`: a bar for each contestant, with its value and the text behind it. */
export type Group = { title: string; bars: { contestant: string; value: number; text: string }[] }

const column = 380
const labelWidth = 130
const bar = 14
const step = bar + 4
const top = 38

/** Draws groups of bars in two columns. Each group has its own scale. `label` describes the picture to screen readers. */
export function drawBars(heading: string, label: string, groups: Group[]): string {
  const parts: string[] = []
  let y = top
  for (let i = 0; i < groups.length; i += 2) {
    const pair = groups.slice(i, i + 2)
    pair.forEach((group, at) => {
      parts.push(drawGroup(group, at * column, y))
    })
    y += 24 + Math.max(...pair.map(({ bars }) => bars.length)) * step + 16
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * column} ${y}" role="img" aria-label="${label}">
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
<text class="heading" x="0" y="12">${heading}</text>
${parts.join('\n')}
</svg>
`
}

function drawGroup({ title, bars }: Group, x: number, y: number): string {
  const most = Math.max(...bars.map(({ value }) => value))
  const drawn = bars.map(({ contestant, value, text }, index) => {
    const from = y + 10 + index * step
    const length = Math.max(1, Math.round((value / most) * (column - labelWidth - 70)))
    const kind = contestant === 'ours' ? 'ours' : contestant.startsWith('bare') ? 'limit' : 'other'
    return `<text class="label" x="${x + labelWidth - 8}" y="${from + 11}">${contestant}</text>
<rect class="${kind}" x="${x + labelWidth}" y="${from}" width="${length}" height="${bar}" rx="2"/>
<text x="${x + labelWidth + length + 6}" y="${from + 11}">${text}</text>`
  })
  return [`<text class="title" x="${x}" y="${y}">${title}</text>`, ...drawn].join('\n')
}
