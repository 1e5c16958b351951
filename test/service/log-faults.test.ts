import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { freePort } from '../support/programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'animal-store-log-'))
let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  await database.remove()
  rmSync(folder, { recursive: true })
})

/** Opens a pipe that is never read. Because both ends are open, a writer fills the pipe instead of failing. */
function openUnreadPipe(): number {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  return openSync(path, constants.O_RDWR)
}

/** Each log line is so long that four thousand of them exceed the buffer. */
const longNames = {
  'X-Request-Id': 'r'.repeat(128),
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
}

it.each([
  ['the disk under its log is full', () => openSync('/dev/full', 'w'), 4800],
  ['the reader of the pipe of its log stalls', openUnreadPipe, 1200],
  ['the reader of the socket of its log stalls', () => 'pipe' as const, 1600],
])(
  'every request is answered, and SIGTERM ends the process as usual, while %s',
  async (_what, openLog, requests) => {
    const log = openLog()
    const [port, opsPort] = [await freePort(), await freePort()]
    const ports = { PORT: String(port), OPS_PORT: String(opsPort), HTTPS_PORT: '0', DRAIN_SECONDS: '0' }
    const child = spawn(process.execPath, ['src/start.js'], {
      env: { PATH: process.env.PATH, ...ports, ...database.env },
      stdio: ['ignore', log, 'inherit'],
    })
    child.stdout?.pause()
    onTestFinished(() => {
      child.kill('SIGKILL')
      if (typeof log === 'number') closeSync(log)
    })
    const ended = once(child, 'exit')
    const ask = async (path: string, at = port) => {
      const signal = AbortSignal.timeout(5_000)
      const answer = await fetch(`http://127.0.0.1:${at}${path}`, { signal, headers: longNames })
      return { status: answer.status, text: await answer.text() }
    }
    const isReady = () =>
      ask('/readyz').then(
        ({ status }) => status === 200,
        () => false,
      )
    await expect.poll(isReady, { timeout: 60_000 }).toBe(true)

    const statuses = new Set<number>()
    const askOften = async () => {
      for (let i = 0; i < requests / 8; i++) statuses.add((await ask('/livez')).status)
    }
    await Promise.all(Array.from({ length: 8 }, askOften))
    const { text } = await ask('/metrics', opsPort)
    child.kill('SIGTERM')

    expect([...statuses]).toEqual([200])
    const dropped = Number(/^animal_store_log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
    expect(dropped > 0).toBe(requests > 4000)
    expect(await ended).toEqual([0, null])
  },
  120_000,
)
