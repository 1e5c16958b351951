import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DatabaseConfig } from '../../src/database/open-database.ts'

const script = fileURLToPath(new URL('./database-process.ts', import.meta.url))

export type Opening = { opened: true; loadsEngine: boolean } | { opened: false; refusal: string }

export type DatabaseProcess = {
  pid: number | undefined
  open(): Promise<Opening>
  /** Stores this many projects, and waits for each acknowledgement. */
  storeProjects(count: number): Promise<void>
  kill9(): Promise<void>
}

/**
 * Starts a process that has loaded its modules and opens the database on command, so that several can open it at once.
 */
export async function startDatabaseProcess(
  config: DatabaseConfig,
  env: NodeJS.ProcessEnv = {},
): Promise<DatabaseProcess> {
  const child = fork(script, { env: { ...process.env, ...env, DATABASE_CONFIG: JSON.stringify(config) } })
  await reply(child)
  return {
    pid: child.pid,
    async open() {
      child.send('open')
      return (await reply(child)) as Opening
    },
    async storeProjects(count) {
      child.send(count)
      await reply(child)
    },
    async kill9() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function reply(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The process ended with ${code}.`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message
}
