import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

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

it('a folder is held as long as its process lives, though nothing there refers to the lock any more', async () => {
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
