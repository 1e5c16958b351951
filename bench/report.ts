import { contestants } from './contestants.ts'
import { type Goal, judge } from './goals.ts'
import { median } from './median.ts'
import type { Options } from './options.ts'
import { reasons } from './reasons.ts'
import { figure, type Results, ratio } from './results.ts'
import { type Work, type WorkName, works } from './works.ts'

export function writeReport(results: Results, options: Options, machine: string): string {
  const { rounds, seconds, warmUpSeconds, connections } = options.pace
  const size = `${count(options.size.pets)} pets of ${options.size.projects} projects`
  return `# How fast

Measured by \`npm run bench\`${kindOfRun(options)} on ${machine}: ${size}, ${connections} connections,
${rounds} rounds of ${seconds} s after a warm-up round of ${warmUpSeconds} s, contestants taking turns. Each contestant is one process with
the first core to itself; wrk, PostgreSQL and Redis share the other cores. All contestants except ours use a copy of the
rows without the store's triggers. Requests of Apollo Client and urql are copies of those that the libraries themselves sent.
Before any timing, the answers of all contestants are compared byte for byte. The ratios matter most: each is the median
of the ratios of all rounds. Absolute figures depend on this machine.

![Requests a second, by work](results.svg)

## Goals

${goalTable(judge(results), options)}
${options.judges ? whyMissed(judge(results)) : ''}${figures(results, options)}${besides(results)}`
}

function figures(results: Results, options: Options): string {
  return results.cells.size === 0
    ? ''
    : `## Contestants

| contestant | what it does | peak memory |
|---|---|---|
${contestants
  .filter(({ name }) => results.peakMegabytes.has(name))
  .map(({ name, does }) => `| ${name} | ${does} | ${(results.peakMegabytes.get(name) ?? 0).toFixed(0)} MB |`)
  .join('\n')}

## Figures

Latencies are in milliseconds. CPU is the time in microseconds that one request takes: in the contestant's own process, in
Redis and in PostgreSQL. The memory is the peak since the contestant's start, measured at the end of the work.

${[...results.cells.keys()].map(work => workTable(results, work, options)).join('\n\n')}

`
}

function kindOfRun({ isFull, judges }: Options): string {
  if (!judges) return ' (a run too short for the goals)'
  return isFull ? '' : ' (not a full run)'
}

function goalTable(goals: Goal[], { judges }: Options): string {
  const verdictOn = ({ met }: Goal) => (!judges ? '' : met ? 'met' : '**missed**')
  const rows = goals
    .filter(({ found }) => !Number.isNaN(found))
    .map(goal => `| ${goal.work} | ${goal.goal} | ${goal.found.toFixed(2)} | ${verdictOn(goal)} |`)
  return `| work | goal | found | |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

function whyMissed(goals: Goal[]): string {
  const missed = new Set(goals.filter(({ found, met }) => found > 0 && !met).map(({ work }) => work))
  const lines = [...missed].flatMap(work => (reasons[work] ? [`- **${work}**: ${reasons[work]}`] : []))
  return lines.length > 0 ? `## Missed goals\n\n${lines.join('\n')}\n\n` : ''
}

function workTable(results: Results, name: WorkName, options: Options): string {
  const work: Work = works[name]
  const { rounds, seconds } = options.paceOf(work)
  const pace = rounds === options.pace.rounds ? '' : `In ${rounds} rounds of ${seconds} s.\n\n`
  const rows = [...(results.cells.get(name)?.keys() ?? [])].map(contestant => {
    const of = (what: Parameters<typeof figure>[3]) => figure(results, name, contestant, what)
    const share = ratio(results, name, contestant, work.reference, 'perSecond')
    return `| ${contestant} | ${count(of('perSecond'))} | ${ms(of('p50'))} | ${ms(of('p99'))} | ${of('cpuMicroseconds').toFixed(0)} | ${of('redisMicroseconds').toFixed(0)} | ${of('postgresMicroseconds').toFixed(0)} | ${share.toFixed(2)} | ${peakAfter(contestant)} |`
  })

  function peakAfter(contestant: string): string {
    return results.peaksAfter.get(name)?.get(contestant)?.toFixed(0) ?? ''
  }

  return `### ${work.title}

${pace}| contestant | requests a second | p50 | p99 | CPU | Redis | PostgreSQL | to ${work.reference} | peak MB |
|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}`
}

