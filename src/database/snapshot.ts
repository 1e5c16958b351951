import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'

/** The folder that `npm run snapshot` creates. npm runs this script after each installation. */
export const snapshotFolder = fileURLToPath(new URL('../../dist/database', import.meta.url))

/**
 * Returns the name of the snapshot of an empty database with these migrations. It contains a hash of the migrations and
 * of PGlite's version, so that a snapshot of another state is never loaded.
 */
export function snapshotName({ migrationDirectories }: MigrationList): string {
  const hash = createHash('sha256').update(versionOfPglite())
  for (const { path, migrationFile } of migrationDirectories) {
    hash.update(JSON.stringify([path, migrationFile.content]))
  }
  return `${hash.digest('hex').slice(0, 32)}.zst`
}

/** Returns the snapshot with these migrations. Returns null if there is none; the migrations then run at the start. */
export function findSnapshot(migrations: MigrationList, folder = snapshotFolder): string | null {
  const file = join(folder, snapshotName(migrations))
  return existsSync(file) ? file : null
}

/** The contents of each file by its path; null for a folder. */
type Files = Map<string, Uint8Array | null>

/** Packs the folder of a closed database. A dump made by PGlite itself would take 1 s more CPU time to load. */
export function packSnapshot(folder: string): Buffer {
  const files: Files = new Map()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    files.set(relative(folder, path), entry.isDirectory() ? null : readFileSync(path))
  }
  return zstdCompressSync(serialize(files))
}

/** Creates the folder of a database. Does nothing if the snapshot is damaged: PGlite then creates the folder. */
export function unpackSnapshot(file: string, folder: string): void {
  const files = readSnapshot(file)
  if (files === null) return
  mkdirSync(folder)
  for (const [path, bytes] of files) if (bytes === null) mkdirSync(join(folder, path), { recursive: true })
  for (const [path, bytes] of files) if (bytes !== null) writeFileSync(join(folder, path), bytes)
}

function readSnapshot(file: string): Files | null {
  try {
    return deserialize(zstdDecompressSync(readFileSync(file)))
  } catch {
    return null
  }
}

function versionOfPglite(): string {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return JSON.parse(readFileSync(join(dirname(dirname(main)), 'package.json'), 'utf8')).version
}
