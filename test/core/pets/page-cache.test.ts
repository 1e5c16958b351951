import { expect, test, vi } from 'vitest'
import { invalidatePages, trustedMs } from '../../../src/core/pets/invalidate-pages.ts'
import { type Cacheable, openPageCache } from '../../../src/core/pets/page-cache.ts'
import type { Project } from '../../../src/core/project.ts'
import { changesByHand } from '../../support/changes-by-hand.ts'
import { collectGarbage } from '../../support/garbage.ts'

type Page = { text: string; bytes: number; lastId: bigint | null }

/** Opens a cache from which one page of each project is requested repeatedly. Each page was requested once before. */
async function openCache(lastId: bigint | null = null) {
  const changes = changesByHand()
  const cache = openPageCache<Page>(changes, 1_000_000)
  let made = -2
  const find = async (version: string | null = 'a', projectId = 1) => {
    const page = await cache.find(projectId, version, `question of ${projectId}`, async () => {
      made += 1
      return { text: `page ${made}`, bytes: 10, lastId }
    })
    return page.text
  }
  await find('a', 1)
  await find('a', 2)
  return { changes, find }
}

test('a page of pets is cached under a version of its project, and is not cached without a version', async () => {
  const { find } = await openCache()

  expect(await find()).toBe('page 1')
  expect(await find()).toBe('page 1')
  expect(await find(null)).toBe('page 2')
  expect(await find()).toBe('page 1')
  expect(await find('b')).toBe('page 3')
})

