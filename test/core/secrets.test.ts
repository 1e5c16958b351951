import { expect, test } from 'vitest'
import { hashInHex, hashSecret, isWellFormedSecret, makeSecret, prefixOf } from '../../src/core/secrets.ts'

/** Keys that were issued in the past: if their format became invalid, customers would be locked out. */
const issued = 'as_0123456789ABCDEFGHIJKLMN00000UI9IW'

test('an API key issued long ago still has a valid format, and a key with any mistyped letter does not', () => {
  expect(isWellFormedSecret(issued)).toBe(true)
  expect(prefixOf(issued)).toBe('as_01234567')
  for (let place = 0; place < issued.length; place++) {
    const other = issued[place] === 'x' ? 'y' : 'x'
    const mistyped = issued.slice(0, place) + other + issued.slice(place + 1)
    expect(isWellFormedSecret(mistyped), mistyped).toBe(false)
  }
  for (const wrong of ['', issued.slice(1), issued.slice(0, -1), `${issued}0`, ` ${issued}`, `${issued}\n`])
    expect(isWellFormedSecret(wrong), wrong).toBe(false)
})

test('all secrets have the same format, and each of their 28 digits is random', () => {
  const secrets = Array.from({ length: 3_000 }, makeSecret)

  expect(secrets.filter(secret => !isWellFormedSecret(secret))).toEqual([])
  for (let place = 3; place < 31; place++) {
    // Nearly all of the 62 digits occur at each position.
    const seen = new Set(secrets.map(secret => secret[place]))
    expect(seen.size, `at place ${place}`).toBeGreaterThan(55)
  }
  expect(new Set(secrets).size).toBe(3_000)
})

test('the hash of a secret is its SHA-256, equal in bytes and in hexadecimal', () => {
  expect(hashInHex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(hashSecret('abc').toString('hex')).toBe(hashInHex('abc'))
})
