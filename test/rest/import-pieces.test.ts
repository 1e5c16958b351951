import { expect, it } from 'vitest'
import type { Fault } from '../../src/core/errors.ts'
import { openLines } from '../../src/rest/lines.ts'
import { petReaders } from '../../src/rest/read-pets.ts'

const bodies = {
  csv: Buffer.concat([
    Buffer.from(
      '\ufeffname,categoryId,status\r\n"Zoë, ""the Great""\r\n\r\nof Köln 🦊",1,\r\n\r\n\nMax,2,sold\n"a\n',
    ),
    Buffer.from('Caf\xe9",3,\nRex,4\n', 'latin1'),
    Buffer.from('Ada,5,\n"",6,""'),
  ]),
  ndjson: Buffer.concat([
    Buffer.from('\ufeff{"name":"Zoë 🦊"}\r\n\r\n \n[1]\n{"name":"Max"}\n'),
    Buffer.from('{"name":"Caf\xe9"}\n', 'latin1'),
    Buffer.from('{"name":"Rex"}'),
  ]),
}

/** Parses the body in chunks of `size` bytes. Returns the pet of each line, or its faults. */
function read(format: keyof typeof bodies, size: number, body: Buffer = bodies[format]): unknown[] {
  const records: unknown[] = []
  const lines = openLines(
    petReaders[format]({
      add: (line, pet) => records.push([line, pet]),
      refuse: (line, faults: readonly Fault[]) => records.push([line, faults.map(({ message }) => message)]),
      finish: () => ({ count: 0, pieces: [], hash: new Uint8Array() }),
    }),
  )
  for (let from = 0; from < body.length; from += size) lines.take(body.subarray(from, from + size))
  lines.end()
  return records
}

it('NDJSON gives the same records in chunks of every size', () => {
  const whole = [
    [1, { name: 'Zoë 🦊' }],
    [4, ['must be a JSON object']],
    [5, { name: 'Max' }],
    [6, ['is not UTF-8']],
    [7, { name: 'Rex' }],
  ]

  for (const size of [1, 2, 3, 5, 7, 11, 1_000]) expect(read('ndjson', size), `${size}`).toEqual(whole)
})

it('CSV gives the same records in chunks of every size', () => {
  const whole = [
    [2, { name: 'Zoë, "the Great"\r\n\r\nof Köln 🦊', categoryId: '1' }],
    [7, { name: 'Max', categoryId: '2', status: 'sold' }],
    [8, ['is not UTF-8']],
    [10, ['must have 3 fields, as the first line has; it has 2']],
    [11, { name: 'Ada', categoryId: '5' }],
    [12, { categoryId: '6' }],
  ]

  for (const size of [1, 2, 3, 5, 7, 11, 1_000]) expect(read('csv', size), `${size}`).toEqual(whole)
})

it('the length limit of a line counts the bytes of the line, whatever the chunk sizes and the lines around it', () => {
  const pet = (bytes: number) => `{"name":"${'€'.repeat((bytes - 11) / 3)}${'x'.repeat((bytes - 11) % 3)}"}\n`
  const longest = 64 * 1024
  const body = [pet(longest), pet(longest + 1), '{"name":"Max"}\n']
  const [whole, longer] = [{ name: expect.any(String) }, ['is longer than 64 KiB']]

  for (const last of ['', Buffer.from('Caf\xe9', 'latin1'), Buffer.from('Caf\xe9\n', 'latin1')])
    for (const size of [1_000, 16_384, 65_536, 65_537, 1_000_000]) {
      const records = read('ndjson', size, Buffer.concat([Buffer.from(body.join('')), Buffer.from(last)]))
      expect(records.slice(0, 3), `${size}`).toEqual([
        [1, whole],
        [2, longer],
        [3, whole],
      ])
    }
})

it('the length limit of a line applies to a last line without a line feed', () => {
  const last = `{"name":"${'x'.repeat(64 * 1024)}"}`

  for (const size of [1_000, 65_536, 1_000_000])
    expect(read('ndjson', size, Buffer.from(`{"name":"Max"}\n${last}`)), `${size}`).toEqual([
      [1, { name: 'Max' }],
      [2, ['is longer than 64 KiB']],
    ])
})

