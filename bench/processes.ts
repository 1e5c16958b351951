import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../test/support/programs.ts'
import type { Request } from './clients.ts'

export type Served = { port: number; pid: number; firstAnswerMs: number; stop(): Promise<void> }

/** The options of Node.js with which `npm start` starts the store. */
const optionsOfStart = ['--v8-pool-size=1', '--heap-growing-percent=50', '--max-semi-space-size=16']

const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts a process on one core, so that its helper threads share this core. */
export async function serve(
  file: string,
  folder: string,
  env: Record<string, string>,
  greeting: Request,
): Promise<Served> {
  const port = await freePort()
  const startedAt = performance.now()
  const node = [process.execPath, ...(file.endsWith('/start.js') ? optionsOfStart : [])]
  const child = spawn('taskset', ['-c', '0', ...node, join(import.meta.dirname, file)], {
    cwd: folder,
    // The process writes its log as usual, but the log is discarded.
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...env },
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  await firstAnswer(child, file, port, greeting)
  return {
    port,
    pid: child.pid ?? 0,
    firstAnswerMs: performance.now() - startedAt,
    stop: () => end(child),
  }
}

async function firstAnswer(
  child: ChildProcess,
  file: string,
  port: number,
  greeting: Request,
): Promise<void> {
  const { method, path, headers, body } = greeting
  for (const giveUpAt = Date.now() + 60_000; ; ) {
    if (child.exitCode !== null) throw new Error(`${file} ended at once.`)
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null })
      await answer.text()
      if (answer.status < 500) return
    } catch {
      // The process does not listen yet, so try again.
    }
    if (Date.now() > giveUpAt) throw new Error(`${file} does not answer.`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}
