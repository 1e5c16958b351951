import { domainToASCII } from 'node:url'
import { expect, test } from 'vitest'
import { readAsLatin } from '../../../src/core/hosts/lookalikes.ts'

const read = (written: string) => readAsLatin(domainToASCII(written))

test.each([
  ['раураl.com', 'paypal.com'],
  ['аррӏе.com', 'apple.com'],
  ['gооgle.example', 'google.example'],
  ['νοο.gr', 'voo.gr'],
  ['www.ѕсоре.com', 'www.scope.com'],
  ['päypal.com', 'paypal.com'],
  ['gıthub.com', 'github.com'],
  ['bücher-сhор.de', 'bucher-chop.de'],
])('the name %s looks like %s and is marked as deceptive', (written, name) => {
  expect(read(written)).toEqual({ name, isDeceptive: true })
})

test('a label with letters of two alphabets is marked as deceptive even if some letters do not look Latin', () => {
  expect(read('дpaws.com')).toEqual({ name: 'дpaws.com', isDeceptive: true })
})

test.each([
  ['bücher.de', 'bucher.de'],
  ['crème-brûlée.fr', 'creme-brulee.fr'],
])('the name %s looks like %s, but is not marked as deceptive', (written, name) => {
  expect(read(written)).toEqual({ name, isDeceptive: false })
})

test.each(['paypal.com', 'shop.example', 'магазин.рф', '例え.jp', 'дом.com', 'xn--a.com'])(
  'the name %s resembles no other name',
  written => {
    expect(read(written)).toBeNull()
  },
)
