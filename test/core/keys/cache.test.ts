import { expect, test } from 'vitest'
import { openKeyCache } from '../../../src/core/keys/cache.ts'
import type { KnownKey } from '../../../src/core/keys/lookup.ts'

const keyOf = (projectId: number) => ({ caller: { project: { id: projectId } } }) as KnownKey

test('invalidating one key or one project removes only its own entries from the key cache', () => {
  const cache = openKeyCache()
  const keep = () => {
    for (const hash of ['a', 'b', 'c']) cache.keep(hash, keyOf(1))
    cache.keep('of another', keyOf(2))
  }
  const found = () => ['a', 'b', 'c', 'of another'].filter(hash => cache.find(hash))
  keep()

  cache.forgetKey('b')
  expect(found()).toEqual(['a', 'c', 'of another'])
  cache.forgetProject(1)
  expect(found()).toEqual(['of another'])
  keep()
  cache.forgetProject(1)
  expect(found()).toEqual(['of another'])
  cache.forgetAll()
  expect(found()).toEqual([])
})

test('if the key cache replaces an entry, the new entry is still invalidated together with its project', () => {
  const cache = openKeyCache()
  cache.keep('a', keyOf(1))
  const now = keyOf(1)
  cache.keep('a', now)
  expect(cache.find('a')).toBe(now)

  cache.forgetProject(1)

  expect(cache.find('a')).toBeUndefined()
})

test('a flood of unknown keys evicts the oldest unknown keys from the cache, and no real key', () => {
  const cache = openKeyCache()
  cache.keep('real', keyOf(1))
  for (let n = 0; n < 60_000; n++) cache.keep(`made up ${n}`, null)

  expect(cache.find('real')).toBeDefined()
  expect([cache.find('made up 59999'), cache.find('made up 50000')]).toEqual([null, null])
  expect(cache.find('made up 49999')).toBeUndefined()
})

test('an unknown key stays unknown until the cache is invalidated for it', () => {
  const cache = openKeyCache()
  expect(cache.find('a')).toBeUndefined()
  cache.keep('a', null)
  expect(cache.find('a')).toBeNull()

  cache.forgetKey('a')
  expect(cache.find('a')).toBeUndefined()

  // `forgetAll` handles changes that name no single key, for example after a restore.
  cache.keep('a', null)
  cache.forgetAll()
  expect(cache.find('a')).toBeUndefined()
})

test('the key cache holds the fifty thousand most recently used keys', () => {
  const cache = openKeyCache()
  for (let n = 0; n < 50_000; n++) cache.keep(`key ${n}`, keyOf(n % 7))
  expect(cache.find('key 0')).toEqual(keyOf(0))

  cache.keep('one more', keyOf(3))

  expect(['key 0', 'one more'].map(cache.find)).toEqual([keyOf(0), keyOf(3)])
  expect(cache.find('key 1')).toBeUndefined()
})