function besides({ start, flood, size, bigStore, import: imported, soak, hosts, events }: Results): string {
  const lines: string[] = []
  if (start) {
    lines.push(
      `- First answer after the start: ${start.postgres.toFixed(0)} ms on PostgreSQL; on the embedded default ${start.embeddedWarm.toFixed(0)} ms warm, ${start.embeddedCold.toFixed(0)} ms on an empty folder.`,
    )
  }
  if (flood) {
    lines.push(
      `- Other projects' list p99: ${ms(median(flood.quiet))} ms alone, ${ms(median(flood.refused))} ms beside a flood of 429, ${ms(median(flood.wrongKey))} ms beside a flood of 401.`,
    )
  }
  if (size) {
    lines.push(
      `- List p99 with 10,000,000 pets of 10,000 projects: ${ms(median(size.large))} ms; with 10,000 pets of 10 ${ms(median(size.small))} ms.`,
    )
  }
  if (imported) {
    const { ours, copy, plainCopy } = imported
    lines.push(
      `- Import of 10,000 pets at a time: ${count(median(ours))} pets a second; COPY by psql of the same rows ${count(median(copy))}, to tables without the store's triggers ${count(median(plainCopy))}.`,
    )
  }
  if (bigStore) {
    const most = (of: 'scans' | 'pets') => Math.max(...bigStore.plans.map(plan => plan[of]))
    lines.push(
      `- Lists of 10,000,000 pets of one project from anywhere on, by status, category, both or neither, in either order, and its inventory: p99 ${ms(median(bigStore.big))} ms; of 100,000 pets ${ms(median(bigStore.small))} ms. By PostgreSQL's plans a page of 20 reads an index once (by category alone ${most('scans')} times, once for each status), and reads ${most('pets')} pets at most.`,
      ...bigStore.exports.map(
        ({ contestant, perSecond, peakMegabytes }) =>
          `- Export of the first 1,000,000 of these pets, ${contestant}: ${count(perSecond)} pets a second, ${peakMegabytes.toFixed(0)} MB at most.`,
      ),
    )
  }
  if (soak) {
    lines.push(
      `- Memory while the mix runs for ${soak.seconds} s at ${count(soak.perSecond)} requests a second: ${soak.early.toFixed(0)} MB in the second minute, ${soak.late.toFixed(0)} MB in the last.`,
    )
  }
  if (hosts) {
    lines.push(
      ...[hosts.empty, hosts.full].map(
        side =>
          `- Two processes over ${count(side.projects)} deployed projects, each with a domain and its certificate: started in ${side.startMs.toFixed(0)} ms; with a deploy a second the slowest deploy was seen by both processes after ${side.slowestDeployMs.toFixed(0)} ms, the slowest \`/livez\` took ${side.slowestLivezMs.toFixed(0)} ms, ${count(side.failedVisits)} of ${count(side.visits)} visits to other domains failed; ${side.megabytes.toFixed(0)} MB at most.`,
      ),
      `- ${count(hosts.keys.inUse)} API keys in use by both processes: each reads ${count(hosts.keys.quiet)} rows of keys a second while none changes, ${count(hosts.keys.changing)} while one changes each second.`,
    )
  }
  if (events) {
    const { listMs } = events
    const each = (value: number) => value.toFixed(0)
    lines.push(
      `- ${count(events.streams)} open streams of events on one process: ${each(events.kilobytesEach)} KB each; an event is in half of them after ${each(events.medianMs)} ms, in all after ${each(events.lastMs)} ms. p99 of another project's list at 100 a second: ${each(listMs.alone)} ms without streams, ${each(listMs.open)} ms with them, ${each(listMs.told)} ms while each receives five events a second.`,
      `- Webhook deliveries a second to a receiver on loopback: ${count(events.toOne)} to one endpoint, ${count(events.toTwenty)} to twenty of one project. An event of each of 50 projects arrives at their ${count(events.endpoints)} endpoints within ${each(events.quietMs)} ms, and within ${each(events.hangingMs)} ms at the others while one hangs.`,
    )
  }
  return lines.length > 0 ? `## Besides\n\n${lines.join('\n')}\n` : ''
}

const count = (value: number) => Math.round(value).toLocaleString('en-US')
const ms = (microseconds: number) => (microseconds / 1000).toFixed(2)
