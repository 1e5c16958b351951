import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
import { openHosts } from '../../src/hosting/hosts.ts'
import { changesByHand } from '../support/changes-by-hand.ts'

const name = 'www.shop.test'
const ends = Date.parse('2026-06-01T12:00:00Z')
const hosts = { what: 'hosts' } as const

let changes: ReturnType<typeof changesByHand>
/** For each running query, a function that answers it. */
let answers: ((found?: object[] | Error) => void)[]
let queries: number
let isHeld: boolean
let rows: object[]
let now: number

beforeEach(() => {
  changes = changesByHand()
  ;[answers, queries, isHeld, rows, now] = [[], 0, false, [shop], ends - 1]
})

const shop = {
  ...{ host: name, id: 1, slug: 'shop', name: 'Shop', plan: 'free', domains_grace_ends_at: new Date(ends) },
  configuration: { title: null, description: null, domains: { primary: null, redirects: [] } },
  ...{ suspended_at: null, verified_names: [name], certified_until: null },
}

function open() {
  const clock = { now: () => now, aheadMs: () => 0 }
  return openHosts({ db, clock, changes, platformHost: 'animals.test' })
}

/** A fake database, which answers when the test says so. */
const db = {
  $queryRaw() {
    queries++
    if (!isHeld) return Promise.resolve(rows)
    return new Promise((resolve, reject) =>
      answers.push((found = rows) => (found instanceof Error ? reject(found) : resolve(found))),
    )
  },
} as unknown as PrismaClient

test('a cached host is served without a query only if the log of changes was read within the last half second', async () => {
  const { find, findCached } = open()
  await Promise.all([find(name), find(name)])

  changes.lookedAgo(499)
  expect(await find(name)).toMatchObject({ name, projectId: 1 })
  expect([findCached(name), queries]).toEqual([expect.objectContaining({ name }), 1])

  changes.lookedAgo(500)
  expect(findCached(name)).toBeUndefined()
  await find(name)
  expect(queries).toBe(2)
})

test.each([
  ['its project', { ...hosts, projectId: 1 }, true],
  ['its name', { ...hosts, name }, true],
  ['every host', hosts, true],
  ['something unknown', null, true],
  ['another project', { ...hosts, projectId: 2 }, false],
  ['another name', { ...hosts, name: 'www.zoo.test' }, false],
  ['a key of its project', { what: 'keys', projectId: 1 }, false],
] as const)(
  'if %s changes while a host is read, only a change that concerns the host keeps the host uncached: change %j, concerns %j',
  async (_, change, isRunning) => {
    isHeld = true
    const { find, findCached } = open()
    const reading = find(name)
    await expect.poll(() => answers.length).toBe(1)

    changes.announce(change)
    answers[0]?.()

    expect(await reading).toMatchObject({ name })
    expect(findCached(name) === undefined).toBe(isRunning)
    // Announce the change again while the host is cached: the effect must be the same as while a query runs.
    isHeld = false
    await find(name)
    expect(findCached(name)).toMatchObject({ name })
    changes.announce(change)
    expect(findCached(name) === undefined).toBe(isRunning)
  },
)

test('a host that is read while the log of changes cannot be read is not cached', async () => {
  const { find, findCached } = open()
  changes.distrust()

  expect(await find(name)).toMatchObject({ name })

  changes.lookedAgo(0)
  expect(findCached(name)).toBeUndefined()
})

test('a host is served until its grace period ends, even from the cache', async () => {
  const { find, findCached } = open()

  expect(await find(name)).toMatchObject({ servedUntil: new Date(ends) })
  now = ends
  expect(await find(name)).toBeNull()
  expect(findCached(name)).toBeNull()
  expect(queries).toBe(1)
})

test('only the first request waits for a database that is down, and later requests fail at once until the database may have returned', async () => {
  const { find } = open()
  changes.distrust()
  isHeld = true
  const first = find(name)
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.(new Error('away'))
  await expect(first).rejects.toThrow('away')

  await expect(find(name)).rejects.toThrow('away')
  await expect(find('www.zoo.test')).rejects.toThrow('away')
  expect(queries).toBe(1)

  isHeld = false
  changes.announce(null)
  expect(await find(name)).toMatchObject({ name })
})

test('a database that is down is queried again a second after the failure', async () => {
  const { find } = open()
  changes.distrust()
  const time = vi.spyOn(performance, 'now').mockReturnValue(10_000)
  onTestFinished(() => time.mockRestore())
  isHeld = true
  const failing = find(name)
  await new Promise<void>(resolve => {
    const look = () => (answers.length === 1 ? resolve() : setImmediate(look))
    look()
  })
  answers[0]?.(new Error('away'))
  await expect(failing).rejects.toThrow('away')

  isHeld = false
  time.mockReturnValue(10_999)
  await expect(find(name)).rejects.toThrow('away')
  time.mockReturnValue(11_000)
  expect(await find(name)).toMatchObject({ name })
  expect(queries).toBe(2)
})

test('a successful query ends the time in which requests fail without a query, even if the log of changes is unreadable afterwards', async () => {
  const { find } = open()
  changes.distrust()
  isHeld = true
  const failing = find(name)
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  isHeld = false

  changes.lookedAgo(0)
  expect(await find(name)).toMatchObject({ name })
  changes.distrust()

  expect(await find(name)).toMatchObject({ name })
  expect(queries).toBe(3)
})

test.each([
  'localhost',
  '',
  'www.shop.test.',
  'WWW.shop.test',
  'a b.test',
  `${'a.'.repeat(126)}aa`,
  'x\u0000.test',
  '_dmarc.shop.test',
  '*.shop.test',
  'www..test',
  '.test',
  'www.shop.test:80',
])('the text %j is no host name and causes no query', async odd => {
  const { find, findCached } = open()

  expect([await find(odd), findCached(odd), queries]).toEqual([null, null, 0])
})

test('the longest possible DNS name is looked up', async () => {
  const longest = `${'a.'.repeat(125)}abc`
  rows = []

  expect([longest.length, await open().find(longest), queries]).toEqual([253, null, 1])
})

test('a removal is confirmed once no process can serve the host from its cache, even if the log of changes cannot be read', async () => {
  for (const canBeRead of [true, false]) {
    const { find, findCached, waitUntilForgotten } = open()
    await find(name)
    if (canBeRead) changes.changeAtNextRead({ ...hosts, name })
    else changes.failLooks()
    const began = performance.now()

    await waitUntilForgotten()

    expect(performance.now() - began).toBeGreaterThanOrEqual(505)
    // By now this process has dropped the changed host from its cache, if it can read the log of changes.
    expect(findCached(name) === undefined).toBe(canBeRead)
  }
})

test('a listener receives each changed name, or null if all names may have changed', async () => {
  const received: (string | null)[] = []
  const receivedByOthers: (string | null)[] = []
  const { onChange } = open()
  onChange(one => void received.push(one))
  onChange(one => void receivedByOthers.push(one))

  changes.announce({ ...hosts, name })
  changes.announce({ ...hosts, projectId: 1, name: 'shop' })
  changes.announce({ what: 'keys', name: 'the hash' })
  changes.announce(hosts)
  changes.announce(null)

  expect(received).toEqual([name, 'shop', null, null])
  expect(receivedByOthers).toEqual(received)
})
