import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeSeal } from '../../src/hosting/sealing.ts'

const [old, fresh] = [randomBytes(32), randomBytes(32)]

test('what is sealed opens with its key and its label, and with no other', () => {
  const sealed = makeSeal([old]).close('secret', 'certificate:a.test')

  expect(makeSeal([old]).open(sealed, 'certificate:a.test')).toBe('secret')
  expect(() => makeSeal([fresh]).open(sealed, 'certificate:a.test')).toThrow('SECRETS_KEY')
  expect(() => makeSeal([old]).open(sealed, 'certificate:b.test')).toThrow('SECRETS_KEY')
})

test('a changed byte is noticed wherever it stands', () => {
  const sealed = makeSeal([old]).close('secret', 'x')

  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.map((byte, index) => (index === at ? byte ^ 1 : byte))
    expect(() => makeSeal([old]).open(changed, 'x'), `byte ${at}`).toThrow()
  }
})

test('the same secret is sealed differently each time', () => {
  const seal = makeSeal([old])

  expect(Buffer.from(seal.close('secret', 'x'))).not.toEqual(Buffer.from(seal.close('secret', 'x')))
})

test('after a change of keys what was sealed before still opens, and the new key seals', () => {
  const sealed = makeSeal([old]).close('secret', 'x')
  const both = makeSeal([fresh, old])

  expect(both.open(sealed, 'x')).toBe('secret')
  expect(makeSeal([fresh]).open(both.close('new', 'x'), 'x')).toBe('new')
})

test('what was cut short, or was never sealed, opens with no key and is no fault', () => {
  const sealed = makeSeal([old]).close('', 'x')

  for (let length = 0; length < sealed.length; length++) {
    expect(makeSeal([old]).keyOf(sealed.slice(0, length), 'x'), `${length} bytes`).toBeNull()
  }
  expect(makeSeal([old]).keyOf(sealed, 'x')).toBe('first')
  expect(makeSeal([old]).keyOf(randomBytes(100), 'x')).toBeNull()
})

test('which of its keys opens something is told apart, so that what an older one has sealed is sealed anew', () => {
  const both = makeSeal([fresh, old])

  expect(both.keyOf(both.close('secret', 'x'), 'x')).toBe('first')
  expect(both.keyOf(makeSeal([old]).close('secret', 'x'), 'x')).toBe('older')
  expect(both.keyOf(makeSeal([randomBytes(32)]).close('secret', 'x'), 'x')).toBeNull()
})

test('fingerprints tell its keys apart, in their order, and show nothing of them', () => {
  const fingerprints = makeSeal([fresh, old]).fingerprints()

  expect(fingerprints).toEqual([fresh, old].flatMap(key => makeSeal([key]).fingerprints()))
  expect(new Set(fingerprints).size).toBe(2)
  for (const one of fingerprints) {
    expect(one).toMatch(/^[0-9a-f]{16}$/)
    expect(`${fresh.toString('hex')} ${old.toString('hex')}`).not.toContain(one)
  }
})

test('without a key nothing is sealed', () => {
  expect(() => makeSeal([]).close('secret', 'x')).toThrow('needs a key')
})
