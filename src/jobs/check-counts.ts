import { correctCounts } from '../core/pets/inventory.ts'
import { type Changes, mayHavePassedTriggers } from '../database/changes.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Logger } from '../tools/log.ts'
import type { Work } from './worker.ts'

const everyMs = 2_000
const longestPauseMs = 60_000

type Tools = { db: PrismaClient; log: Logger; changes: Pick<Changes, 'follow'> }

/**
 * Counts the pets and corrects the inventory after a restore or another change that may not have fired the triggers of
 * the inventory. Every process runs this job; the process that runs the job first corrects the counts.
 */
export function checkCounts({ db, log, changes }: Tools): Work<null> {
  let isDue = false
  let pauseMs = everyMs
  let notBefore = 0
  changes.follow((_change, reason) => {
    if (mayHavePassedTriggers(reason)) isDue = true
  })
  return {
    everyMs,
    mostAtOnce: 1,
    claim: async () => (isDue && performance.now() >= notBefore ? [null] : []),
    async run(_job, signal) {
      isDue = false
      try {
        const { corrected, unchecked } = await correctCounts(db, signal)
        pauseMs = everyMs
        if (corrected.length > 0)
          log.warn({ projects: corrected }, 'inventory corrected: counts did not match the pets')
        if (unchecked.length > 0)
          log.warn({ projects: unchecked }, 'inventory not checked: too many pets; run SELECT recount_pets()')
      } catch (error) {
        isDue = true
        // Pause after a failure. Without the pause, the worker would run this job again at once, and each run may read
        // all pets of a project before the run fails.
        notBefore = performance.now() + pauseMs
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
        throw error
      }
    },
  }
}