test('a page is cached for at most a minute', async ({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  // The library `lru-cache` takes the time 0 for a missing time, so a page that is cached at time 0 would never expire.
  // Advance the clock by 1 ms before a page is cached.
  vi.advanceTimersByTime(1)
  const { find } = await openCache(20n)
  await find()

  vi.advanceTimersByTime(59_000)
  expect(await find('b')).toBe('page 1')
  vi.advanceTimersByTime(1_200)
  expect(await find('b')).toBe('page 2')
})

test('no page comes from the cache while the log of changes is not trusted', async () => {
  const { changes, find } = await openCache()
  await find()

  changes.distrust()

  expect(await find()).toBe('page 2')
})

test('a page is served from the cache for at most a quarter of a second after the last read of the log', async () => {
  const { changes, find } = await openCache()
  await find()

  changes.lookedAgo(249)
  expect(await find()).toBe('page 1')
  changes.lookedAgo(251)
  expect(await find()).toBe('page 2')
})

test('a change that cannot notify Redis waits until no process serves pages from before the change', async () => {
  const project = { id: 1 } as Project
  const outdate = async (isNotified: boolean) => {
    const began = performance.now()
    await invalidatePages({ renewVersion: async () => isNotified }, project)
    return performance.now() - began
  }

  // The wait includes a few more milliseconds, because two processes' timers differ.
  expect(await outdate(false)).toBeGreaterThan(trustedMs + 5)
  expect(await outdate(true)).toBeLessThan(trustedMs)
})

test('a cached full page stays valid when pets with higher ids are added, even for a request with a new version of the project', async () => {
  const { changes, find } = await openCache(20n)
  await find()

  changes.announce({ what: 'pets', projectId: 1, leastId: 21n })

  expect(await find()).toBe('page 1')
  expect(await find('b')).toBe('page 1')
})

test('a change of pets invalidates each cached page that could show a changed pet, in whatever order the pages were cached', async () => {
  const changes = changesByHand()
  const cache = openPageCache<Page>(changes, 1_000_000)
  const lastIds = { first: 10n, last: null, third: 30n, second: 20n }
  const made: string[] = []
  const findAll = async () => {
    made.length = 0
    for (const [question, lastId] of Object.entries(lastIds)) {
      await cache.find(1, 'a', question, async () => {
        made.push(question)
        return { text: question, bytes: 10, lastId }
      })
    }
    return [...made]
  }
  await findAll()
  await findAll()

  changes.announce({ what: 'pets', projectId: 1, leastId: 31n })
  expect(await findAll()).toEqual(['last'])
  changes.announce({ what: 'pets', projectId: 1, leastId: 25n })
  expect(await findAll()).toEqual(['last', 'third'])
  changes.announce({ what: 'pets', projectId: 1, leastId: 11n })
  expect(await findAll()).toEqual(['last', 'third', 'second'])
  changes.announce({ what: 'pets', projectId: 1, leastId: -5n })
  expect(await findAll()).toEqual(['first', 'last', 'third', 'second'])
})

test('a page that was evicted and cached again is still invalidated by changes', async () => {
  const changes = changesByHand()
  const cache = openPageCache<Page>(changes, 100_000)
  let made = 0
  const find = async (question: string) => {
    const page = await cache.find(1, 'a', question, async () => ({
      text: `${++made}`,
      bytes: 1000,
      lastId: 20n,
    }))
    return page.text
  }
  const findTwice = async (question: string) => {
    await find(question)
    return find(question)
  }
  const first = await findTwice('a page')
  for (let n = 0; n < 100; n++) await findTwice(`page ${n}`)
  const again = await findTwice('a page')
  expect(again).not.toBe(first)
  expect(await find('a page')).toBe(again)

  changes.announce({ what: 'pets', projectId: 1, leastId: 20n })

  expect(await find('a page')).not.toBe(again)
})

test('a page that was requested twice stays cached while many pages are requested once, and is still invalidated by changes', async () => {
  const changes = changesByHand()
  const cache = openPageCache<Page>(changes, 100_000)
  const find = async (question: string) => {
    const page = await cache.find(1, 'a', question, async () => ({
      text: `${performance.now()}`,
      bytes: 1000,
      lastId: 20n,
    }))
    return page.text
  }
  await find('a page')
  const first = await find('a page')
  expect(await find('a page')).toBe(first)
  for (let n = 0; n < 100; n++) await find(`page ${n}`)
  expect(await find('a page')).toBe(first)

  changes.announce({ what: 'pets', projectId: 1, leastId: 20n })

  expect(await find('a page')).not.toBe(first)
})

test('before a cached full page is served under a new version, the log of changes is read and can invalidate the page', async () => {
  const { changes, find } = await openCache(20n)
  await find()

  changes.changeAtNextRead({ what: 'pets', projectId: 1, leastId: 20n })

  expect(await find('b')).toBe('page 2')
})

test('each time a cached full page is first served under a new version, the log of changes is read again', async () => {
  const { changes, find } = await openCache(20n)
  await find()
  expect(await find('b')).toBe('page 1')

  changes.changeAtNextRead({ what: 'pets', projectId: 1, leastId: 20n })

  expect(await find('c')).toBe('page 2')
})

test('a full page that was served under a new version is served again under that version without another read of the log', async () => {
  const { changes, find } = await openCache(20n)
  await find()
  expect(await find('b')).toBe('page 1')

  changes.failLooks()

  expect(await find('b')).toBe('page 1')
  expect(await find('a')).toBe('page 2')
})

test('if the log of changes cannot be read, a full page cached under an older project version is built again', async () => {
  const { changes, find } = await openCache(20n)
  await find()

  changes.failLooks()

  expect(await find('b')).toBe('page 2')
})

test('if a read of the log of changes hangs for a twentieth of a second, a full page cached under an older version is built again', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { changes, find } = await openCache(20n)
  await find()
  let answer: string | null = null

  changes.hangLooks()
  const requested = find('b').then(page => {
    answer = page
  })
  await vi.advanceTimersByTimeAsync(45)
  expect(answer).toBeNull()
  await vi.advanceTimersByTimeAsync(10)
  await requested

  expect(answer).toBe('page 2')
})

test('readers that wait for the same failing read of the log each build their page', async () => {
  const { changes, find } = await openCache(20n)
  await find()

  changes.hangLooks()

  expect(await Promise.all([find('b'), find('b')])).toEqual(['page 2', 'page 3'])
})

