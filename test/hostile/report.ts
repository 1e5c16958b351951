import type { Attack } from './attack.ts'
import { brokenPromises, type Play } from './play.ts'

type Side = { commit: string; machine: string; plays: Record<string, Play> }
export type Results = { before?: Side; now?: Side }

export function writeReport(attacks: readonly Attack[], { before, now }: Results): string {
  const hurting = attacks.filter(attack => brokenOf(attack, now).length > 0)
  return `# What an attack costs the others

How much an attack on one project slows down the others. Measured by \`npm run hostile\` on ${now?.machine ?? 'no machine yet'}. Three processes share one PostgreSQL and one Redis. A victim project reads and writes at
both doors and on its own domain over HTTPS, about 130 requests a second; a probe asks each process for /livez twenty times a second. Then one
attacker begins, from an address of its own and with keys of its own, for a few seconds; victim, attacker, processes, PostgreSQL and Redis share the cores.

Under each attack the victim's p99 must be at most twice its p99 of the last 30 s without an attack plus 20 ms; /livez must answer within 250 ms; every answer to
the victim must be right; and a minute later the memory must be within 100 MB of its former size. Broken promises are in bold.
An attack with too high a p99 is played twice more: its row has the median p99 of the three plays, and the worst /livez, memory and wrong answers.
A full run records its results. \`npm run hostile -- --only NAME,NAME\` runs some attacks and records nothing; \`--base REVISION\` attacks another revision, whose results are recorded as "before".

${quietOf('Before', before)}
${quietOf('Now', now)}
Each cell has the victim's p50 and p99 as multiples of those without an attack (quiet); the slowest /livez; the memory before, at the end, and a minute
later; and the wrong answers to the victim, if any. ${hurting.length === 0 ? 'No attack fails.' : `**Attacks that fail: ${hurting.map(({ name }) => name).join(', ')}.**`}

| attack | by | what | before | now |
|---|---|---|---|---|
${attacks.map(attack => `| \`${attack.name}\` | ${attack.by} | ${attack.what} | ${cellOf(attack, before)} | ${cellOf(attack, now)} |`).join('\n')}
`
}

const quietOf = (when: string, side: Side | undefined) =>
  side
    ? `${when}: commit ${side.commit} on ${side.machine}, quiet p50 ${spanOf(side, 'p50')} ms, p99 ${spanOf(side, 'p99')} ms.\n`
    : ''

/**
 * Returns the range of the latencies that were measured without an attack. The report shows a range, because the speed
 * of a machine drifts.
 */
function spanOf({ plays }: Side, latency: 'p50' | 'p99'): string {
  const all = Object.values(plays).map(({ quiet }) => quiet[latency])
  const [least, most] = [Math.min(...all).toFixed(1), Math.max(...all).toFixed(1)]
  return least === most ? least : `${least} to ${most}`
}

const brokenOf = ({ name }: Attack, side: Side | undefined) => {
  const play = side?.plays[name]
  return play ? brokenPromises(play) : []
}

function cellOf(attack: Attack, side: Side | undefined): string {
  const play = side?.plays[attack.name]
  if (!play) return 'not played'
  const broken = brokenPromises(play)
  const [p50, p99, livez, memory] = figuresOf(play)
  const mark = (promise: string, text = '') => (broken.includes(promise) ? `**${text}**` : text)
  const [wrong] = play.outcome.wrong
  return `${p50}, ${mark('p99', p99)}; ${mark('/livez', livez)}; ${mark('memory', memory)}${wrong === undefined ? '' : `, **wrong: ${wrong.replaceAll('|', '\\|')}**`}`
}

function figuresOf({ outcome: { p50, p99, longestLivezMs, megabytes }, quiet }: Play): string[] {
  const times = (ms: number, quietMs: number) => `${(ms / quietMs).toFixed(1)} ×`
  return [
    times(p50, quiet.p50),
    times(p99, quiet.p99),
    `${Math.round(longestLivezMs)} ms`,
    `${megabytes.join(', ')} MB`,
  ]
}

export function rowOf({ name }: Attack, recorded: Play): string {
  const { p99, cpuSeconds, attacker } = recorded.outcome
  const broken = brokenPromises(recorded)
  const ms = `p99 ${Math.round(p99)} ms, quiet ${Math.round(recorded.quiet.p99)} ms`
  return `${broken.length > 0 ? 'HURTS' : 'kept '} ${name}: ${figuresOf(recorded).join('; ')}; ${ms}; ${cpuSeconds.toFixed(1)} s CPU; attacker ${JSON.stringify(attacker)} ${broken.join(', ')}`
}
