import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { startProcess } from '../support/start-process.ts'

test.each(['start.js', 'migrate.ts'])(
  '%s reads .env in the working directory, and explains an invalid setting in .env in one sentence',
  async file => {
    const cwd = mkdtempSync(join(tmpdir(), 'animal-store-env-'))
    onTestFinished(() => rmSync(cwd, { recursive: true }))
    writeFileSync(join(cwd, '.env'), 'BAN_SECONDS=never\n')

    const refused = await startProcess({}, file, { cwd })

    expect(await refused.ended).toBe(1)
    expect(refused.output()).toBe('BAN_SECONDS must be a whole number from 1 to 3600.\n')
  },
)

test.runIf(findProgram('postgres')).each(['', '2'])(
  'a missing REDIS_CA_FILE is explained in one sentence with PROCESSES=%s',
  async PROCESSES => {
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)

    const refused = await startProcess({
      ...{ ...env, PROCESSES },
      ...{ REDIS_URL: 'rediss://127.0.0.1:9', REDIS_CA_FILE: '/absent.pem' },
    })

    expect(await refused.ended).toBe(1)
    expect(refused.output()).toMatch(/^REDIS_CA_FILE cannot be read: ENOENT[^\n]*\n$/)
  },
)
