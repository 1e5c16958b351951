// Writes bench/growth.md and its picture.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawGrowth } from './chart.ts'
import type { Cost, Grown } from './measure.ts'
import { reasons } from './reasons.ts'

/** A figure above this one needs a reason. */
const mostGrowth = 1.3
/** In microseconds. PostgreSQL's part of a request that costs less is not compared, because its clock is too coarse. */
const leastPostgres = 20

export function writeGrowth(grown: Grown[], run: string): string {
  const text = `# What a request costs as the store grows

Measured by \`npm run bench -- --only growth\` at ${run}. Eight connections
send requests to one process, with everything on. The cost of a request is the CPU time of the process and the CPU time of
PostgreSQL, without the time that they wait. It includes the numbering of the events that the request causes. The stores of
different sizes take turns.

The column of the smallest store shows the microseconds in the process and in PostgreSQL. The other columns show how many
times as much each of the two costs; – stands for a part below ${leastPostgres} microseconds. Goal: at most ${mostGrowth} times, or a reason.
Figures above the goal are in bold.

![How the cost of each kind of request grows](growth.svg)
${grown.map(writeAxis).join('')}`
  writeFileSync(join(import.meta.dirname, '..', 'growth.md'), text)
  writeFileSync(join(import.meta.dirname, '..', 'growth.svg'), drawGrowth(grown))
  return text
}

function writeAxis({ axis, rows }: Grown): string {
  const [smallest, ...larger] = axis.steps.map(step => step.toLocaleString('en'))
  const lines = rows.map(({ kind, costs: [first, ...others] }) => {
    if (!first) throw new Error('An axis has no steps.')
    const cells = others.map(cost => writeRatios(cost, first))
    return `| ${kind.title} | ${first.process.toFixed(0)}, ${first.postgres.toFixed(0)} | ${cells.join(' | ')} |`
  })
  const over = rows.filter(({ costs }) => costs.some(cost => costs[0] && isOver(cost, costs[0])))
  const byReason = Map.groupBy(over, ({ kind }) => reasons[axis.title]?.[kind.title] ?? 'no reason is known.')
  const explained = [...byReason].map(
    ([reason, of]) => `- ${of.map(({ kind }) => `**${kind.title}**`).join(', ')}: ${reason}`,
  )
  return `
## ${axis.title}

${axis.about}

| request | ${smallest} | ${larger.join(' | ')} |
|---|---|${'---|'.repeat(larger.length)}
${lines.join('\n')}
${explained.length > 0 ? `\n${explained.join('\n')}\n` : ''}`
}

const writeRatios = (cost: Cost, first: Cost) => {
  const { process, postgres } = ratios(cost, first)
  return [process, postgres].map(ratio => (ratio === null ? '–' : writeRatio(ratio))).join(', ')
}

const writeRatio = (ratio: number) => (ratio > mostGrowth ? `**${ratio.toFixed(2)}**` : ratio.toFixed(2))

const isOver = (cost: Cost, first: Cost) => {
  const { process, postgres } = ratios(cost, first)
  return process > mostGrowth || (postgres ?? 0) > mostGrowth
}

const ratios = (cost: Cost, first: Cost) => ({
  process: cost.process / first.process,
  postgres: first.postgres < leastPostgres ? null : cost.postgres / first.postgres,
})
