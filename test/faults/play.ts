import { setTimeout as pause } from 'node:timers/promises'
import { openClient } from './client.ts'
import { letThrough, perMinute } from './exactness.ts'
import { type Check, type Promises, type UnderLoad, usual } from './fault.ts'
import type { Ground, Project } from './ground.ts'
import { settle } from './ledger.ts'
import { type Load, startLoad } from './load.ts'
import { type FollowedLogs, followLogs } from './log-lines.ts'
import { type Probes, startProbes } from './probes.ts'

const warmUpMs = 1_500
/** The system counts as recovered after this long without a bad answer. */
const steadyMs = 1_500
const longestOutageMs = 30_000
const limitsAfterMs = 700
const linesLeaveMs = 500
const busyFactor = 3

/**
 * Tries one fault under load until everything works again, and checks each promise. `patience` multiplies the time
 * limits, for runs beside other tests.
 */
export async function play(fault: UnderLoad, ground: Ground, patience = 1): Promise<Check[]> {
  const alone = { ...usual, ...fault.promises }
  const [slowestMs, wellWithinMs] = [patience * alone.slowestMs, patience * alone.wellWithinMs]
  const promises = { ...alone, slowestMs, wellWithinMs }
  const during = await ground.makeProject({ perMinute })
  const load = await startLoad(ground)
  await pause(warmUpMs)
  const busyMs = load.answers.calm()
  const logs = followLogs(() => ground.stores.flatMap(({ runs }) => runs))
  const probes = startProbes(ground.stores, busyMs, patience)

  const happening = fault.happen(ground, load)
  const passed = promises.limits ? await passedMeanwhile(ground, during) : null
  const own = (await happening) ?? []
  const endedAt = performance.now()
  const lastBadAt = await untilWell(load, probes)
  await untilForgotten(ground)
  await probes.stop()
  await load.stop()
  const passedAfter = await passedWhenExact(ground)

  const recoveredMs = Math.max(0, lastBadAt - endedAt)
  return [
    judgeAnswers(load, promises, busyMs),
    await judgeWrites(load, ground),
    judgeReads(load),
    judgeLimits(passed, passedAfter, promises),
    judgeLog(logs, promises),
    judgeProbes(probes, promises),
    judgeRecovery(recoveredMs, promises),
    ...own,
  ]
}

async function passedMeanwhile({ stores }: Ground, project: Project): Promise<number> {
  // Wait until the fault has begun.
  await pause(limitsAfterMs)
  return letThrough(stores, project)
}

/**
 * After the fault, returns how many requests of a new project pass. On a busy machine Redis may be late for a moment,
 * so that a process counts in its own memory. In this case the function tries again with another new project, three
 * times at most in all.
 */
async function passedWhenExact({ stores, makeProject }: Ground): Promise<number> {
  const client = openClient(null)
  for (let tries = 1; ; tries++) {
    const passed = await letThrough(stores, await makeProject({ perMinute }))
    const answers = await Promise.all(stores.map(({ opsUrl }) => client.ask(`${opsUrl}/readyz`)))
    const isAlone = answers.some(({ text }) => text.includes('counting in memory'))
    if (!isAlone || tries === 3) {
      client.close()
      return passed
    }
    await pause(steadyMs)
  }
}

async function untilWell({ answers }: Load, probes: Probes): Promise<number> {
  const lastBadAt = () => Math.max(answers.lastBadAt(), probes.lastUnwellAt())
  for (const since = performance.now(); performance.now() - since < longestOutageMs; ) {
    if (performance.now() - Math.max(since, lastBadAt()) > steadyMs) break
    await pause(50)
  }
  return lastBadAt()
}

/**
 * Waits until no process reports the outage any more and the last log line about it is written. Otherwise this line
 * would count as a line of the next fault.
 */
export async function untilForgotten({ stores }: Pick<Ground, 'stores'>): Promise<void> {
  const client = openClient(null)
  const isForgotten = async () => {
    const answers = await Promise.all(stores.map(({ opsUrl }) => client.ask(`${opsUrl}/readyz`)))
    return answers.every(({ text }) => !text.includes('"fault"'))
  }
  for (const since = performance.now(); performance.now() - since < longestOutageMs; ) {
    if (await isForgotten()) break
    await pause(100)
  }
  client.close()
  await pause(linesLeaveMs)
}

/**
 * Checks the answers of the load. The time limit of the slowest answer grows with `busyMs`, because a machine that
 * answered slowly before the fault may also answer slowly later.
 */
