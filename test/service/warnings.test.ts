import { expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

it.runIf(findProgram('postgres'))(
  'a warning of node or of a library is one JSON line, without a stack, and nothing else is printed',
  async () => {
    const database = await freshDatabase()
    onTestFinished(database.remove)
    const code = "process.once('SIGUSR2',()=>process.emitWarning('an+odd+thing','DeprecationWarning'))"
    const service = await startProcess({
      ...database.env,
      NODE_OPTIONS: `--import=data:text/javascript,${code}`,
    })
    onTestFinished(async () => {
      service.child.kill('SIGKILL')
      await service.ended
    })
    await service.printed(answersAt)

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
