import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

const program = (rest: string) => `
  import { openLog } from './src/tools/log.ts'
  const log = openLog('info')
  log.info({ route: '/v1/pets', project: 'rex & "sons"', key: undefined })
  ${rest}`

/** Returns lines of a process, until this many have come or the process has ended. */
async function linesOf(code: string, enough = Infinity): Promise<Record<string, unknown>[]> {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', code])
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.split('\n').length > enough) break
  }
  child.kill()
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

test('a log line is JSON with its time, without unknown fields', async () => {
  const before = Date.now()

  const [{ time, ...line } = {}] = await linesOf(program(''))

  expect(line).toEqual({ level: 30, route: '/v1/pets', project: 'rex & "sons"' })
  expect(Date.parse(String(time))).toBeGreaterThanOrEqual(before)
  expect(Date.parse(String(time))).toBeLessThanOrEqual(Date.now())
})

test('a process that ends or throws writes all its log lines', async () => {
  expect(await linesOf(program('process.exit(0)'))).toHaveLength(1)
  expect(
    await linesOf(program('for (let i = 1; i < 1000; i++) log.info({ i }); process.exit(0)')),
  ).toHaveLength(1000)
  expect(await linesOf(program("throw new Error('a bug')"))).toHaveLength(1)
})

test('a log line is written without waiting for further lines', async () => {
  expect(await linesOf(program('setInterval(() => {}, 1000)'), 1)).toHaveLength(1)
})