test.each([
  ['a pet on it changes', 20n, { what: 'pets', projectId: 1, leastId: 20n }],
  ['a pet with a lower id changes', 20n, { what: 'pets', projectId: 1, leastId: 7n }],
  ['any pet changes and the page is not full', null, { what: 'pets', projectId: 1, leastId: 21n }],
  ['a change does not say which pet changed', 20n, { what: 'pets', projectId: 1 }],
  ['the pets of all projects change', 20n, { what: 'pets' }],
  ['all caches are invalidated', 20n, null],
] as const)('a cached page is invalidated when %s', async (_, lastId, change) => {
  const { changes, find } = await openCache(lastId)
  await find()

  changes.announce(change)

  expect(await find()).toBe('page 2')
})

test.each([
  ['pets of another project', { what: 'pets', projectId: 2 }],
  ['a key of the project', { what: 'keys', projectId: 1, name: 'ff' }],
] as const)('a cached page stays valid after changes of %s', async (_, change) => {
  const { changes, find } = await openCache()
  await find()

  changes.announce(change)

  expect(await find()).toBe('page 1')
})

test('a page invalidated while it was built is returned and not cached', async () => {
  const changes = changesByHand()
  const cache = openPageCache<Page>(changes, 1_000_000)
  const find = (text: string, until: Promise<void> = Promise.resolve()) =>
    cache.find(1, 'a', 'question', () => until.then(() => ({ text, bytes: 10, lastId: 20n })))
  const { promise, resolve } = Promise.withResolvers<void>()

  const requested = [find('while it changes', promise), find('never made')]
  changes.announce({ what: 'pets', projectId: 1, leastId: 21n })
  const after = await find('after the change')
  resolve()

  expect((await Promise.all(requested)).map(({ text }) => text)).toEqual([
    'while it changes',
    'while it changes',
  ])
  expect(after.text).toBe('after the change')
  expect((await find('never made')).text).toBe('after the change')
})

test('a page that could not be built is built on the next request', async () => {
  const cache = openPageCache<Page>(changesByHand(), 1_000_000)
  const page = { text: 'made', bytes: 10, lastId: null }

  await expect(cache.find(1, 'a', 'question', () => Promise.reject(new Error('away')))).rejects.toThrow(
    'away',
  )

  expect(await cache.find(1, 'a', 'question', async () => page)).toBe(page)
})

test('a page that must not be cached, or is longer than a 64th of the cache, is built for each request', async () => {
  const cache = openPageCache<Cacheable>(changesByHand(), 640_000)
  const timesMade = async (question: string, bytes: number | null) => {
    let made = 0
    const find = () =>
      cache.find(1, 'a', question, async () => {
        made++
        return { bytes, lastId: null }
      })
    await find()
    made = 0
    await find()
    await find()
    return made
  }

  expect(await timesMade('none', null)).toBe(2)
  expect(await timesMade('too long', 10_001)).toBe(2)
  expect(await timesMade('just short enough', 10_000)).toBe(1)
})

test('reading any number of pages once leaves no cache entries of these pages or their projects behind', async () => {
  const cache = openPageCache<Page>(changesByHand(), 1_000_000)
  const walk = async (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const question = `page ${n} `.padEnd(1_000, 'x')
      await cache.find(n, 'a', question, async () => ({ text: 'a page', bytes: 1_000, lastId: 20n }))
    }
  }
  const heap = async () => {
    await collectGarbage()
    return process.memoryUsage().heapUsed
  }
  await walk(0, 2_000)
  const before = await heap()

  await walk(2_000, 32_000)

  // Without a bound the cache keys took 30 MB, and the data about their projects 15 MB.
  expect((await heap()) - before).toBeLessThan(5_000_000)
})

test('if the build of an older page fails after a newer page was cached, the newer page stays in the cache', async () => {
  const cache = openPageCache<Page>(changesByHand(), 1_000_000)
  const { promise, reject } = Promise.withResolvers<Page>()
  const newer = { text: 'newer', bytes: 10, lastId: null }
  const older = cache.find(1, 'a', 'question', () => promise)
  await cache.find(1, 'b', 'question', async () => newer)

  reject(new Error('away'))
  await expect(older).rejects.toThrow('away')

  expect(await cache.find(1, 'b', 'question', async () => ({ ...newer, text: 'newest' }))).toBe(newer)
})

