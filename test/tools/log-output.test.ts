import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openLogOutput } from '../../src/tools/log-output.ts'

/** Opens a pipe of the operating system. The test reads it, and neither end blocks. */
function openPipe() {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-pipe-'))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  rmSync(folder, { recursive: true })
  // Keep the writer open: if it were closed, its file descriptor could be reused for another file or connection.
  onTestFinished(() => closeSync(reader))
  const piece = Buffer.alloc(65_536)
  let bytes = Buffer.alloc(0)
  /** Everything written to the pipe so far. */
  const read = (): string => {
    try {
      const length = readSync(reader, piece)
      bytes = Buffer.concat([bytes, piece.subarray(0, length)])
    } catch {
      // The pipe is empty.
    }
    return bytes.toString()
  }
  return { writer, read }
}

const line = (n: number) => `${JSON.stringify({ n, text: 'ü'.repeat(200) })}\n`
const numbersOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).n)

test('if the reader of the log stalls, the log keeps the first megabyte of lines, and counts the lines dropped afterwards', async () => {
  const { writer, read } = openPipe()
  const output = openLogOutput(writer)

  for (let n = 0; n < 10_000; n++) output.write(line(n))
  const dropped = output.linesDropped()
  const lines = () => read().split('\n').length - 1
  await expect.poll(lines, { interval: 5 }).toBe(10_000 - dropped)
  output.write(line(10_000))
  await expect.poll(lines).toBe(10_000 - dropped + 1)

  expect(dropped).toBeGreaterThan(1_000)
  expect(output.linesDropped()).toBe(dropped)
  expect(numbersOf(read())).toEqual([...Array.from({ length: 10_000 - dropped }, (_, n) => n), 10_000])
})

test('writing the log to a full disk throws nothing, and dropped lines are counted', async () => {
  const output = openLogOutput(openSync('/dev/full', 'w'))

  for (let n = 0; n < 10_000; n++) output.write(line(n))
  await pause(300)

  expect(output.linesDropped()).toBeGreaterThan(1_000)
})

test('the last flush of the log waits for a slow reader, and not for a stalled reader', () => {
  const { writer } = openPipe()
  const output = openLogOutput(writer)
  for (let n = 0; n < 1000; n++) output.write(line(n))
  const before = performance.now()

  output.flush(100)

  expect(performance.now() - before).toBeGreaterThanOrEqual(100)
})

test('log lines are written as soon as 8 KiB are collected, and at most one megabyte of log lines waits', () => {
  const few = openPipe()
  const output = openLogOutput(few.writer)
  output.write('x'.repeat(8191))
  expect(few.read()).toBe('')
  output.write('y')
  expect(few.read()).toBe(`${'x'.repeat(8191)}y`)

  const full = openLogOutput(openSync('/dev/full', 'w'))
  full.write('x'.repeat(1024 * 1024 - 1))
  full.write('y')
  expect(full.linesDropped()).toBe(0)
  full.write('z')
  expect(full.linesDropped()).toBe(1)
})

test('the last flush ends as soon as everything is written', () => {
  const { writer, read } = openPipe()
  const output = openLogOutput(writer)
  output.write('the last line')

  output.flush(60_000)

  expect(read()).toBe('the last line')
})
