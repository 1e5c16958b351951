import { drawBars } from './bars.ts'
import { figure, type Results } from './results.ts'
import { type WorkName, works } from './works.ts'

/** The works that the chart shows. The report has all works. */
const shown: readonly WorkName[] = [
  ...(['list', 'listNew', 'create', 'mix', 'update', 'place'] as const),
  ...(['graphqlList', 'graphqlListApollo', 'graphqlListUrql', 'graphqlCreateApollo'] as const),
]

/** Draws requests per second as bars, grouped by work. */
export function drawChart(results: Results): string {
  const groups = shown.flatMap(name => {
    const cells = results.cells.get(name)
    if (!cells) return []
    const bars = [...cells.keys()].map(contestant => {
      const value = figure(results, name, contestant, 'perSecond')
      return { contestant, value, text: Math.round(value).toLocaleString('en-US') }
    })
    return [{ title: works[name].title, bars }]
  })
  return drawBars(
    'Requests a second on one core; green is this store, grey is what the machine itself allows',
    'Requests a second of each contestant at each work',
    groups,
  )
}
