import { parseArgs } from 'node:util'
import type { Pace } from './measure.ts'
import type { Size } from './questions.ts'
import { latencyWorks, type Steadiness, type Work, type WorkName, works } from './works.ts'

export type Options = ReturnType<typeof readOptions>

const whole: Size = { pets: 1_000_000, projects: 100 }
/**
 * The size of the data for `--quick`. A quick run takes two minutes, and this size is large enough for the run to show
 * that the store has become slower.
 */
const small: Size = { pets: 100_000, projects: 100 }
/**
 * The size of the data for comparisons of answers. A timed run needs more pets: with 10,000 pets, the work `place`
 * would use up all available pets within a second, because each order takes one pet.
 */
const tiny: Size = { pets: 10_000, projects: 10 }

/**
 * In seconds. Contestants alternate after each round: the machine's speed drifts, so many short rounds compare them
 * more fairly than a few long ones.
 */
const roundSeconds = 2
const roundsOf: Record<Steadiness, number> = { shown: 3, steady: 6, swinging: 10 }
const quickRounds = 3
/**
 * At a fixed rate, rounds must be longer, so that enough requests are slower than p99.9. For example, 3 rounds of 5 s
 * at 500 requests a second send 7,500 requests, and 7 of these requests are slower than p99.9.
 */
const latencyRounds = 3
const latencySeconds = 5
const notInLatency = ['bare', 'bare+redis', 'bare+redis+select', 'bare+redis+insert', 'PostGraphile']
/** Measurements other than requests a second. */
const besides = ['start', 'flood', 'soak', 'size', 'bigStore', 'copy', 'hosts']
/** Measured only if `--only` names them. */
const named = ['events', 'eventCosts', 'sizes', 'growth', 'longMix']
const ownGround = ['hosts', ...named]

/**
 * `--quick` and `--hosts` run a part of the bench. `--only` chooses works, and `--without` leaves out contestants.
 * `--seconds` and `--rounds` set the length and the number of the rounds, `--soak` the seconds of mixed work in which
 * the memory is measured. `--equality` only compares answers. `--latency` measures latencies at fixed rates instead of
 * throughput.
 */
export function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      equality: { type: 'boolean', default: false },
      hosts: { type: 'boolean', default: false },
      latency: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      without: { type: 'string', default: '' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      soak: { type: 'string' },
    },
  })
  const usualSeconds = values.quick ? 1 : values.latency ? latencySeconds : roundSeconds
  const usualRounds = values.quick ? quickRounds : values.latency ? latencyRounds : roundsOf.steady
  const seconds = Number(values.seconds ?? usualSeconds)
  const pace: Pace = {
    rounds: Number(values.rounds ?? usualRounds),
    seconds,
    warmUpSeconds: values.quick ? seconds : Math.ceil(1.5 * seconds),
    connections: 32,
  }
  const chosen = values.hosts ? ['hosts'] : values.only ? values.only.split(',') : null
  const known: string[] = values.latency ? [...latencyWorks] : [...Object.keys(works), ...besides, ...named]
  const unknown = chosen?.filter(name => !known.includes(name)) ?? []
  if (unknown.length > 0) {
    console.error(`The bench has no ${unknown.join(', ')}; it has ${known.join(', ')}.`)
    process.exit(1)
  }
  const all = values.latency ? latencyWorks : (Object.keys(works) as WorkName[])
  const names = all.filter(
    name => chosen?.includes(name) ?? (!values.quick || values.latency || 'quick' in works[name]),
  )
  return {
    names,
    without: [...values.without.split(','), ...(values.latency ? notInLatency : [])],
    latency: values.latency && !values.equality,
    equalityOnly: values.equality,
    size: values.tiny || values.equality ? tiny : values.quick ? small : whole,
    pace,
    paceOf({ steadiness }: Work): Pace {
      return values.quick || values.rounds ? pace : { ...pace, rounds: roundsOf[steadiness] }
    },
    /** Start, floods, size, big store, COPY, memory and hosts are measured in a full run, or if `--only` names them. */
    besides: chosen ?? (values.quick || values.latency ? [] : besides),
    soakSeconds: Number(values.soak ?? 300),
    /**
     * True if the results are compared with the goals. Rounds of one second are too short for this, because the
     * contestants do not warm up.
     */
    judges: !values.quick && !values.tiny && seconds >= roundSeconds,
    isFull: !chosen && !values.latency && !values.quick && !values.tiny && !values.without,
    needsGround: !chosen?.every(name => ownGround.includes(name)),
  }
}
