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

/** All that is told of a body that comes in pieces of so many bytes. */
function read(format: keyof typeof bodies, size: number, body: Buffer = bodies[format]): unknown[] {
  const told: unknown[] = []
  const lines = openLines(
    petReaders[format]({
      add: (line, pet) => told.push([line, pet]),
      refuse: (line, faults: readonly Fault[]) => told.push([line, faults.map(({ message }) => message)]),
      finish: () => ({ count: 0, pieces: [], hash: new Uint8Array() }),
    }),
  )
  for (let from = 0; from < body.length; from += size) lines.take(body.subarray(from, from + size))
  lines.end()
  return told
}

it('NDJSON says the same in whatever pieces it comes', () => {
  const whole = [
    [1, { name: 'Zoë 🦊' }],
    [4, ['must be a JSON object']],
    [5, { name: 'Max' }],
    [6, ['is not UTF-8']],
    [7, { name: 'Rex' }],
  ]

  for (const size of [1, 2, 3, 5, 7, 11, 1_000]) expect(read('ndjson', size), `${size}`).toEqual(whole)
})

it('CSV says the same in whatever pieces it comes', () => {
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

it('a line is too long by its bytes, in whatever pieces it comes and whatever stands beside it', () => {
  const pet = (bytes: number) => `{"name":"${'€'.repeat((bytes - 11) / 3)}"}\n`
  const longest = 64 * 1024
  const body = [pet(longest - 2), pet(longest + 1), '{"name":"Max"}\n']
  const [whole, longer] = [{ name: expect.any(String) }, ['is longer than 64 KiB']]

  for (const last of ['', Buffer.from('Caf\xe9', 'latin1')])
    for (const size of [1_000, 16_384, 65_536, 1_000_000]) {
      const told = read('ndjson', size, Buffer.concat([Buffer.from(body.join('')), Buffer.from(last)]))
      expect(told.slice(0, 3), `${size}`).toEqual([
        [1, whole],
        [2, longer],
        [3, whole],
      ])
    }
})

it.each(['ndjson', 'csv'] as const)(
  'lines that are many times 64 KiB together are no longer than they are each: %s',
  format => {
    const line = { ndjson: '{"name":"Max"}\n', csv: 'Max,1\r\n' }[format]
    const body = Buffer.from(`${format === 'csv' ? 'name,categoryId\r\n' : ''}${line.repeat(30_000)}`)

    for (const size of [1_000, 65_536, 1_000_000]) {
      const told = read(format, size, body) as [number, unknown][]
      expect(told.filter(([, pet]) => Array.isArray(pet))).toEqual([])
      expect(told).toHaveLength(30_000)
    }
  },
)
