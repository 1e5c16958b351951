import type { Attack } from './attack.ts'
import { brokenPromises, type Outcome } from './play.ts'

type Side = { commit: string; machine: string; quiet: Outcome; outcomes: Record<string, Outcome> }
export type Results = { before?: Side; now?: Side }

export function writeReport(attacks: readonly Attack[], { before, now }: Results): string {
  const hurting = attacks.filter(attack => brokenOf(attack, now).length > 0)
  return `# What an attack costs the others

How much an attack on one project slows down the others. Measured by \`npm run hostile\` on ${now?.machine ?? 'no machine yet'}. Three processes stand on PostgreSQL and Redis. A victim project reads and writes at
both doors and on its own domain over HTTPS, about 130 requests a second; a probe asks each process for /livez twenty times a second. Then one
attacker begins, from an address of its own and with keys of its own, for a few seconds; victim, attacker, processes, PostgreSQL and Redis share the cores.

Under each attack the victim's p99 must be at most twice its p99 without an attack plus 20 ms; /livez must answer within 250 ms; every answer to
the victim must be the right one; and a minute later the memory must be within 100 MB of its former size. Broken promises are in bold.
An attack with too high a p99 is played twice more: its row has the median p99 of the three plays, and the worst /livez, memory and wrong answers.
\`npm run hostile -- --only NAME,NAME\` plays some rows, \`--write\` records them, \`--base REVISION\` plays against another revision and records it as before.

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
    ? `${when}: commit ${side.commit} on ${side.machine}, quiet p50 ${side.quiet.p50.toFixed(1)} ms, p99 ${side.quiet.p99.toFixed(1)} ms.\n`
    : ''

const brokenOf = ({ name }: Attack, side: Side | undefined) => {
  const outcome = side?.outcomes[name]
  return side && outcome ? brokenPromises(outcome, side.quiet) : []
}

function cellOf(attack: Attack, side: Side | undefined): string {
  const outcome = side?.outcomes[attack.name]
  if (!side || !outcome) return 'not played'
  const broken = brokenPromises(outcome, side.quiet)
  const [p50, p99, livez, memory] = figuresOf(outcome, side.quiet)
  const mark = (promise: string, text = '') => (broken.includes(promise) ? `**${text}**` : text)
  const wrong = outcome.wrong.length > 0 ? `, **wrong: ${outcome.wrong[0]?.replaceAll('|', '\\|')}**` : ''
  return `${p50}, ${mark('p99', p99)}; ${mark('/livez', livez)}; ${mark('memory', memory)}${wrong}`
}

function figuresOf({ p50, p99, longestLivezMs, megabytes }: Outcome, quiet: Outcome): string[] {
  const times = (ms: number, quietMs: number) => `${(ms / quietMs).toFixed(1)} ×`
  return [
    times(p50, quiet.p50),
    times(p99, quiet.p99),
    `${Math.round(longestLivezMs)} ms`,
    `${megabytes.join(', ')} MB`,
  ]
}

export const rowOf = ({ name }: Attack, outcome: Outcome, quiet: Outcome) =>
  `${name}: ${figuresOf(outcome, quiet).join('; ')}; p99 ${Math.round(outcome.p99)} ms; ${outcome.cpuSeconds.toFixed(1)} s CPU; attacker ${JSON.stringify(outcome.attacker)}`
