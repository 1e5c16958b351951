import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type Answered, logAnswer } from '../../src/tools/log.ts'

const answered = {
  requestId: '0d1f7a52-6c1e-4b0a-9f57-2f9b5d1c8e34',
  method: 'GET',
  route: '/v1/pets',
  status: 200,
  milliseconds: 1.25,
  project: 'rex & "sons"',
  key: 'as_12345678',
  aborted: false,
}

function openLines(level: string) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level, base: null }, { write: line => lines.push(JSON.parse(line)) })
  return { lines, log }
}

test.each<[string, Answered]>([
  ['an answer', answered],
  ['an answer to nobody known', { ...answered, project: undefined, key: undefined }],
  ['an answer that nobody waited for', { ...answered, aborted: true }],
])('%s has the line that pino would write', (_, one) => {
  const { lines, log } = openLines('info')
  const before = Date.now()

  logAnswer(log, one)
  log.info(one.aborted ? one : { ...one, aborted: undefined })

  const [{ time, ...line } = {}, { time: _time, ...pinos } = {}] = lines
  expect(line).toEqual(pinos)
  expect(Date.parse(String(time))).toBeGreaterThanOrEqual(before)
  expect(Date.parse(String(time))).toBeLessThanOrEqual(Date.now())
  expect(new Date(String(time)).toISOString()).toBe(time)
})

test('where only warnings are wanted, answers are not logged', () => {
  const { lines, log } = openLines('warn')

  logAnswer(log, answered)

  expect(lines).toEqual([])
})
