import { expect, test } from 'vitest'
import { openKeyCache } from '../../../src/core/keys/cache.ts'
import type { KnownKey } from '../../../src/core/keys/lookup.ts'

const keyOf = (projectId: number) => ({ caller: { project: { id: projectId } } }) as KnownKey

test('invalidating one key or one project removes just those entries, in any order', () => {
  const kept = openKeyCache()
  const keep = () => {
    for (const hash of ['a', 'b', 'c']) kept.keep(hash, keyOf(1))
    kept.keep('of another', keyOf(2))
  }
  const found = () => ['a', 'b', 'c', 'of another'].filter(hash => kept.find(hash))
  keep()

  kept.forgetKey('b')
  expect(found()).toEqual(['a', 'c', 'of another'])
  kept.forgetProject(1)
  expect(found()).toEqual(['of another'])
  keep()
  kept.forgetProject(1)
  expect(found()).toEqual(['of another'])
  kept.forgetAll()
  expect(found()).toEqual([])
})

test('a replaced cache entry is still invalidated with its project', () => {
  const kept = openKeyCache()
  kept.keep('a', keyOf(1))
  const now = keyOf(1)
  kept.keep('a', now)
  expect(kept.find('a')).toBe(now)

  kept.forgetProject(1)

  expect(kept.find('a')).toBeUndefined()
})

test('a flood of unknown keys evicts no real key, and the oldest unknown ones first', () => {
  const kept = openKeyCache()
  kept.keep('real', keyOf(1))
  for (let n = 0; n < 60_000; n++) kept.keep(`made up ${n}`, null)

  expect(kept.find('real')).toBeDefined()
  expect([kept.find('made up 59999'), kept.find('made up 50000')]).toEqual([null, null])
  expect(kept.find('made up 49999')).toBeUndefined()
})

test('an unknown key stays unknown until the cache is invalidated for it', () => {
  const kept = openKeyCache()
  expect(kept.find('a')).toBeUndefined()
  kept.keep('a', null)
  expect(kept.find('a')).toBeNull()

  kept.forgetKey('a')
  expect(kept.find('a')).toBeUndefined()

  // As after a restore, when the change names no single key.
  kept.keep('a', null)
  kept.forgetAll()
  expect(kept.find('a')).toBeUndefined()
})

test('the cache holds the fifty thousand keys used last', () => {
  const kept = openKeyCache()
  for (let n = 0; n < 50_000; n++) kept.keep(`key ${n}`, keyOf(n % 7))
  expect(kept.find('key 0')).toEqual(keyOf(0))

  kept.keep('one more', keyOf(3))

  expect(['key 0', 'one more'].map(kept.find)).toEqual([keyOf(0), keyOf(3)])
  expect(kept.find('key 1')).toBeUndefined()
})
