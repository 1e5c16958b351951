import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openOutage } from '../../src/database/outage.ts'

// With a fake clock, the tests set the time since the last failure.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function openLogged() {
  const lines: string[] = []
  let prepared = 0
  const outage = openOutage(() => void prepared++)
  outage.logTo(pino({}, { write: line => lines.push(JSON.parse(line).msg) }))
  const fail = (code: string) => outage.note(Object.assign(new Error('as said'), { code }))
  return { outage, lines, fail, timesPrepared: () => prepared }
}

test('an outage in which only some requests fail logs two lines, the second line five seconds after the last failure', () => {
  const { outage, lines, fail } = openLogged()

  for (let second = 0; second < 60; second++) {
    expect(fail('53100')).toBe(true)
    vi.advanceTimersByTime(999)
    outage.noteAnswer()
    expect(outage.reason()).toBe('its disk is full')
  }
  vi.advanceTimersByTime(4_000)
  outage.noteAnswer()
  expect(lines).toEqual(['The database cannot serve: its disk is full'])
  vi.advanceTimersByTime(2)
  outage.noteAnswer()
  outage.noteAnswer()

  expect(outage.reason()).toBeNull()
  expect(lines).toEqual(['The database cannot serve: its disk is full', 'The database serves again'])
})

test('a second outage is logged like the first, and a bug is not logged as an outage', () => {
  const { outage, lines, fail, timesPrepared } = openLogged()
  expect(outage.note(new TypeError('x is not a function'))).toBe(false)
  expect([outage.reason(), ...lines]).toEqual([null])

  for (const code of ['57P01', 'RevalidateCachedQuery']) {
    fail(code)
    vi.advanceTimersByTime(5_001)
    outage.noteAnswer()
  }

  expect(lines).toEqual([
    'The database cannot serve: it is starting, stopping or has crashed',
    'The database serves again',
    'The database cannot serve: its tables were replaced',
    'The database serves again',
  ])
  expect(timesPrepared()).toBe(1)
})

test('an outage from before the logger exists is logged once the logger exists', () => {
  const lines: string[] = []
  const log = pino({}, { write: line => lines.push(JSON.parse(line).msg) })
  const [early, none] = [openOutage(), openOutage()]
  early.note(Object.assign(new Error('as said'), { code: 'ECONNREFUSED' }))

  for (const outage of [early, none]) outage.logTo(log)

  expect(lines).toEqual(['The database cannot serve: the connection is refused'])
})

test('the current reason of an outage is reported, even if the first reason was another', () => {
  const { outage, lines, fail, timesPrepared } = openLogged()

  fail('53100')
  fail('57P01')

  expect(outage.reason()).toBe('it is starting, stopping or has crashed')
  expect(lines).toEqual(['The database cannot serve: its disk is full'])
  expect(timesPrepared()).toBe(0)
  fail('RevalidateCachedQuery')
  expect([outage.reason(), timesPrepared()]).toEqual(['its tables were replaced', 1])
})

test('the log line of an outage has the original message of the database or the system', () => {
  const lines: object[] = []
  const outage = openOutage()
  outage.logTo(pino({ base: null, timestamp: false }, { write: line => lines.push(JSON.parse(line)) }))

  outage.note(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }))

  expect(lines).toEqual([
    {
      level: 40,
      detail: 'connect ECONNREFUSED 127.0.0.1:5432',
      msg: 'The database cannot serve: the connection is refused',
    },
  ])
})
