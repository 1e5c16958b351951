import type { Check, Fault } from './fault.ts'
import type { HistoryRun } from './history/run-history.ts'

export type Results = Record<string, { checks: Check[]; seconds?: number; commit: string; machine: string }>

export function writeReport(
  parts: Readonly<Record<string, readonly Fault[]>>,
  results: Results,
  histories: readonly HistoryRun[],
): string {
  const faults = Object.values(parts).flat()
  const machines = new Set(Object.values(results).map(({ machine }) => machine))
  const untried = faults.filter(({ name }) => !results[name])
  const failed = faults.filter(({ name }) => results[name]?.checks.some(({ holds }) => !holds))
  return `# What happens when something breaks

This page shows how PostgreSQL, Redis, a process or the network fails for clients and operators. Three processes run with a real PostgreSQL and Redis, behind HAProxy with [its file of deploy/](../deploy/haproxy.cfg). Clients create, change, order
and read pets by REST and GraphQL, and probes request /livez and /readyz ten times a second. Then one fault is caused.

## True for every row

- No acknowledged write is lost or doubled. The database itself was read to check this.
- Every answer shows all writes that were acknowledged before the request, and every change that is older than 250 ms, even one by SQL.
- A refusal is a 503 \`unavailable\` with Retry-After. No answer is a 500.
- No answer takes longer than 2.5 s plus three times the slowest answer before the fault.
- /livez goes on answering, unless the row breaks the process itself.
- Afterwards a limit of 60 requests lets exactly 60 of 150 through, over all processes.

## How to read and repeat it

"Limits let 150 of 60 through" means that a limit of 60 requests let 150 pass while the fault lasted. "Well after" is the time from the end of the fault to the last bad answer. "Log lines a process" is the number of the process that wrote the most.
\`npm run faults -- --only NAME\` tries one fault and prints each promise, each log line and what was seen. With \`--write\` the row here changes too.
${originOf(Object.values(results))} Machines: ${[...machines].join('; ')}. If the machine was busy with other work, times are upper bounds.

${untried.length === 0 ? '' : `Not tried: ${untried.map(({ name }) => name).join(', ')}. `}${failed.length === 0 ? 'Nothing failed.' : `**Failed: ${failed.map(({ name }) => name).join(', ')}.**`}
${Object.entries(parts)
  .map(
    ([part, faults]) => `
## ${part}

| fault | what breaks | what was seen |
|---|---|---|
${faults.map(fault => rowOf(fault, results)).join('\n')}
`,
  )
  .join('')}
## Histories under random faults

\`npm run faults -- --history MINUTES --seed N\` causes these faults at random, one of PostgreSQL and one of Redis sometimes together, for
three processes, each of which reaches both over a network link of its own. Every other seed ends with the promotion of a replica. Clients of every process, over REST,
GraphQL, MCP and the published client, and a client with \`psql\` record each call: when it was sent, when and how it was
answered, or that the outcome is unknown. Then [a checker](../test/faults/history/judge.ts) judges the history and the database:

- Each pet is a linearizable register: all its reads and changes with If-Match can be put into an order in which each takes effect between
  its request and its answer. Reads see every change that was acknowledged before them, by any process; other changes after 250 ms at most.
- No acknowledged pet or order is lost or doubled; a pet has one open order; the inventory equals the rows.
- Events have no gaps, and match the writes one to one.
- A limit of 60 a minute lets at most 60 through, and at most 60 more for each process while counts are lost or processes count in memory.
- Every 5xx is a 503 with \`Retry-After\`. How long answers take is not judged here, so that a busy machine can run it.

${histories.length === 0 ? 'No run is recorded yet.' : historyTable(histories)}

The machine was busy with other work during these runs. **They found a real bug:** before commit fb9de646, seeds 4 and 6 lost acknowledged
writes, because a connection whose \`ROLLBACK\` PostgreSQL had not answered was used again.

**They find planted bugs**, each tried once on a copy of the source:

| planted bug | how it was found |
|---|---|
| pages count as fresh for 5 s instead of 250 ms | after 72 s with \`postgres-mute\`, nine times: a process showed two pets as they had been before a \`psql\` command that was done more than 250 ms before |
| the trigger that logs changes of pets writes nothing for an UPDATE | after 18 s with \`redis-scripts-flushed\`: four pets changed by \`psql\` were read as before, and the usual load of this page saw v3 after v8 |
| the claim of an idempotency key is written under another key | after 30 s with \`postgres-killed\` and \`process-killed\`: four repeated creations were stored two or three times |

The random faults are only those that need one PostgreSQL and one Redis (no Cluster, Sentinel, PgBouncer, passwords or
names), and no client visits a customer's domain.

**Not tried:** a primary that hangs and is fenced late, a clock stepped for the whole machine, a real second machine or a
network that loses packets. 100,000 hosts with a deploy a second are \`npm run bench -- --hosts\`.
`
}

/** Says which commits were tried, and how long it took if one run produced all rows. */
function originOf(results: Results[string][]): string {
  const tries = Map.groupBy(results, ({ commit }) => commit)
  const [commit, ...others] = tries.keys()
  if (others.length > 0) {
    const counts = [...tries].map(([tried, rows]) => `${rows.length} of commit ${tried}`)
    return `Each row is its latest try: ${counts.join(', ')}.`
  }
  const seconds = results.reduce((sum, result) => sum + (result.seconds ?? 0), 0)
  return `All rows are of commit ${commit}, tried in ${Math.ceil(seconds / 60)} minutes.`
}

function rowOf(fault: Fault, results: Results): string {
  const result = results[fault.name]
  const seen = result ? inShort(result.checks) : `not tried: ${fault.obstacle?.() ?? 'no run yet'}`
  const cells = [`\`${fault.name}\``, fault.what, seen]
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`
}

function inShort(checks: Check[]): string {
  const parts = checks.map(({ holds, seen, short }) => (holds ? (short ?? seen) : `**${seen}**`))
  return parts.filter(part => part !== '').join('; ')
}

function historyTable(histories: readonly HistoryRun[]): string {
  const count = (number: number) => number.toLocaleString('en')
  const rows = histories.map(
    ({ seed, minutes, faults, calls, acknowledged, violations, commit }) =>
      `| ${[seed, minutes, faults, count(calls), count(acknowledged), violations, commit].join(' | ')} |`,
  )
  return `| seed | minutes | faults | answers | acknowledged writes | violations | commit |
|---|---|---|---|---|---|---|
${rows.join('\n')}`
}
