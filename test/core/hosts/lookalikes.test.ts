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
])('%s reads as %s and deceives', (written, name) => {
  expect(read(written)).toEqual({ name, isDeceptive: true })
})

test('a label of two alphabets deceives even if not all of its letters look Latin', () => {
  expect(read('дpaws.com')).toEqual({ name: 'дpaws.com', isDeceptive: true })
})

test.each([
  ['bücher.de', 'bucher.de'],
  ['crème-brûlée.fr', 'creme-brulee.fr'],
])('%s reads as %s, which deceives only if that is the name of somebody else', (written, name) => {
  expect(read(written)).toEqual({ name, isDeceptive: false })
})

test.each(['paypal.com', 'shop.example', 'магазин.рф', '例え.jp', 'дом.com', 'xn--a.com'])(
  '%s has letters of its own and is mistaken for nothing',
  written => {
    expect(read(written)).toBeNull()
  },
)
