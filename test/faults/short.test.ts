import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../support/programs.ts'
import { faults } from './faults.ts'
import { type Ground, layGround, plain } from './ground.ts'
import { play } from './play.ts'

const canRun = ['postgres', 'redis-server', 'haproxy'].every(findProgram)
/** Twice the time limits, because other tests use the same cores. */
const patience = 2
const short = faults.filter(fault => 'promises' in fault).filter(({ short }) => short)

describe.skipIf(!canRun)('three processes behind HAProxy keep every promise of docs/faults.md while', () => {
  let ground: Ground
  beforeAll(async () => {
    ground = await layGround(plain)
  })
  afterAll(() => ground?.stop())

  it.each(short.map(fault => [fault.what, fault] as const))(
    '%s',
    async (_what, fault) => {
      const checks = await play(fault, ground, patience)

      expect(checks.filter(({ holds }) => !holds)).toEqual([])
    },
    90_000,
  )
})
