import { parseArgs } from 'node:util'
import type { Pace } from './measure.ts'
import type { Size } from './questions.ts'
import { type Work, type WorkName, works } from './works.ts'

export type Options = ReturnType<typeof readOptions>

const whole: Size = { pets: 1_000_000, projects: 100 }
/** Enough to see whether something got slower, in two minutes. */
const small: Size = { pets: 100_000, projects: 100 }
const tiny: Size = { pets: 10_000, projects: 10 }

export function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      equality: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      without: { type: 'string', default: '' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      soak: { type: 'string' },
    },
  })
  const pace: Pace = {
    rounds: Number(values.rounds ?? 3),
    seconds: Number(values.seconds ?? (values.quick ? 1 : 5)),
    connections: 32,
  }
  const chosen = values.only ? values.only.split(',') : null
  const names = (Object.keys(works) as WorkName[]).filter(
    name => chosen?.includes(name) ?? (!values.quick || 'quick' in works[name]),
  )
  return {
    names,
    without: values.without.split(','),
    equalityOnly: values.equality,
    size: values.tiny || values.equality ? tiny : values.quick ? small : whole,
    pace,
    paceOf({ atLeast }: Work): Pace {
      if (values.quick || !atLeast) return pace
      return {
        ...pace,
        rounds: Math.max(pace.rounds, atLeast.rounds),
        seconds: Math.max(pace.seconds, atLeast.seconds),
      }
    },
    /** Start, floods, size and memory: measured in a full run, or when asked for by name. */
    besides: chosen ?? (values.quick ? [] : ['start', 'flood', 'size', 'soak']),
    soakSeconds: Number(values.soak ?? 600),
    /** What runs for a second only is not warm yet, and shows no more than what got slower. */
    judges: !values.quick && !values.tiny,
    isFull: !chosen && !values.quick && !values.tiny,
    isKept: !chosen && !values.tiny && !values.without,
  }
}
