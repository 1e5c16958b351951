import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished } from 'vitest'
import type { Run } from './command-line.ts'

const code = /[A-Z]{4}-[A-Z]{4}/

/** Starts `animal-store login` in a home folder of its own, and waits for the code that it shows. */
export async function startLogin(url: string, home: string, args: string[] = []) {
  const child = spawn(process.execPath, ['src/cli/bin.js', 'login', '--url', url, ...args], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill())
  let errors = ''
  child.stderr.on('data', piece => {
    errors += piece
  })
  const exited = once(child, 'exit')
  const output = text(child.stdout)
  await expect.poll(() => errors, { timeout: 60_000 }).toMatch(code)
  return {
    userCode: code.exec(errors)?.[0] ?? '',
    /** The text that the command shows to the person. */
    shown: () => errors,
    async ended(): Promise<Run> {
      const [exitCode] = await exited
      return { exitCode, output: await output, errors }
    },
  }
}
