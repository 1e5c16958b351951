// Writes bench/latency.md and its picture: a section for each work, so that a run of some works replaces only their
// sections.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { drawBars, type Group } from './bars.ts'
import type { Step, Tail } from './latency.ts'
import { describeCommit, describeMachine } from './machine.ts'
import type { Options } from './options.ts'
import { latencyWorks, type Work, works } from './works.ts'

const file = join(import.meta.dirname, 'latency.md')
const picture = join(import.meta.dirname, 'latency.svg')
/** The goal for the p99 in milliseconds, at 60 % of the rate that the contestant `by the book` can serve. */
const longestP99 = 25

const introduction = `# How long requests wait

Measured by \`npm run bench -- --latency\`. Requests are sent at a fixed rate, whether or not earlier ones were answered, and
each latency counts from the time at which its request was due, so that a stall counts for every request that waited. The
rates are 30, 60 and 90 % of the most that the contestant \`by the book\` serves. Each contestant is one process with the first core to
itself, because the others are halted; the load, PostgreSQL and Redis share the other cores. Latencies are in milliseconds.

Goals: p99 and p99.9 at most half of those of \`by the book\` at each rate, and at most ${longestP99} ms at 60 %.

![The p99 of each contestant, by kind of request](latency.svg)
`

/** Describes the machine and the commit. Call it before the run, so that the load of the run itself is not included. */
export function describeRun({ size, pace }: Options): string {
  const load = loadavg()[0]?.toFixed(1)
  return `Commit ${describeCommit()}, ${describeMachine()}, load ${load} before the run, ${size.pets.toLocaleString('en')} pets of ${size.projects} projects,
${pace.connections} connections, ${pace.rounds} rounds of ${pace.seconds} s at each rate.`
}

export function writeLatency(work: Work, steps: Step[], run: string): void {
  const written = readSections()
  written.set(work.title, writeSection(steps, run))
  const sections = latencyWorks.flatMap((name): [title: string, text: string][] => {
    const text = written.get(works[name].title)
    return text ? [[works[name].title, text]] : []
  })
  const text = sections.map(([title, section]) => `\n## ${title}\n\n${section}\n`)
  writeFileSync(file, introduction + text.join(''))
  writeFileSync(picture, drawLatency(sections))
}

/** Draws the p99 at 60 % of the rate that the contestant `by the book` can serve. Reads it from the written tables. */
function drawLatency(sections: [title: string, text: string][]): string {
  const groups = sections.map(([title, text]): Group => {
    const rows = text.matchAll(/^\| 60 %: \S+ \| (?<contestant>.+?) \| \S+ \| (?<p99>\S+) \|/gm)
    const bars = [...rows].map(({ groups: { contestant = '', p99 = '' } = {} }) => ({
      contestant,
      value: Number(p99),
      text: `${p99} ms`,
    }))
    return { title, bars }
  })
  return drawBars(
    'p99 at 60 % of the rate that by the book can serve; shorter is better, green is this store',
    'The p99 of each contestant at each work',
    groups,
  )
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

The load itself sent its requests late by at most ${steps.map(writeDelay).join(', ')}. ${judge(steps)}`
}

function writeRows({ share, perSecond, tails }: Step): string[] {
  const rate = `${share} %: ${perSecond.toFixed(0)}/s`
  return [...tails].map(
    ([name, { p50, p99, p999, longest }]) =>
      `| ${rate} | ${name} | ${[p50, p99, p999, longest].map(milliseconds).join(' | ')} |`,
  )
}

const writeDelay = ({ share, longestDelay }: Step) => `${milliseconds(longestDelay)} ms at ${share} %`

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
