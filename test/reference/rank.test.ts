import { beforeAll, expect, it } from 'vitest'
import { excerptOf, isNearly, prepare, rank } from '../../src/reference/rank.js'
import { openReference } from '../../src/reference/reference.ts'
import type { Place } from '../../src/reference/search-index.ts'

let places: Place[]
beforeAll(async () => {
  const site = { title: 'A store', description: null, baseUrl: 'https://shop.example/v1', showsGraphql: true }
  const { find } = await openReference({ ...site, home: '/' })
  const index: Place[] = JSON.parse(String(find('search.json')?.bytes))
  places = index.map(prepare)
})

const first = (query: string) => rank(places, query)[0] as Place | undefined

it.each([
  ['pagination', 'Pagination', 'Guide'],
  ['rate limit', 'Limits and 429', 'Guide'],
  ['429', 'Limits and 429', 'Guide'],
  ['retry', 'retr', 'Guide'],
  ['verify signature', 'Verify a signature', 'Guide'],
  ['createPet', 'Add an animal', 'REST'],
  ['petCreate', 'petCreate', 'GraphQL'],
  ['pet_not_found', 'pet_not_found', 'Rules'],
  ['webhoks', 'webhooks', 'any'],
  ['paginaton', 'Pagination', 'Guide'],
])('a search for "%s" leads to "%s"', (query, title, door) => {
  expect(first(query)?.title.toLowerCase()).toContain(title.toLowerCase())
  if (door !== 'any') expect(first(query)?.door).toBe(door)
})

it('a search for etag shows the guide about lost updates among the twelve places that the page lists', () => {
  const titles = rank(places, 'etag').map(({ title }) => title)
  expect(titles.slice(0, 12)).toContain('Lost updates')
})

it('a search for a word that no page contains finds nothing', () => {
  expect(rank(places, 'xyzzy')).toEqual([])
  expect(rank(places, 'constructor')).toEqual([])
  expect(rank(places, '  ')).toEqual([])
})

it('a search forgives one wrong, missing, added or swapped letter, but not two', () => {
  expect(
    ['webhook', 'webhok', 'webhoook', 'wbehook', 'wabhook'].map(word => isNearly(word, 'webhook')),
  ).toEqual([true, true, true, true, true])
  expect(['wabhouk', 'web', 'wehboko'].map(word => isNearly(word, 'webhook'))).toEqual([false, false, false])
})

it('an excerpt in the search results shows the text around the typed word', () => {
  const text = `${'Before. '.repeat(20)}The cursor marks a place.${' After.'.repeat(30)}`
  expect(excerptOf({ text }, 'cursor')).toMatch(/^….*The cursor marks a place\..*…$/)
  expect(excerptOf({ text: 'Short.' }, 'other')).toBe('Short.')
})