/**
 * Opens a cache of 1,000,000 bytes. Returns a function that requests pages of 1,000 bytes each, and returns how many of
 * the pages had to be built.
 */
function openFullCache() {
  const cache = openPageCache<Page>(changesByHand(), 1_000_000)
  return async (from: number, to: number, version = 'a') => {
    let made = 0
    for (let n = from; n < to; n++) {
      await cache.find(1, version, `page ${n}`, async () => {
        made += 1
        return { text: 'a page', bytes: 1_000, lastId: null }
      })
    }
    return made
  }
}

test('pages requested again are cached, up to the size of the cache', async () => {
  const ask = openFullCache()

  await ask(0, 500)
  await ask(0, 500)
  expect(await ask(0, 500)).toBe(0)

  await ask(0, 1_000)
  expect(await ask(500, 1_000)).toBeGreaterThan(0)
  expect(await ask(900, 1_000)).toBe(0)
})

test('the pages in the cache never exceed its size in bytes', async () => {
  const ask = openFullCache()

  await ask(0, 900)
  await ask(0, 900)

  expect(await ask(0, 900)).toBeGreaterThan(0)
})

test('a page is cached from its second request on', async () => {
  const ask = openFullCache()

  expect(await ask(0, 10)).toBe(10)
  expect(await ask(0, 10)).toBe(10)
  expect(await ask(0, 10)).toBe(0)
})

test('two first requests of a page at the same time share one build', async () => {
  const cache = openPageCache<Page>(changesByHand(), 1_000_000)
  let made = 0
  const find = () =>
    cache.find(1, 'a', 'question', async () => ({ text: `page ${++made}`, bytes: 10, lastId: null }))

  const [first, second] = await Promise.all([find(), find()])

  expect(first).toBe(second)
  expect(made).toBe(1)
})

test('a page is cached at its second request, even if other pages were requested in between', async () => {
  const ask = openFullCache()
  await ask(0, 10)
  await ask(1_000, 1_020)

  expect(await ask(0, 10)).toBe(10)
  await ask(2_000, 3_000)

  expect(await ask(0, 10)).toBe(0)
})

test('reading more pages than the cache can hold evicts no page that is requested again and again', async () => {
  const ask = openFullCache()
  await ask(0, 300)
  await ask(0, 300)

  await ask(1_000, 9_000)

  expect(await ask(0, 300)).toBe(0)
})

test('a change that names no project, such as a TRUNCATE, invalidates every page', async () => {
  const { changes, find } = await openCache(20n)
  await find('a', 1)
  await find('a', 2)

  changes.announce({ what: 'pets', projectId: null })

  expect(await find('a', 1)).toBe('page 3')
  expect(await find('a', 2)).toBe('page 4')
})

test('a page is cached for a minute from when it was built, even if it is requested again', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.advanceTimersByTime(1)
  const { find } = await openCache()
  await find()

  vi.advanceTimersByTime(50_000)
  expect(await find()).toBe('page 1')
  vi.advanceTimersByTime(9_000)
  expect(await find()).toBe('page 1')
  vi.advanceTimersByTime(1_300)
  expect(await find()).toBe('page 2')
})

test('a page that is being built for an older project version is given only to readers with that older version', async () => {
  const cache = openPageCache<Page>(changesByHand(), 1_000_000)
  const pages = [0, 1].map(() => Promise.withResolvers<Page>())
  let made = 0
  const find = (version: string) =>
    cache.find(1, version, 'a question', () => pages[made++]?.promise as Promise<Page>)

  const older = [find('a'), find('a')]
  const newer = [find('b'), find('b')]
  pages[1]?.resolve({ text: 'newer', bytes: 10, lastId: null })
  pages[0]?.resolve({ text: 'older', bytes: 10, lastId: null })

  expect((await Promise.all(older)).map(({ text }) => text)).toEqual(['older', 'older'])
  expect((await Promise.all(newer)).map(({ text }) => text)).toEqual(['newer', 'newer'])
  expect(await find('b')).toMatchObject({ text: 'newer' })
  expect(made).toBe(2)
})
