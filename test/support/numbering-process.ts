import { openChanges } from '../../src/database/changes.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { giveNumbers } from '../../src/jobs/number-events.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { openLog } from '../../src/tools/log.ts'
import { openMetrics } from '../../src/tools/metrics.ts'

/**
 * Numbers events as the service does, but looks for new ones more often. Prints a line whenever it begins to number
 * events.
 */
const database = await openDatabase({ databaseUrl: process.argv[2] ?? '', dataDir: '', databasePoolSize: 3 })
await database.migrated
const log = openLog('silent')
const changes = openChanges({ database, log, counts: openMetrics().changes })
const { db } = database
const work = giveNumbers({ db, database, changes })
startWorker(
  { log, database },
  {
    ...work,
    everyMs: 5,
    run(job, signal) {
      console.log('turn')
      return work.run(job, signal)
    },
  },
)
