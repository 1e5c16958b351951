import { beforeAll, describe, expect, it } from 'vitest'
import { findEvent, findNewestEvent, readEvents } from '../../../src/core/events/log.ts'
import { isNumberingDue, numberEvents, tryLogLock } from '../../../src/core/events/numbering.ts'
import { eventId } from '../../../src/core/events/position.ts'
import { forgetOldEvents } from '../../../src/core/events/retention.ts'
import { type Project, toProject } from '../../../src/core/project.ts'
import { forgetEvents } from '../../../src/jobs/forget-events.ts'
import { giveNumbers } from '../../../src/jobs/number-events.ts'
import type { Clock } from '../../../src/tools/clock.ts'
import { changesByHand } from '../../support/changes-by-hand.ts'
import { movableClock } from '../../support/clock.ts'
import { freshDatabase, freshFolder } from '../../support/databases.ts'
import { numberAll } from '../../support/events.ts'
import { inPieces } from '../../support/fill.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const all = { after: null, types: null, subject: null, limit: 100 }

describe.each([
  ['PostgreSQL', freshDatabase, canRace()],
  ['the embedded database', freshFolder, true],
])('the log of events in %s', (name, make, isInstalled) => {
  if (!isInstalled)
    return it.skip('the tests of the event log in PostgreSQL are skipped, because PostgreSQL is not installed', () => {})
  const own = prepareOwnDatabase(make)
  const sql = (text: string) => own.db.$executeRawUnsafe(text)
  let project: Project
  beforeAll(async () => {
    await numberAll(own)
  })
  const shop = async () => {
    const { id } = await own.makeProject()
    const row = await own.db.project.findUniqueOrThrow({ where: { id }, include: { plan: true } })
    project = toProject(row)
    return id
  }
  const addPets = (id: number, from: number, count: number) =>
    sql(`INSERT INTO pets (id, project_id, name, category_id)
      SELECT n, ${id}, 'Rex', 7 FROM generate_series(${from}, ${from + count - 1}) AS n`)
  const read = (query = {}) => readEvents(own.database, project, { ...all, ...query })
  const forgetAll = (clock: Clock) => forgetEvents(own.db, clock).run(null, new AbortController().signal)
  const codeOf = (query: Promise<unknown>) =>
    query.then(
      () => null,
      error => error.code,
    )

  it('a project without events has an empty log and no newest event', async () => {
    await shop()

    expect(await read()).toEqual({ events: [], hasMore: false, reached: null })
    expect(await findNewestEvent(own.database, project)).toBeNull()
    expect(await codeOf(read({ after: { era: 1, number: 1n } }))).toBe('event_expired')
  })

  it('a page of the event log continues after the last event of the page before', async () => {
    await addPets(await shop(), 1, 5)
    await numberAll(own)

    const first = await read({ limit: 2 })
    const second = await read({ limit: 2, after: first.reached })
    const third = await read({ limit: 2, after: second.reached })

    const numbers = [first, second, third].map(({ events }) => events.map(({ number }) => Number(number)))
    expect(numbers).toEqual([[1, 2], [3, 4], [5]])
    expect([first, second, third].map(({ hasMore }) => hasMore)).toEqual([true, true, false])
    expect(await findNewestEvent(own.database, project)).toEqual(third.reached)
    expect(await read({ after: third.reached })).toEqual({ ...third, events: [] })
  })

  it('the numbering job pauses after each run, so that events that follow closely are numbered together', async () => {
    const { db, database } = own
    const work = giveNumbers({ db, database, changes: changesByHand() })
    const closing = new AbortController()
    const turn = async () => {
      const beganAt = performance.now()
      await work.run(null, closing.signal)
      return performance.now() - beganAt
    }
    const id = await shop()
    await addPets(id, 1, 2)

    expect(await turn()).toBeGreaterThan(48)
    expect((await read()).events).toHaveLength(2)
    // A process that is shutting down skips the pause after a turn.
    await addPets(id, 3, 1)
    closing.abort()
    await turn()
    expect((await read()).events).toHaveLength(3)
  })

  // The embedded database has only one process.
  if (name === 'PostgreSQL') {
    it('while another process holds the lock of the log, the numbering and the clean-up try again until they get it', async () => {
      const { db, database } = own
      const id = await shop()
      await addPets(id, 1, 2)
      await numberAll(own)
      await addPets(id, 3, 1)
      const numbering = giveNumbers({ db, database, changes: changesByHand() })
      const clock = movableClock()
      clock.advance(31 * 24 * 60 * 60 * 1000)
      let tries = 0
      const $transaction = { value: (work: never) => db.$transaction(work).finally(() => tries++) }

      const forgetting = await db.$transaction(async tx => {
        await tx.$queryRaw`SELECT ${tryLogLock}`
        await numbering.run(null, new AbortController().signal)
        const begun = forgetEvents(Object.create(db, { $transaction }), clock).run(
          null,
          new AbortController().signal,
        )
        await expect.poll(() => tries).toBeGreaterThan(1)
        return { begun }
      })
      await forgetting.begun

      expect(await numbering.claim(1)).toEqual([null])
      expect((await read()).events.map(({ number }) => Number(number))).toEqual([2])
    })
  }

  it('a filter by type and subject returns the events that match both', async () => {
    const id = await shop()
    await addPets(id, 1, 3)
    await sql(`UPDATE pets SET name = 'Mia' WHERE project_id = ${id}`)
    await numberAll(own)

    const found = await read({ types: ['pet.updated', 'pet.deleted'], subject: 'pet:2' })

    expect(
      found.events.map(({ number, at }) => [Number(number), at.getTime() > Date.now() - 60_000]),
    ).toEqual([[5, true]])
    expect(found.reached?.number).toBe(6n)
  })

  it('a filter reads a long event log in several pages, which may be empty', async () => {
    const id = await shop()
    await addPets(id, 1, 1)
    await numberAll(own)
    await inPieces(45_000, (from, to) =>
      sql(`INSERT INTO events (project_id, era, number, at, is_management, type, subject, data)
        SELECT project_id, era, n, at, false, type, 'pet:' || n, '{}' FROM events, generate_series(${from}, ${to}) AS n
        WHERE project_id = ${id} AND number = 1 AND n > 1`),
    )
    await sql(`UPDATE event_numbers SET last = 45000 WHERE project_id = ${id}`)

    const pages = [await read({ subject: 'pet:44000' })]
    for (let last = pages[0]; last?.hasMore; last = pages.at(-1))
      pages.push(await read({ subject: 'pet:44000', after: last.reached }))

    expect(pages.map(({ events }) => events.length)).toEqual([0, 0, 1])
    expect(pages.at(-1)?.reached?.number).toBe(45000n)
  })

  it('an event is found by its id in its own project only', async () => {
    const id = await shop()
    await addPets(id, 1, 1)
    await numberAll(own)
    const [event] = (await read()).events
    const find = (query: string) => findEvent(own.database, project, query)

    expect(await find(eventId(event as never))).toEqual(event)
    const { era } = event as never
    for (const wrong of [eventId({ era, number: 2n }), eventId({ era: era ^ 1, number: 1n }), 'x', ''])
      expect(await codeOf(find(wrong))).toBe('event_not_found')
    await shop()
    expect(await codeOf(find(eventId(event as never)))).toBe('event_not_found')
  })

  it('events are deleted after 30 days and management events after 180, except the newest event', async () => {
    const id = await shop()
    await addPets(id, 1, 6)
    await numberAll(own)
    await sql(`UPDATE events SET is_management = true WHERE project_id = ${id} AND number = 2`)
    const [first] = (await read({ limit: 1 })).events
    const clock = movableClock()
    const forget = () => forgetAll(clock)
    const stored = async () =>
      (
        await own.db.event.findMany({
          where: { projectId: id },
          select: { number: true },
          orderBy: { number: 'asc' },
        })
      ).map(({ number }) => Number(number))

    clock.advance(29 * 24 * 60 * 60 * 1000)
    await forget()
    expect(await stored()).toEqual([1, 2, 3, 4, 5, 6])
    clock.advance(2 * 24 * 60 * 60 * 1000)
    await forget()
    expect(await stored()).toEqual([2, 6])
    expect((await read()).events.map(({ number }) => Number(number))).toEqual([6])
    expect(await codeOf(read({ after: first }))).toBe('event_expired')
    expect(await codeOf(findEvent(own.database, project, eventId(first as never)))).toBe('event_expired')
    clock.advance(150 * 24 * 60 * 60 * 1000)
    await forget()
    expect(await stored()).toEqual([6])
  })

  it('audit entries of the service are deleted after 180 days except the newest', async () => {
    for (const more of [1, -1]) await sql(`UPDATE plans SET requests_per_day = requests_per_day + ${more}`)
    await numberAll(own)
    const stored = () => own.db.event.count({ where: { projectId: 0 } })
    const before = await stored()
    const clock = movableClock()

    clock.advance(179 * 24 * 60 * 60 * 1000)
    await forgetAll(clock)
    expect(before).toBeGreaterThan(1)
    expect(await stored()).toBe(before)
    clock.advance(2 * 24 * 60 * 60 * 1000)
    await forgetAll(clock)
    expect(await stored()).toBe(1)
  })

  it('the position of a reader of management events moves past other events too, so that the position does not expire', async () => {
    const id = await shop()
    await addPets(id, 1, 1)
    await numberAll(own)
    const beginning = await findNewestEvent(own.database, project)
    await addPets(id, 2, 1)
    await numberAll(own)
    const clock = movableClock()

    const { reached } = await read({ kind: 'management', after: beginning })
    clock.advance(31 * 24 * 60 * 60 * 1000)
    await forgetAll(clock)
    await sql(`UPDATE projects SET name = 'Renamed' WHERE id = ${id}`)
    await numberAll(own)

    expect(reached?.number).toBe(2n)
    expect(await codeOf(read({ kind: 'management', after: beginning }))).toBe('event_expired')
    const { events } = await read({ kind: 'management', after: reached })
    expect(events.map(({ number, type }) => [number, type])).toEqual([[3n, 'project.changed']])
  })

  it('the position of a reader of management events lasts 30 days at least, also if the newest of these events is 149 days old', async () => {
    const id = await shop()
    await sql(`UPDATE projects SET name = 'Renamed' WHERE id = ${id}`)
    await addPets(id, 1, 1)
    await numberAll(own)
    const clock = movableClock()
    const age = (days: number) =>
      sql(`UPDATE events SET at = now() - interval '${days} days' WHERE project_id = ${id} AND number = 1`)

    await age(151)
    const old = await findNewestEvent(own.database, project, 'management')
    await age(149)
    const start = await findNewestEvent(own.database, project, 'management')
    const { reached } = await read({ kind: 'management', after: start })
    await addPets(id, 2, 1)
    await numberAll(own)
    clock.advance(30.5 * 24 * 60 * 60 * 1000)
    await forgetAll(clock)

    expect([old?.number, start?.number, reached?.number]).toEqual([2n, 1n, 1n])
    expect((await read({ kind: 'management', after: reached })).events).toEqual([])
  })

  it('a project keeps its last million of events', async () => {
    const id = await shop()
    await addPets(id, 1, 4)
    await numberAll(own)
    await sql(`UPDATE event_numbers SET last = 1000003 WHERE project_id = ${id}`)

    for (let isDone = false; !isDone; )
      isDone = (await forgetOldEvents(own.db, movableClock(), id - 1))?.isDone ?? true

    const [first] = (await read()).events
    expect(first?.number).toBe(4n)
  })

  it('after a restore, the ids of new events have a new era, and reading on from the id of a lost event is refused', async () => {
    const id = await shop()
    await addPets(id, 1, 3)
    await numberAll(own)
    const before = (await read()).events
    // Reset the database to the second event, as restoring a dump would do.
    await sql(`DELETE FROM events WHERE project_id = ${id} AND number > 2`)
    await sql(`UPDATE event_numbers SET last = 2 WHERE project_id = ${id}`)
    await sql(`UPDATE event_era SET era = era`)
    expect(await isNumberingDue(own.database)).toBe(true)
    await addPets(id, 9, 1)
    await numberAll(own)

    const after = (await read()).events
    expect(after.map(({ type }) => type)).toEqual([
      ...['pet.created', 'pet.created', 'pet.created', 'pets.replaced'],
    ])
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
    expect(after[2]?.era).not.toBe(before[2]?.era)
    expect(await codeOf(read({ after: before[2] }))).toBe('event_expired')
    expect((await read({ after: before[1] })).events).toEqual(after.slice(2))
    expect(await isNumberingDue(own.database)).toBe(false)
  })

  it('if there are more events than one transaction numbers, the next transactions number the rest', async () => {
    const id = await shop()
    for (let from = 1; from <= 2_050; from += 100) await addPets(id, from, 100)

    const counts = [await numberEvents(own.db), await numberEvents(own.db), await numberEvents(own.db)]

    expect(counts).toEqual([2_000, 100, 0])
    expect((await findNewestEvent(own.database, project))?.number).toBe(2_100n)
  })
})
