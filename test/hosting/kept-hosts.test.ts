import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
import { openHosts } from '../../src/hosting/hosts.ts'
import { changesByHand } from '../support/changes-by-hand.ts'

const name = 'www.shop.test'
const ends = Date.parse('2026-06-01T12:00:00Z')
const hosts = { what: 'hosts' } as const

let changes: ReturnType<typeof changesByHand>
/** One for each statement under way, which lets it be answered. */
let answers: ((found?: object[] | Error) => void)[]
let asked: number
let isHeld: boolean
let rows: object[]
let now: number

beforeEach(() => {
  changes = changesByHand()
  ;[answers, asked, isHeld, rows, now] = [[], 0, false, [shop], ends - 1]
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

/** The database stands at the border: its answers come when the test lets them. */
const db = {
  $queryRaw() {
    asked++
    if (!isHeld) return Promise.resolve(rows)
    return new Promise((resolve, reject) =>
      answers.push((found = rows) => (found instanceof Error ? reject(found) : resolve(found))),
    )
  },
} as unknown as PrismaClient

test('a host is asked for once, and kept until half a second after the last look at the log', async () => {
  const { find, findKept } = open()
  await Promise.all([find(name), find(name)])

  changes.lookedAgo(499)
  expect(await find(name)).toMatchObject({ name, projectId: 1 })
  expect([findKept(name), asked]).toEqual([expect.objectContaining({ name }), 1])

  changes.lookedAgo(500)
  expect(findKept(name)).toBeUndefined()
  await find(name)
  expect(asked).toBe(2)
})

test.each([
  ['its project', { ...hosts, projectId: 1 }, true],
  ['its name', { ...hosts, name }, true],
  ['all hosts', hosts, true],
  ['anything, since the log could not be read', null, true],
  ['another project', { ...hosts, projectId: 2 }, false],
  ['another name', { ...hosts, name: 'www.zoo.test' }, false],
  ['its project’s keys', { what: 'keys', projectId: 1 }, false],
] as const)(
  'what was read while a change came in of %s is asked for again: %j %j',
  async (_, change, isAsked) => {
    isHeld = true
    const { find, findKept } = open()
    const reading = find(name)
    await expect.poll(() => answers.length).toBe(1)

    changes.tell(change)
    answers[0]?.()

    expect(await reading).toMatchObject({ name })
    expect(findKept(name) === undefined).toBe(isAsked)
    // The same once it is kept.
    isHeld = false
    await find(name)
    expect(findKept(name)).toMatchObject({ name })
    changes.tell(change)
    expect(findKept(name) === undefined).toBe(isAsked)
  },
)

test('what was read while the log could not be followed is not kept', async () => {
  const { find, findKept } = open()
  changes.distrust()

  expect(await find(name)).toMatchObject({ name })

  changes.lookedAgo(0)
  expect(findKept(name)).toBeUndefined()
})

test('a host is served to the last moment of its grace, also from what is kept', async () => {
  const { find, findKept } = open()

  expect(await find(name)).toMatchObject({ servedUntil: new Date(ends) })
  now = ends
  expect(await find(name)).toBeNull()
  expect(findKept(name)).toBeNull()
  expect(asked).toBe(1)
})

test('while the database is away one asks it and no visitor waits after, until it may be there again', async () => {
  const { find } = open()
  changes.distrust()
  isHeld = true
  const first = find(name)
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.(new Error('away'))
  await expect(first).rejects.toThrow('away')

  await expect(find(name)).rejects.toThrow('away')
  await expect(find('www.zoo.test')).rejects.toThrow('away')
  expect(asked).toBe(1)

  isHeld = false
  changes.tell(null)
  expect(await find(name)).toMatchObject({ name })
})

test('while the database is away it is asked again a second after it was asked in vain', async () => {
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
  expect(asked).toBe(2)
})

test('a database that has answered since is asked again at once, though the log is not read again yet', async () => {
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
  expect(asked).toBe(3)
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
])('%j is no name of a host, and the database is not asked for it', async odd => {
  const { find, findKept } = open()

  expect([await find(odd), findKept(odd), asked]).toEqual([null, null, 0])
})

test('the longest name that DNS has is asked for', async () => {
  const longest = `${'a.'.repeat(125)}abc`
  rows = []

  expect([longest.length, await open().find(longest), asked]).toEqual([253, null, 1])
})

test('a removal is answered when no process can serve what it kept, whether the log can be read or not', async () => {
  for (const canBeRead of [true, false]) {
    const { find, findKept, waitUntilForgotten } = open()
    await find(name)
    if (canBeRead) changes.tellWithNextLook({ ...hosts, name })
    else changes.failLooks()
    const began = performance.now()

    await waitUntilForgotten()

    expect(performance.now() - began).toBeGreaterThanOrEqual(505)
    // By then this process has heard of it itself, where it could.
    expect(findKept(name) === undefined).toBe(canBeRead)
  }
})

test('whoever keeps something of a host hears of each name, and of all where that is not told', async () => {
  const heard: (string | null)[] = []
  const heardByOthers: (string | null)[] = []
  const { onChange } = open()
  onChange(one => void heard.push(one))
  onChange(one => void heardByOthers.push(one))

  changes.tell({ ...hosts, name })
  changes.tell({ ...hosts, projectId: 1, name: 'shop' })
  changes.tell({ what: 'keys', name: 'the hash' })
  changes.tell(hosts)
  changes.tell(null)

  expect(heard).toEqual([name, 'shop', null, null])
  expect(heardByOthers).toEqual(heard)
})
