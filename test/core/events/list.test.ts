import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listAudit, listEvents, listEventsBackward } from '../../../src/core/events/list.ts'
import type { Statements } from '../../../src/database/statements.ts'

const project = { id: 1 }
const all = { types: null, subject: null, limit: 10 }
const audit = { ...all, actor: null, since: null, until: null, from: null, towards: 'older' } as const
const nobody = { type: 'api_key', named: 'nobody' } as const

/** Reads three pages at once. Returns the highest number of statements that ran at the same time. */
async function atOnce(read: (database: Statements) => Promise<unknown>): Promise<number> {
  let [running, most] = [0, 0]
  const run = async () => {
    most = Math.max(most, ++running)
    await nextTurn()
    running--
    return []
  }
  await Promise.all([0, 1, 2].map(() => read({ run })))
  return most
}

test('pages of events with a filter are read one at a time for a project, because a filter may compare thousands of events', async () => {
  const filters = [
    { types: ['pet.created' as const] },
    { subject: 'pet:1' },
    { kind: 'store' as const },
    { kind: 'management' as const, actor: nobody },
    { kind: 'management' as const, since: new Date() },
    { kind: 'management' as const, until: new Date() },
  ]
  for (const filter of filters)
    expect(await atOnce(tools => listEvents(tools, project, { ...all, after: null, ...filter }))).toBe(1)
  const backward = { ...all, before: null, subject: 'pet:1' }
  expect(await atOnce(tools => listEventsBackward(tools, project, backward))).toBe(1)
  expect(await atOnce(tools => listAudit(tools, { ...audit, project, actor: nobody }))).toBe(1)
})

test('pages of events without a filter, and pages of all projects, are read at the same time', async () => {
  expect(await atOnce(tools => listEvents(tools, project, { ...all, after: null }))).toBe(3)
  const management = { ...all, kind: 'management' as const, after: null }
  expect(await atOnce(tools => listEvents(tools, project, management))).toBe(3)
  expect(await atOnce(tools => listEventsBackward(tools, project, { ...all, before: null }))).toBe(3)
  expect(await atOnce(tools => listAudit(tools, { ...audit, project }))).toBe(3)
  expect(await atOnce(tools => listAudit(tools, { ...audit, project: null, actor: nobody }))).toBe(3)
})
