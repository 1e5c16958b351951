import { describe, expect, it } from 'vitest'
import { subjectOf } from '../src/core/certificates/authority-pauses.ts'
import { parseExactJson } from '../src/core/exact-json.ts'
import { exactInt64 } from '../src/core/int64.ts'
import { hideSuggestions } from '../src/graphql/errors.ts'
import { cpuMicros } from './support/cpu-time.ts'

const sizes = [1, 4, 16, 64].map(kib => kib * 1024)
/** Four times the length may cost up to six times the time: caches and the garbage collector are not linear. */
const mostRatio = 6
/** Shorter calls are ignored: they say more about the machine than about the reader. */
const leastMicros = 100
const tries = 5

type Reader = { of: string; read: (text: string) => unknown; texts: Record<string, (size: number) => string> }

const repeat = (part: string) => (size: number) => part.repeat(Math.ceil(size / part.length)).slice(0, size)
const around = (before: string, part: string, after: string) => (size: number) =>
  before + repeat(part)(size) + after

const longNumbers = {
  'zeros in the middle': around('1', '0', '1'),
  'zeros at the end': around('1', '0', ''),
  'zeros at the beginning': around('', '0', '1'),
  nines: repeat('9'),
  'a fraction of zeros': around('1.', '0', '1'),
  'an exponent': around('1e', '9', ''),
}

const readers: Reader[] = [
  { of: 'a number', read: exactInt64, texts: longNumbers },
  {
    of: 'JSON',
    read: text => attempt(() => parseExactJson(text)),
    texts: {
      ...Object.fromEntries(
        Object.entries(longNumbers).map(([name, text]) => [
          `a number with ${name}`,
          (size: number) => `[${text(size)}]`,
        ]),
      ),
      'many long numbers': around('[', '12345678901234567890,', '1]'),
      'many fractions': around('[', '1.5,', '1]'),
      'digits in a string': around('"', '1', '"'),
      'nested lists': size => '['.repeat(size / 2) + ']'.repeat(size / 2),
      'many members': size => `{${Array.from({ length: size / 10 }, (_, n) => `"${n}":1`).join()}}`,
      'escapes in a string': around('"', '\\u0000', '"'),
    },
  },
  {
    of: "an authority's reason for a pause",
    read: text => subjectOf(text, 'www.example.com'),
    texts: {
      'one long word': repeat('a'),
      dots: repeat('.'),
      'one long name': repeat('a.'),
      hyphens: repeat('-'),
      'the name again and again': repeat('www.example.com'),
      'the words "exact set"': repeat('exact set'),
    },
  },
  {
    of: "a GraphQL error's suggestion",
    read: text => hideSuggestions({ message: text }),
    texts: {
      'suggestions without an end': repeat('Did you mean '),
      blanks: repeat(' '),
      'suggestions with an end': around('', 'Did you mean ', '?'),
    },
  },
]

function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

const isLinear = (micros: number[]) =>
  micros.every((time, n) => time < leastMicros || time <= mostRatio * (micros[n - 1] ?? time))

describe.each(readers)('$of', ({ read, texts }) => {
  it.each(Object.entries(texts))('takes time in proportion to its length: %s', async (_name, text) => {
    const least = sizes.map(() => Number.POSITIVE_INFINITY)
    for (let left = tries; left > 0; left--) {
      for (const [n, size] of sizes.entries()) {
        const input = text(size)
        least[n] = Math.min(least[n] ?? 0, await cpuMicros(() => read(input)))
      }
      if (isLinear(least)) return
    }
    const steps = least.map(time => Math.round(time)).join(' µs, ')
    expect.fail(`1, 4, 16 and 64 KiB take ${steps} µs`)
  })
})
