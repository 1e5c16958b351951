import { setTimeout as pause } from 'node:timers/promises'
import { databaseAway } from './away.ts'
import type { Fault } from './fault.ts'
import { askDatabase, plain, replicated } from './ground.ts'

/** Faults in which PostgreSQL is unavailable for some seconds. */
export const postgresFaults: Fault[] = [
  {
    name: 'postgres-restarted',
    what: 'PostgreSQL is stopped and started again at once',
    ground: plain,
    promises: { ...databaseAway, readiness: null },
    happen: ({ postgres }) => postgres.restart(),
  },
  {
    name: 'postgres-killed',
    what: 'PostgreSQL is killed (kill -9, all of it) and back after 3 s',
    ground: plain,
    short: true,
    promises: { ...databaseAway, says: /cannot serve: (the connection|it is starting|it cannot be reached)/ },
    async happen({ postgres }) {
      await postgres.kill9()
      await pause(3_000)
      await postgres.restart()
    },
  },
  {
    name: 'postgres-hangs',
    what: 'PostgreSQL hangs (SIGSTOP) for 5 s, and receives the writes of this time afterwards',
    ground: plain,
    promises: { ...databaseAway, says: /cannot serve: it does not answer in time/ },
    async happen({ postgres }) {
      postgres.pause()
      await pause(5_000)
      postgres.resume()
    },
  },
  {
    name: 'postgres-backend-killed',
    what: 'One backend of PostgreSQL is killed (kill -9), so that all backends end and PostgreSQL recovers',
    ground: plain,
    promises: { ...databaseAway, readiness: null },
    async happen({ sql }) {
      const rows = await sql(`SELECT pid FROM pg_stat_activity WHERE application_name = 'animal-store'`)
      process.kill(Number(rows[0]?.pid), 'SIGKILL')
    },
  },
  {
    name: 'postgres-promoted',
    what: 'The primary is killed and fenced, and its synchronous replica is promoted; `DATABASE_URL` names both servers',
    ground: replicated,
    spoils: true,
    promises: { ...databaseAway, wellWithinMs: 4_000 },
    async happen({ postgres, replica, turnTo }) {
      if (!replica) throw new Error('There is no replica.')
      await postgres.kill9()
      await pause(1_000)
      for (const text of [
        'SELECT pg_promote()',
        'ALTER SYSTEM RESET synchronous_standby_names',
        'SELECT pg_reload_conf()',
      ]) {
        await askDatabase(replica.url, text)
      }
      turnTo(replica.url)
    },
  },
]
