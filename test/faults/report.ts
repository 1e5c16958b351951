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

This page shows what clients and operators see when PostgreSQL, Redis, a process or the network fails. In each try, three processes run with
a real PostgreSQL and Redis, behind HAProxy with [its file of deploy/](../deploy/haproxy.cfg). Clients create, change, order and read pets by
REST and GraphQL. Probes request /livez and /readyz ten times a second. Then one fault is caused.

## True for every row

- No acknowledged write is lost or doubled. The database itself was read to check this.
- Every answer shows all writes that were acknowledged before the request. It also shows every other change, such as one by SQL, that is older than 250 ms.
- If the store cannot serve a request, it answers 503 \`unavailable\` with Retry-After. No answer is a 500.
- No answer takes longer than 2.5 s plus three times the slowest answer before the fault.
- /livez answers all the time, unless the fault is one of the process itself.
- After the fault, a limit of 60 requests lets exactly 60 of 150 requests through, over all processes.

## How to read and repeat it

The last column has these words:

| words | meaning |
|---|---|
| limits let 150 of 60 through | while the fault lasted, a limit of 60 requests let 150 requests through |
| well after 0.1 s | the time from the end of the fault to the last bad answer |
| 2 log lines a process | the number of lines of the process that wrote the most lines |
| /readyz 503 | /readyz of a process answered 503 while the fault lasted |

\`npm run faults -- --only NAME\` tries one fault. It prints each promise, each log line and what was seen. With \`--write\`, it also changes the row of this fault here.
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

\`npm run faults -- --history MINUTES --seed N\` causes these faults at random. Sometimes it causes a fault of PostgreSQL and a fault of Redis
at the same time. Three processes run, and each reaches PostgreSQL and Redis over a network link of its own. About half of the seeds end with
the promotion of a replica.

Clients send calls to every process, over REST, GraphQL, MCP and the published client. One more client uses \`psql\`. Each client records its
calls: when it sent the call, and when and how the call was answered. If the outcome of a call is unknown, the client records that. Then
[a checker](../test/faults/history/judge.ts) checks the history and the database by these rules:

- Each pet is a linearizable register: all its reads and its changes with If-Match can be put into an order in which each takes effect between
  its request and its answer. A read sees every change that any process acknowledged before the read, and other changes after 250 ms at most.
- No acknowledged pet or order is lost or doubled. A pet has at most one open order. The counts of the inventory equal the rows.
- Events have no gaps, and match the writes one to one.
- A limit of 60 requests a minute lets at most 60 through. While counts are lost or processes count in memory, it lets at most 60 more through
  for each process.
- Every 5xx is a 503 with \`Retry-After\`.

The checker does not check how long answers take, so that a busy machine can run it.

${histories.length === 0 ? 'No run is recorded yet.' : historyTable(histories)}

The machine was busy with other work during these runs. **The runs found a real bug:** before commit fb9de646, seeds 4 and 6 lost acknowledged
writes. The service used a connection again although PostgreSQL had not answered its \`ROLLBACK\`.

**The runs also find planted bugs.** We planted each of these once, in a copy of the source:

| planted bug | how it was found |
|---|---|
| pages count as fresh for 5 s instead of 250 ms | after 72 s with \`postgres-mute\`: nine reads of two pets still showed the old state, more than 250 ms after a \`psql\` command had changed the pets |
| the trigger that logs changes of pets writes nothing for an UPDATE | after 18 s with \`redis-scripts-flushed\`: reads showed four pets as they were before a change by \`psql\`, and a client read version 3 of a pet after version 8 |
| the claim of an idempotency key is written under another key | after 30 s with \`postgres-killed\` and \`process-killed\`: four repeated creations were stored two or three times |

The random faults need only one PostgreSQL and one Redis. So there are no faults of a Cluster, Sentinel, PgBouncer, passwords or names. No client visits a customer's domain.

**Not tried:**

- a primary that hangs and is fenced late
- a clock that steps for the whole machine
- a real second machine, or a network that loses packets

\`npm run bench -- --hosts\` tries 100,000 hosts with a deploy a second.
`
}

/**
 * Returns a sentence about the commits at which the faults of the table were tried. If all faults were tried at one
 * commit, the sentence also contains the total time of the tries.
 */
function originOf(results: Results[string][]): string {
  const tries = Map.groupBy(results, ({ commit }) => commit)
  const [commit, ...others] = tries.keys()
  if (others.length > 0) {
    const counts = [...tries].map(([tried, rows]) => `${rows.length} of commit ${tried}`)
    return `Each row shows the latest try of its fault: ${counts.join(', ')}.`
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
