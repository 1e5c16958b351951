import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { freePort } from './programs.ts'

export type Running = {
  url: string
  /** The URL of the operations port of the started process. */
  opsUrl: string
  child: ChildProcess
  /** The output so far. */
  output(): string
  /** Waits until the output matches. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  ended: Promise<number | null>
}

const inSource = (file: string) => resolve(import.meta.dirname, '../../src', file)

/** `under`: a command that starts Node.js. `log`: a file descriptor for the log, which the test then cannot read. */
export type Way = { args?: string[]; cwd?: string; under?: string[]; log?: number }

/**
 * Starts the service as `npm start` does, but without the warm-up, which would take a second of CPU time. `file` may name
 * another file of src, or a file of another checkout.
 */
export async function startProcess(
  env: Record<string, string>,
  file = 'start.js',
  { args = [], cwd, under = [], log }: Way = {},
): Promise<Running> {
  const port = env.PORT ?? String(await freePort())
  const opsPort = env.OPS_PORT ?? String(await freePort())
  const [command = process.execPath, ...rest] = [...under, process.execPath, inSource(file), ...args]
  // Pass no setting of this machine except PATH.
  const child = spawn(command, rest, {
    cwd,
    env: {
      PATH: process.env.PATH,
      PORT: port,
      OPS_PORT: opsPort,
      HTTPS_PORT: '0',
      DRAIN_SECONDS: '0',
      WARM_UP: '0',
      ...env,
    },
    stdio: ['pipe', log ?? 'pipe', 'pipe'],
  })
  let output = ''
  const streams = [child.stdout, child.stderr].filter(stream => stream !== null)
  const changed = () => Promise.race([...streams.map(stream => once(stream, 'data')), once(child, 'exit')])
  for (const stream of streams) {
    stream.on('data', chunk => {
      output += chunk
    })
  }
  const dieWithUs = () => child.kill('SIGKILL')
  process.once('exit', dieWithUs)
  child.once('exit', () => process.off('exit', dieWithUs))
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    child,
    output: () => output,
    async printed(pattern) {
      for (;;) {
        const found = pattern.exec(output)
        if (found) return found
        if (child.exitCode !== null)
          throw new Error(`The service ended without printing ${pattern}:\n${output}`)
        await changed()
      }
    },
    ended: once(child, 'exit').then(([code]) => code),
  }
}

export const answersAt = /answers at/
