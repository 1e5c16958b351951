// Measures the memory during a long mix of requests to ten thousand projects.
import { peakMegabytes, residentMegabytes } from './account.ts'
import { type Contestant, contestants } from './contestants.ts'
import { type Ground, layGround } from './ground.ts'
import { measure } from './measure.ts'
import type { Options } from './options.ts'
import { startContestant } from './start-contestant.ts'
import { works } from './works.ts'

export type LongMixFound = {
  name: string
  seconds: number
  perSecond: number
  /** After each minute. */
  megabytes: number[]
  peak: number
}

const size = { pets: 1_000_000, projects: 10_000 }
/** Enough different requests that nearly every project gets some. */
const mix = { ...works.mix, questions: 100_000 }
const minuteMs = 60_000

/** Runs the mix on the store and on by the book at the same time, so both share one core. */
export async function measureLongMix(options: Options): Promise<LongMixFound[]> {
  const ground = await layGround(size, true)
  const both = contestants.filter(({ name }) => ['ours', 'by the book'].includes(name))
  try {
    return await Promise.all(both.map(contestant => measureOne(contestant, ground, options)))
  } finally {
    await ground.stop()
  }
}

async function measureOne(contestant: Contestant, ground: Ground, options: Options): Promise<LongMixFound> {
  const { name } = contestant
  const seconds = options.soakSeconds
  const running = await startContestant(contestant, ground)
  const megabytes: number[] = []
  const sampling = setInterval(() => {
    megabytes.push(Math.round(residentMegabytes(running.pid)))
    console.log(`${name}: ${megabytes.at(-1)} MB after ${megabytes.length} minutes`)
  }, minuteMs)
  const { cell } = await measure(mix, running, ground, { ...options.pace, seconds }, 0)
  clearInterval(sampling)
  const peak = Math.round(peakMegabytes(running.pid))
  await running.stop()
  return { name, seconds, perSecond: Math.round(cell.perSecond), megabytes, peak }
}
