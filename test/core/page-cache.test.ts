import { expect, test } from 'vitest'
import { openPageCache } from '../../src/core/page-cache.ts'

type Page = { text: string; bytes: number; lastId: bigint | null }

function openShelf(lastId: bigint | null) {
  const shelf = openPageCache<Page>(1_000_000)
  let made = 0
  return async (version: string | null) => {
    const page = await shelf.find(version, 'question', async () => {
      made += 1
      return { text: `page ${made}`, bytes: 10, lastId }
    })
    return page.text
  }
}

test('a page is kept under its version and not without one', async () => {
  const find = openShelf(null)

  expect(await find('era:0:')).toBe('page 1')
  expect(await find('era:0:')).toBe('page 1')
  expect(await find(null)).toBe('page 2')
  expect(await find('era:0:')).toBe('page 1')
})

test('a full page outlives pets with higher ids, also those that came before it was made', async () => {
  const find = openShelf(20n)

  expect(await find('era:0:')).toBe('page 1')
  expect(await find('era:1:21')).toBe('page 1')
  expect(await find('era:2:21')).toBe('page 1')
})

test.each([
  ['a pet with an id that it reaches', 20n, 'era:1:21', 'era:2:20'],
  ['a pet with a lower id', 20n, 'era:0:', 'era:1:7'],
  ['an id that only looks lower as text', 20n, 'era:0:', 'era:1:3'],
  ['any pet, where it is not full', null, 'era:0:', 'era:1:21'],
  ['a new era', 20n, 'era:1:21', 'next:1:21'],
  ['an era whose name begins like its own', 20n, 'era:1:21', 'era2:1:21'],
  ['a version that tells of no pets', 20n, 'one', 'two'],
])('a page ends with %s', async (_, lastId, before, after) => {
  const find = openShelf(lastId)

  expect(await find(before)).toBe('page 1')
  expect(await find(after)).toBe('page 2')
})

test('an id of more digits is higher', async () => {
  const find = openShelf(9n)

  expect(await find('era:0:')).toBe('page 1')
  expect(await find('era:1:10')).toBe('page 1')
})

/** Room for 1,000,000 bytes; asks for pages of 1,000, and says how many of them had to be made. */
function openFullShelf() {
  const shelf = openPageCache<Page>(1_000_000)
  return async (from: number, to: number, version = 'era:0:') => {
    let made = 0
    for (let n = from; n < to; n++) {
      await shelf.find(version, `page ${n}`, async () => {
        made += 1
        return { text: 'a page', bytes: 1_000, lastId: null }
      })
    }
    return made
  }
}

test('pages that are asked for again are kept, up to the bytes there are for them', async () => {
  const ask = openFullShelf()

  await ask(0, 500)
  await ask(0, 500)
  expect(await ask(0, 500)).toBe(0)

  await ask(0, 1_000, 'later:0:')
  await ask(0, 1_000, 'latest:0:')
  expect(await ask(0, 1_000, 'latest:0:')).toBeGreaterThan(400)
})

test('whoever walks through more pages than can be kept drives out none that is asked for again and again', async () => {
  const ask = openFullShelf()
  await ask(0, 300)
  await ask(0, 300)

  await ask(1_000, 9_000)

  expect(await ask(0, 300)).toBe(0)
})
