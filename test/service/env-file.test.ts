import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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
