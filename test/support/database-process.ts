import { registerHooks } from 'node:module'
import type { DatabaseConfig } from '../../src/database/open-database.ts'

/** A process with an open database. `startDatabaseProcess` starts it and controls it by messages. */
let loadsEngine = false
registerHooks({
  load(url, context, nextLoad) {
    if (url.includes('schema-engine-wasm')) loadsEngine = true
    return nextLoad(url, context)
  },
})

const { openDatabase } = await import('../../src/database/open-database.ts')
const config: DatabaseConfig = JSON.parse(process.env.DATABASE_CONFIG ?? '')
const { SNAPSHOTS } = process.env

async function openWithSnapshots(snapshots: string) {
  const { openEmbeddedDatabase } = await import('../../src/database/embedded.ts')
  return openEmbeddedDatabase(config.dataDir, snapshots)
}

process.once('message', async () => {
  try {
    const { db } = await (SNAPSHOTS ? openWithSnapshots(SNAPSHOTS) : openDatabase(config))
    let stored = 0
    process.on('message', async count => {
      for (let left = Number(count); left > 0; left -= 1) {
        await db.project.create({ data: { slug: `project-${process.pid}-${stored}`, name: 'A store' } })
        stored += 1
      }
      process.send?.({ stored })
    })
    process.send?.({ opened: true, loadsEngine })
  } catch (error) {
    process.send?.({ opened: false, refusal: error instanceof Error ? error.message : String(error) })
  }
})
process.send?.('loaded')
