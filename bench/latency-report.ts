// Writes bench/latency.md: a section for each work, so that a run of some works replaces only their sections.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Step, Tail } from './latency.ts'
import { describeCommit, describeMachine } from './machine.ts'
import type { Options } from './options.ts'
import { latencyWorks, type Work, works } from './works.ts'

const file = join(import.meta.dirname, 'latency.md')
/** The goal for the p99 in milliseconds, at 60 % of the rate that the contestant `by the book` can serve. */
const longestP99 = 25

const introduction = `# How long requests wait

Measured by \`npm run bench -- --latency\`. Requests are sent at a fixed rate, whether or not earlier ones were answered, and
each latency counts from the time at which its request was due, so that a stall counts for every request that waited. The
rates are 30, 60 and 90 % of the most that the contestant \`by the book\` serves. Each contestant is one process with the first core to
itself; the load, PostgreSQL and Redis share the other cores. Latencies are in milliseconds.

Goals: p99 and p99.9 at most half of those of \`by the book\` at each rate, and at most ${longestP99} ms at 60 %.
`

/** Describes the machine and the commit. Call it before the run, so that the load of the run itself is not included. */
export function describeRun({ size, pace }: Options): string {
  const load = loadavg()[0]?.toFixed(1)
  return `Commit ${describeCommit()}, ${describeMachine()}, load ${load} before the run, ${size.pets.toLocaleString('en')} pets of ${size.projects} projects,
${pace.connections} connections, ${pace.rounds} rounds of ${pace.seconds} s at each rate.`
}

export function writeLatency(work: Work, steps: Step[], run: string): void {
  const sections = readSections()
  sections.set(work.title, writeSection(steps, run))
  const inOrder = latencyWorks.map(name => works[name].title).filter(title => sections.has(title))
  const text = inOrder.map(title => `\n## ${title}\n\n${sections.get(title)}\n`)
  writeFileSync(file, introduction + text.join(''))
}

/** Returns the sections of the file by title. */
function readSections(): Map<string, string> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const [, ...sections] = text.split(/^## /m)
  return new Map(
    sections.map(section => {
      const end = section.indexOf('\n')
      return [section.slice(0, end), section.slice(end).trim()]
    }),
  )
}

function writeSection(steps: Step[], run: string): string {
  return `${run}

| rate | contestant | p50 | p99 | p99.9 | longest |
|---|---|---|---|---|---|
${steps.flatMap(writeRows).join('\n')}

${judge(steps)}`
}

function writeRows({ share, perSecond, tails }: Step): string[] {
  const rate = `${share} %: ${perSecond.toFixed(0)}/s`
  return [...tails].map(
    ([name, { p50, p99, p999, longest }]) =>
      `| ${rate} | ${name} | ${[p50, p99, p999, longest].map(milliseconds).join(' | ')} |`,
  )
}

function judge(steps: Step[]): string {
  const missed = steps.flatMap(step => [
    ...judgeTail(step, 'p99', 'p99'),
    ...judgeTail(step, 'p999', 'p99.9'),
  ])
  return missed.length === 0 ? 'Goals: all met.' : `Goals missed: ${missed.join('; ')}.`
}

function judgeTail({ share, tails }: Step, tail: keyof Tail, name: string): string[] {
  const ours = tails.get('ours')?.[tail]
  const book = tails.get('by the book')?.[tail]
  if (ours === undefined || book === undefined) return []
  return [
    ...(ours > book / 2 ? [`${name} at ${share} % is ${(ours / book).toFixed(2)} of by-the-book's`] : []),
    ...(share === 60 && ours > longestP99 ? [`${name} at 60 % is ${milliseconds(ours)} ms`] : []),
  ]
}

const milliseconds = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
