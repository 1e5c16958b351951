import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from './programs.ts'

export type Running = {
  url: string
  child: ChildProcess
  /** All that it printed so far. */
  output(): string
  /** Waits until what it printed matches. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  ended: Promise<number | null>
}

const inSource = (file: string) => fileURLToPath(new URL(`../../src/${file}`, import.meta.url))

/** The service as `npm start` starts it, a process of its own; or as another file of src does. */
export async function startProcess(
  env: Record<string, string>,
  file = 'start.js',
  { args = [], cwd }: { args?: string[]; cwd?: string } = {},
): Promise<Running> {
  const port = env.PORT ?? String(await freePort())
  // Nothing of the machine's own settings but the path.
  const child = spawn(process.execPath, [inSource(file), ...args], {
    cwd,
    env: { PATH: process.env.PATH, PORT: port, HTTPS_PORT: '0', DRAIN_SECONDS: '0', ...env },
    stdio: 'pipe',
  })
  let output = ''
  const changed = () =>
    Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), once(child, 'exit')])
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += chunk
    })
  }
  const dieWithUs = () => child.kill('SIGKILL')
  process.once('exit', dieWithUs)
  child.once('exit', () => process.off('exit', dieWithUs))
  return {
    url: `http://127.0.0.1:${port}`,
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
