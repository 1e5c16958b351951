import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedDatabase } from './embedded.ts'
import { readMigrations } from './migrations.ts'
import { findSnapshot, packSnapshot, snapshotFolder, snapshotName } from './snapshot.ts'

/** Writes the snapshot of these migrations, and removes the snapshots of others. */
export async function makeSnapshot(folder: string): Promise<void> {
  const migrations = await readMigrations()
  if (findSnapshot(migrations, folder)) return
  const dataDir = mkdtempSync(join(tmpdir(), 'animal-store-snapshot-'))
  try {
    const migrated = await openEmbeddedDatabase(dataDir, folder)
    await migrated.close()
    mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    const name = snapshotName(migrations)
    writeFileSync(join(folder, `${name}.unfinished`), packSnapshot(join(dataDir, 'postgres')))
    renameSync(join(folder, `${name}.unfinished`), join(folder, name))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await makeSnapshot(snapshotFolder).catch(error => {
    console.error(
      `The snapshot of an empty database could not be made; the first start takes longer: ${error}`,
    )
  })
}