function judgeAnswers({ answers }: Load, promises: Promises, busyMs: number): Check {
  const refused = answers.count(503)
  const cut = answers.cut()
  const isCutRight = {
    nobody: cut.atProcess + cut.atBalancer === 0,
    'at the process': cut.atBalancer === 0,
    everywhere: true,
  }[promises.cuts]
  const wrong = answers.wrong()
  const slowest = answers.slowest()
  const holds =
    wrong.length === 0 &&
    (promises.refuses || refused === 0) &&
    isCutRight &&
    slowest.ms <= promises.slowestMs + busyFactor * busyMs
  const parts = [
    `${count(answers.total())} answers`,
    `${count(refused)} of them 503`,
    ...(cut.atProcess + cut.atBalancer > 0
      ? [`${cut.atProcess} connections cut at a process and ${cut.atBalancer} behind the balancer`]
      : []),
    ...wrong,
    `slowest ${seconds(slowest.ms)} (${slowest.what}; before the fault ${seconds(busyMs)})`,
  ]
  return { holds, seen: parts.join(', '), short: inShort() }

  function inShort(): string {
    const total = cut.atProcess + cut.atBalancer
    const bad = [...(refused ? [`${count(refused)} got 503`] : []), ...(total ? [`${total} were cut`] : [])]
    const requests = `of ${count(answers.total())} requests`
    const what = bad.length === 0 ? 'All answered' : bad.join(' and ').replace(' ', ` ${requests} `)
    return `${what}, slowest ${seconds(slowest.ms)}`
  }
}

async function judgeWrites({ ledger, project }: Load, ground: Ground): Promise<Check> {
  const { acknowledged, lost, doubled } = await settle(ledger, ground, project)
  const examples = [...lost, ...doubled].slice(0, 2).map(what => ` (${what})`)
  return {
    holds: lost.length + doubled.length === 0,
    seen: `${count(acknowledged)} writes acknowledged, ${lost.length} lost, ${doubled.length} doubled${examples.join('')}`,
    short: '',
  }
}

function judgeReads({ reading: { judged, old } }: Load): Check {
  const example = old[0] ? ` (${old[0]})` : ''
  return {
    holds: old.length === 0 && judged > 0,
    seen: `${old.length} old of ${count(judged)} pets read${example}`,
    short: '',
  }
}

function judgeLimits(passed: number | null, passedAfter: number, { limits }: Promises): Check {
  const most = limits === 'alone' ? perMinute * 3 : perMinute
  const isCacheable = passed === null || (passed >= perMinute && passed <= most)
  const meanwhile = passed === null ? '' : `${passed} of ${perMinute} let through meanwhile, `
  return {
    holds: isCacheable && passedAfter === perMinute,
    seen: `${meanwhile}${passedAfter} after`,
    short: passed === null || passed === perMinute ? '' : `limits let ${passed} of ${perMinute} through`,
  }
}

function judgeLog(logs: FollowedLogs, { says, about, mostLines, mostErrors }: Promises): Check {
  const said = logs.said()
  const errors = logs.errors()
  const isSaid = says === null || said.some(text => says.test(text))
  const most = logs.mostOfOne(about)
  const holds = isSaid && errors.length <= mostErrors * 3 && most <= mostLines
  const words = said.map(text => `“${text.slice(0, 110)}”`).join(', ')
  const counted = `log: ${errors.length} errors, ${most} lines of a process`
  return {
    holds,
    seen: words ? `${counted}: ${words}` : counted,
    short: most === 0 ? '' : `${most} log ${most === 1 ? 'line' : 'lines'} a process`,
  }
}

function judgeProbes(probes: Probes, { readiness, deadProcesses }: Promises): Check {
  const said = probes.said()
  const dead = probes.dead().size
  const holds = dead === deadProcesses && (readiness === null || said.some(words => readiness.test(words)))
  const livez = dead === 0 ? '/livez always' : `/livez silent at ${dead}`
  return {
    holds,
    seen: `${livez}, /readyz ${said.join('; ') || 'always ready'}`,
    short: said.some(words => words.startsWith('503')) ? '/readyz 503' : '',
  }
}

function judgeRecovery(ms: number, { wellWithinMs }: Promises): Check {
  const seen = ms === 0 ? 'well at once' : `well after ${seconds(ms)}`
  return { holds: ms <= wellWithinMs, seen, short: seen }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const count = (number: number) => number.toLocaleString('en')
