import { describe, expect, it } from 'vitest'
import { moment, readScreen, table } from '../../src/cli/print.ts'

const endless = Number.POSITIVE_INFINITY

describe('a screen', () => {
  it.each([
    ['a terminal', { isTTY: true, columns: 80 }, {}, 80, true],
    ['a terminal without a width', { isTTY: true }, {}, endless, true],
    ['a terminal with NO_COLOR', { isTTY: true, columns: 80 }, { NO_COLOR: '1' }, 80, false],
    ['a terminal without colours', { isTTY: true, columns: 80 }, { TERM: 'dumb' }, 80, false],
    ['a file', {}, {}, endless, false],
    ['a pipe with a width', { isTTY: false, columns: 80 }, {}, endless, false],
    ['a pipe with FORCE_COLOR', {}, { FORCE_COLOR: '1' }, endless, true],
    ['a pipe with FORCE_COLOR and NO_COLOR', {}, { FORCE_COLOR: '1', NO_COLOR: '1' }, endless, true],
    ['a terminal with FORCE_COLOR=0', { isTTY: true, columns: 80 }, { FORCE_COLOR: '0' }, 80, false],
  ])(
    'the command detects the width of %s, and decides whether the output has colours',
    (_, stream, env, columns, colour) => {
      expect(readScreen(stream as Partial<NodeJS.WriteStream>, env)).toEqual({ columns, colour })
    },
  )
})

describe('a table', () => {
  const plain = (columns: number) => ({ columns, colour: false })
  const lines = (text: string) => text.split('\n')
  const [short, long] = ['x'.repeat(12), 'y'.repeat(20)]

  it('a table is as wide as its cells, and shows a dash for a missing value', () => {
    expect(
      lines(
        table(
          ['ID', 'NAME'],
          [
            [1n, 'Rex'],
            [null, '🦊'],
            [undefined, 'Biscuit'],
          ],
          plain(endless),
        ),
      ),
    ).toEqual(['ID  NAME', '1   Rex', '-   🦊', '-   Biscuit'])
    expect(
      lines(
        table(
          ['A', 'B'],
          [
            ['🦊🦊🦊', 'x'],
            ['abc', 'y'],
          ],
          plain(endless),
        ),
      ),
    ).toEqual(['A       B', '🦊🦊🦊  x', 'abc     y'])
  })

  it('a table that just fits is not cut', () => {
    expect(lines(table(['A', 'B'], [[short, long]], plain(12 + 2 + 20)))[1]).toBe(`${short}  ${long}`)
  })

  it('a table that is one character too wide cuts its widest column', () => {
    expect(lines(table(['A', 'B'], [[short, long]], plain(12 + 2 + 19)))[1]).toBe(
      `${short}  ${'y'.repeat(18)}…`,
    )
  })

  it('a table that is far too wide keeps at least eight characters of each column', () => {
    expect(lines(table(['A', 'B', 'ID'], [[short, long, long]], plain(10)))[1]).toBe(
      `xxxxxxx…  yyyyyyy…  ${long}`,
    )
    expect(lines(table(['A', 'B'], [[short, 'z'.repeat(8)]], plain(10)))[1]).toBe('xxxxxxx…  zzzzzzzz')
  })

  it.each([
    ...['available', 'active', 'live', 'issued', 'succeeded', 'delivered', 'valid'].map(word => [word, 32]),
    ...['pending', 'placed', 'approved', 'overlapping', 'checking', 'issuing'].map(word => [word, 33]),
    ...['suspended', 'revoked', 'expired', 'failed', 'cancelled', 'refused'].map(word => [word, 31]),
    ['active (this one)', 32],
    ['lively', null],
    ['not live', null],
  ] as [string, number | null][])('a table shows %s in the colour of its state', (word, colour) => {
    const [head, cell] = lines(table(['NAME'], [[word]], { columns: 80, colour: true }))

    expect(cell).toBe(colour === null ? word : `\u001b[${colour}m${word}\u001b[39m`)
    expect(head).toBe(`\u001b[2m${'NAME'.padEnd(word.length)}\u001b[22m`)
  })
})

it('a time is shown to the minute, and a missing time as the word never or as a given text', () => {
  expect(moment('2026-02-03T04:05:59.999Z')).toBe('2026-02-03 04:05 UTC')
  expect([moment(null), moment(undefined), moment(null, 'on request')]).toEqual([
    ...['never', 'never', 'on request'],
  ])
})
