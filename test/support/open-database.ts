import { beforeAll } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import type { Project } from '../../src/generated/prisma/client.ts'
import { freshDatabase } from './databases.ts'
import { findProgram } from './programs.ts'

/** The database without a service, for tests of races and bounds in the core. */
type OwnDatabase = {
  database: Database
  db: Database['db']
  /**
   * Returns a further client of the database. The further client does not share the locks inside this process with the
   * first client, so the two clients compete like clients in two processes.
   */
  ofAnotherProcess(): Database['db']
  makeProject(planName?: string): Promise<Project>
  /** Gives the project a verified domain. */
  giveDomain(project: Project, name: string): Promise<void>
  close(): Promise<void>
}

/** Races need PostgreSQL, because the embedded database has one connection. */
export const canRace = () => findProgram('postgres') !== null

let made = 0

/** Opens a database for all tests of a group, before the first of them. */
export function prepareOwnDatabase(make = freshDatabase): OwnDatabase {
  const own = {} as OwnDatabase
  beforeAll(async () => {
    Object.assign(own, await open(make))
    return own.close
  })
  return own
}

async function open(make: typeof freshDatabase): Promise<OwnDatabase> {
  const { env, remove } = await make()
  const { DATABASE_URL: databaseUrl = null, DATA_DIR: dataDir = '' } = env
  const database = await openDatabase({ databaseUrl, dataDir })
  await database.migrated
  const { db } = database
  return {
    database,
    db,
    ofAnotherProcess: () => db.$extends({}) as unknown as Database['db'],
    // Writes no event for the new project, so that the project's first event has the number 1.
    makeProject: (planName = 'pro') =>
      db.$transaction(async tx => {
        await tx.$executeRaw`SET LOCAL session_replication_role = replica`
        return tx.project.create({ data: { slug: `shop-${++made}`, name: 'Shop', planName } })
      }),
    async giveDomain({ id: projectId }, name) {
      const now = new Date()
      const times = { createdAt: now, verifiedAt: now, looksSince: now }
      await db.domain.create({ data: { projectId, name, ownedName: name, state: 'live', ...times } })
    },
    async close() {
      await database.close()
      await remove()
    },
  }
}
