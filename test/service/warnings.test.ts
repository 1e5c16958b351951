import { expect, it, onTestFinished } from 'vitest'
import { ask } from '../support/ask.ts'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { startProcess } from '../support/start-process.ts'

it.runIf(findProgram('postgres'))(
  'with LOG_LEVEL=warn, a warning of node or of a library is one JSON line, without a stack, and nothing else is printed',
  async () => {
    const database = await freshDatabase()
    onTestFinished(database.remove)
    const code = "process.once('SIGUSR2',()=>process.emitWarning('an+odd+thing','DeprecationWarning'))"
    const service = await startProcess({
      ...database.env,
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: `--import=data:text/javascript,${code}`,
    })
    onTestFinished(async () => {
      service.child.kill('SIGKILL')
      await service.ended
    })
    await expect.poll(async () => (await ask(`${service.url}/readyz`)).status, { timeout: 60_000 }).toBe(200)

    service.child.kill('SIGUSR2')
    await service.printed(/odd.thing[^\n]*\n/)

    const lines = service.output().trim().split('\n')
    expect(lines.map(line => JSON.parse(line)).at(-1)).toMatchObject({
      level: 40,
      warning: 'DeprecationWarning',
      msg: 'an+odd+thing',
    })
  },
)