it.each(['ndjson', 'csv'] as const)(
  'each line has its own length limit, even if all lines together are many times 64 KiB: %s',
  format => {
    for (const [length, count] of [
      [3, 30_000],
      [2_500, 200],
    ] as const) {
      const name = 'x'.repeat(length)
      const line = { ndjson: `{"name":"${name}"}\n`, csv: `${name},1\r\n` }[format]
      const body = Buffer.from(`${format === 'csv' ? 'name,categoryId\r\n' : ''}${line.repeat(count)}`)

      for (const size of [1_000, 65_536, 1_000_000]) {
        const records = read(format, size, body) as [number, { name: string }][]
        expect(new Set(records.map(([, pet]) => pet.name))).toEqual(new Set([name]))
        expect(records).toHaveLength(count)
      }
    }
  },
)

const [max, rex] = [
  { name: 'Max', categoryId: '1' },
  { name: 'Rex', categoryId: '2' },
]
const [two, one] = [`"${'x'.repeat(39_999)}`, 'x'.repeat(25_533)]
const longName = `${two.slice(1)}\n${one}`

it.each([
  [
    'a quote in the middle of an unquoted field',
    'name,categoryId\nMa"x,1\n',
    'has a quote in a field that does not begin with one',
  ],
  [
    'text after a closing quote',
    'name,categoryId\n"Max"x,1\n',
    'has something between a closing quote and the next comma',
  ],
  ['one field too few', 'name,categoryId\nMax\n', 'must have 2 fields, as the first line has; it has 1'],
  ['one field too many', 'name,categoryId\nMax,1,\n', 'must have 2 fields, as the first line has; it has 3'],
  ['a quote that is never closed', 'name,categoryId\n"Max,1\r\n\r\nRex', 'has a quote that is never closed'],
])('CSV with %s is refused with the number of the line', (_what, body, message) => {
  const records = read('csv', 1_000, Buffer.from(body))
  const before = read('csv', 1_000, Buffer.from(body.replace('\n', '\nRex,2\n')))

  expect(records).toEqual([[2, [message]]])
  expect(before).toEqual([
    [2, rex],
    [3, [message]],
  ])
})

it.each([
  ['name,note', 'must be the name of a column'],
  ['name,category_id', 'must be spelled "categoryId", not "category_id"'],
  ['name,categoryId,Status', 'must be spelled "status", not "Status"'],
  ['name,categoryId,name', 'must be the name of one column only'],
  ['name,categoryId,status,status', 'must be the name of one column only'],
])(
  'a CSV header line with the faulty columns %s gets one error, and the lines below the header line are not checked',
  (columns, message) => {
    expect(read('csv', 1_000, Buffer.from(`${columns}\nMax\nMax,x,1\n`))).toEqual([[1, [message]]])
  },
)

it.each([
  ['every field in quotes, with CRLF', '"name","categoryId"\r\n"Max","1"\r\n', [[2, max]]],
  ['additional columns', 'id,note,categoryId,name\n5,"a,b",1,Max', [[2, { id: '5', note: 'a,b', ...max }]]],
  [
    'empty fields',
    'name,categoryId,status\n,,\nMax,1,\n',
    [
      [2, {}],
      [3, max],
    ],
  ],
  [
    'a record of exactly 64 KiB over two lines',
    `name,categoryId\n${two}\n${one}",1\nRex,2\n`,
    [
      [2, { name: longName, categoryId: '1' }],
      [4, rex],
    ],
  ],
  [
    'a record that is one letter longer than 64 KiB',
    `name,categoryId\n${two}\n${one}x",1\nRex,2\n`,
    [
      [2, ['is longer than 64 KiB']],
      [4, rex],
    ],
  ],
])('CSV with %s is read correctly', (_what, body, records) => {
  expect(read('csv', 70_000, Buffer.from(body))).toEqual(records)
})

it('NDJSON has one object on each line, and a byte order mark only on the first', () => {
  const lines = ['\ufeff{}', '\ufeff{}', 'null', '[]', '"x"', '7', '{', '{} {}', ' \t\r', '{"name":"Max"}']

  expect(read('ndjson', 1_000, Buffer.from(lines.join('\n')))).toEqual([
    [1, {}],
    ...[2, 3, 4, 5, 6, 7, 8].map(number => [number, ['must be a JSON object']]),
    [10, { name: 'Max' }],
  ])
})
