import type { Check, Fault } from './fault.ts'

export type Results = Record<string, { checks: Check[]; seconds?: number; commit: string; machine: string }>

export function writeReport(parts: Readonly<Record<string, readonly Fault[]>>, results: Results): string {
  const faults = Object.values(parts).flat()
  const machines = new Set(Object.values(results).map(({ machine }) => machine))
  const untried = faults.filter(({ name }) => !results[name])
  const failed = faults.filter(({ name }) => results[name]?.checks.some(({ kept }) => !kept))
  return `# What happens when something breaks

Three processes run with a real PostgreSQL and Redis, behind HAProxy with [its file of deploy/](../deploy/haproxy.cfg). Clients create, change, order
and read pets by REST and GraphQL, and probes ask for /livez and /readyz ten times a second. Then one thing breaks.

## True for every row

- No acknowledged write is lost or doubled. The database itself was read to check this.
- No answer is older than a write that was acknowledged before the request, and none is older than 250 ms, whoever made the change.
- A refusal is a 503 \`unavailable\` with Retry-After. No answer is a 500.
- No answer takes longer than 2.5 s plus three times the slowest answer before the fault.
- /livez goes on answering, unless the row breaks the process itself.
- Afterwards a limit of 60 requests lets exactly 60 of 150 through, over all processes.

## How to read and repeat it

"Well after" counts from the end of the fault to the last bad answer. Log lines are those of the process with the most.
\`npm run faults -- --only NAME\` tries one fault and prints each promise, each log line and what was seen. With \`--write\` the row here changes too.
${originOf(Object.values(results))} The machine: ${[...machines].join(' and ')}. If it was busy with other work, times are upper bounds.

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
**Not here:** a primary that hangs and is fenced late, a clock stepped for the whole machine, a real second machine or a
network that loses packets. 100,000 hosts with a deploy a second are \`npm run bench -- --hosts\`.
`
}

/** True if one run produced all rows. */
function originOf(results: Results[string][]): string {
  const [commit, ...others] = new Set(results.map(result => result.commit))
  if (others.length > 0) return 'Each row is its latest try, on the commit that it names.'
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
  const parts = checks.map(({ kept, seen, short }) => (kept ? (short ?? seen) : `**${seen}**`))
  return parts.filter(part => part !== '').join('; ')
}
