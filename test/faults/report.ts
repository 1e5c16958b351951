import { type Check, expectedOf, type Fault } from './fault.ts'

export type Results = Record<string, { checks: Check[]; seconds?: number; commit: string; machine: string }>

export function writeReport(faults: readonly Fault[], results: Results): string {
  const machines = new Set(Object.values(results).map(({ machine }) => machine))
  const untried = faults.filter(({ name }) => !results[name])
  const failed = faults.filter(({ name }) => results[name]?.checks.some(({ kept }) => !kept))
  return `# What happens when something breaks

Measured by \`npm run faults\` on ${[...machines].join(' and ')}. Three processes stand on a real PostgreSQL and Redis, behind HAProxy with
[its file of deploy/](../deploy/haproxy.cfg). Clients create, change and order pets there and at each process, and note what was acknowledged; others
read at each process by REST and GraphQL; probes ask for /livez and /readyz ten times a second. Then one thing breaks.

In every row, beside what it says: no acknowledged write is lost or doubled (looked up in the database itself); no answer shows what is older than a
write that was acknowledged before its question, or older than 250 ms, whoever changed it; a refusal is a 503 \`unavailable\` with Retry-After, nothing is a
500, and no answer takes longer than 2.5 s and three times what the slowest took before the fault; afterwards a limit of 60 lets exactly 60 of 150 requests through, over all processes.
\`npm run faults -- --only NAME\` tries one row, and \`--write\` puts it down here. What fails is said so, and makes the command fail.
${originOf(Object.values(results))} Where the machine was busy with other work, times are upper bounds.

${untried.length === 0 ? '' : `Not tried: ${untried.map(({ name }) => name).join(', ')}. `}${failed.length === 0 ? 'Nothing failed.' : `**Failed: ${failed.map(({ name }) => name).join(', ')}.**`}

| fault | what happens | expected | seen | commit |
|---|---|---|---|---|
${faults.map(fault => rowOf(fault, results)).join('\n')}

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
  const seen = result
    ? result.checks.map(({ kept, seen }) => (kept ? seen : `**${seen}**`)).join('; ')
    : `not tried: ${fault.obstacle?.() ?? 'no run yet'}`
  const cells = [`\`${fault.name}\``, fault.what, expectedOf(fault), seen, result?.commit ?? '']
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`
}
