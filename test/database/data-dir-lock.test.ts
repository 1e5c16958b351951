import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openEmbeddedDatabase } from '../../src/database/embedded.ts'

const program = `
  import { setTimeout as wait } from 'node:timers/promises'
  import { lockDataDir } from '${new URL('../../src/database/data-dir-lock.ts', import.meta.url)}'
  lockDataDir(process.argv[1])
  for (let round = 0; round < 3; round++) {
    await wait(20)
    gc()
  }
  try {
    lockDataDir(process.argv[1])
    console.log('given twice')
  } catch (error) {
    console.log(error.message)
  }`

it('a data folder stays locked while the process that locked it lives, even after a garbage collection', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-lock-'))
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--input-type=module',
    '-e',
    program,
    folder,
  ])
  rmSync(folder, { recursive: true })

  expect(stdout).toContain('is in use by process')
})

it('a damaged lock file is reported as damaged, and not as held by another process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-lock-'))
  writeFileSync(join(folder, 'lock.sqlite'), 'no database at all '.repeat(100))

  const opened = openEmbeddedDatabase(folder)

  await expect(opened).rejects.toThrow('its lock.sqlite is damaged; delete it')
  rmSync(folder, { recursive: true })
})
