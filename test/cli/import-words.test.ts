import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { splitImport } from '../../clients/typescript/src/split-import.ts'
import { linesOf, manyPets } from '../support/import.ts'
import { runHere, type StubAnswer } from '../support/run-command.ts'
import { standIn } from '../support/stand-in.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-import-'))
  return () => rmSync(folder, { recursive: true })
})

/** Runs the command against a store that gives these answers. Also returns the parts that the command sent. */
async function importWithAnswers(name: string, content: string, args: string[], answers: StubAnswer[]) {
  const parts: unknown[] = []
  const url = await standIn(async (request, response) => {
    const bytes = await text(request.pipe(createGunzip()))
    const { json, status = 200 } = answers[parts.length] ?? { status: 500 }
    parts.push(partOf(request, bytes))
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(json))
  })
  const file = join(folder, name)
  writeFileSync(file, content)
  const env = { ANIMAL_STORE_URL: url, ANIMAL_STORE_KEY: 'as_key' }
  return { ...(await runHere(env, ['pets', 'import', file, ...args])), parts, file }
}
const partOf = ({ headers }: IncomingMessage, bytes: string) => ({
  type: headers['content-type'],
  key: headers['idempotency-key'],
  encoding: headers['content-encoding'],
  bytes,
})
const imported = (count: number, firstId = 1) => ({
  json: { imported: count, firstId, lastId: firstId + count - 1 },
})
const refused = (details: object[], status = 422): StubAnswer => ({
  status,
  json: { code: 'invalid_input', message: 'It is faulty.', details },
})
const fault = (line: number, field = 'name') => ({ line, field, message: 'must be shorter' })

describe('pets import', () => {
  it.each([
    ['a.csv', [], 'text/csv'],
    ['a.CSV', [], 'text/csv'],
    ['csv', [], 'application/x-ndjson'],
    ['a.json', [], 'application/x-ndjson'],
    ['a.csv', ['--format', 'ndjson'], 'application/x-ndjson'],
    ['a.json', ['--format', 'csv'], 'text/csv'],
  ])('an import of the file %s with the options %j is sent as %s', async (name, args, type) => {
    const { exitCode, output, parts } = await importWithAnswers(name, 'one\ntwo\n', args, [imported(1)])

    expect([exitCode, output]).toEqual([0, '1 pet is imported.\n'])
    expect(parts).toMatchObject([{ type: expect.stringContaining(type) }])
  })

  it('the idempotency key of an import part ends with the number of its first line, and the output sums the counts of the parts', async () => {
    const content = linesOf(manyPets(20_001))

    const answers = [imported(10_000, 1), imported(10_000, 20_001), imported(1, 40_001)]
    const { output, parts } = await importWithAnswers(
      'a.ndjson',
      content,
      ['--idempotency-key', 'k', '--json'],
      answers,
    )

    expect(parts.map(part => (part as { key: string }).key)).toEqual(['"k 1"', '"k 10001"', '"k 20001"'])
    expect(JSON.parse(output)).toEqual({ imported: 20_001, firstId: '1', lastId: '40001' })
  })

  it('an import sends its parts compressed, because a slow line must send each within ten seconds', async () => {
    const content = linesOf(manyPets(10_000))

    const { exitCode, parts } = await importWithAnswers('a.ndjson', content, [], [imported(10_000)])

    expect(exitCode).toBe(0)
    expect(parts).toMatchObject([{ encoding: 'gzip', bytes: content }])
  })

  it('an import without pets succeeds', async () => {
    const header = 'name,categoryId\n'
    const nothing = await importWithAnswers('a.csv', header, [], [{ json: { imported: 0 } }])
    const asData = await importWithAnswers('a.csv', '', ['--json'], [])

    expect([nothing.exitCode, nothing.output]).toEqual([0, '0 pets are imported.\n'])
    expect(JSON.parse(asData.output)).toEqual({ imported: 0 })
  })

  it.each([
    [20, ''],
    [21, '\n  and 1 more'],
    [25, '\n  and 5 more'],
  ])(
    'an import with %i faulty lines shows twenty of them, and the number of the others',
    async (count, more) => {
      const details = Array.from({ length: count }, (_, index) => fault(index + 1))
      const content = linesOf(manyPets(30))

      const ended = await importWithAnswers(
        'a.ndjson',
        content,
        ['--idempotency-key', 'k'],
        [refused(details)],
      )
      const asData = await importWithAnswers('a.ndjson', content, ['--json'], [refused(details)])

      const shown = details.slice(0, 20).map(({ line }) => `\n  line ${line}: name must be shorter`)
      expect([ended.exitCode, ended.errors]).toEqual([
        2,
        `These lines are faulty, so no pet of their batch was added:${shown.join('')}${more}\n` +
          '0 pets are imported; go on with --from 1 --idempotency-key k\n',
      ])
      expect(JSON.parse(asData.errors)).toMatchObject({ code: 'invalid_input', details })
    },
  )

  it.each([
    ['a.csv', [], [1, 2, 3], [1, 2, 3], 2],
    ['a.csv', ['--from', '4'], [1, 2, 3], [1, 4, 5], 4],
    ['a.ndjson', ['--from', '4'], [1, 2], [4, 5], 4],
  ])(
    'an import numbers faulty lines from the beginning of the whole file: %s with %j',
    async (name, args, lines, ended, from) => {
      const content = ['head', 'one', 'two', 'three', 'four', 'five'].map(line => `${line}\n`).join('')

      const answer = refused(lines.map(line => fault(line)))
      const { errors } = await importWithAnswers(name, content, [...args, '--json'], [answer])

      const { details, message } = JSON.parse(errors)
      expect(details.map(({ line }: { line: number }) => line)).toEqual(ended)
      expect(message).toContain(`go on with --from ${from} --idempotency-key `)
    },
  )

  it('an import that should begin at line 0 is refused, because lines begin at 1', async () => {
    const { exitCode, errors } = await importWithAnswers('a.ndjson', '{}\n', ['--from', '0'], [])

    expect([exitCode, errors]).toEqual([2, expect.stringContaining('The first line is line 1.')])
  })

  it('if a refusal names no lines, an import shows the message of the service', async () => {
    const args = ['--idempotency-key', 'k']
    const { exitCode, errors } = await importWithAnswers('a.ndjson', '{}\n', args, [refused([], 403)])

    expect([exitCode, errors]).toEqual([
      3,
      'It is faulty. 0 pets are imported; go on with --from 1 --idempotency-key k\n',
    ])
  })
})

describe('a file split into parts', () => {
  async function* inPieces(text: string, size = 1 << 16) {
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  async function cut(text: string, format: 'csv' | 'ndjson', from = 1, size?: number) {
    const parts = []
    for await (const { line, records, bytes, header } of splitImport(inPieces(text, size), format, from))
      parts.push({ line, records, bytes: bytes.length, header, text: Buffer.from(bytes).toString() })
    return parts
  }
  const sizes = (parts: { line: number; records: number; bytes: number }[]) =>
    parts.map(({ line, records, bytes }) => [line, records, bytes])

  it('a part of an import has at most ten thousand records', async () => {
    expect(sizes(await cut('{}\n'.repeat(10_000), 'ndjson'))).toEqual([[1, 10_000, 30_000]])
    expect(sizes(await cut('{}\n'.repeat(10_001), 'ndjson'))).toEqual([
      [1, 10_000, 30_000],
      [10_001, 1, 3],
    ])
    expect(sizes(await cut(`h\n${'a\n'.repeat(10_001)}`, 'csv'))).toEqual([
      [2, 10_000, 20_002],
      [10_002, 1, 4],
    ])
  })

  it('a part of an import omits empty lines before its first record, and the line numbers still count these lines', async () => {
    const many = 'a\n'.repeat(10_001)

    expect(sizes(await cut(`\n\r\nh\n${many}`, 'csv'))).toEqual([
      [4, 10_000, 20_002],
      [10_004, 1, 4],
    ])
    expect(sizes(await cut('\n{}\n\n{}\n', 'ndjson'))).toEqual([[2, 2, 7]])
    expect(await cut('\n\n', 'ndjson')).toEqual([])
  })

  it('a part of an import has at most ten million bytes, including the header line of CSV', async () => {
    const half = `${'x'.repeat(4_999_999)}\n`
    const [less, more] = [half.slice(2), `x${half}`]

    expect(sizes(await cut(half + half, 'ndjson'))).toEqual([[1, 2, 10_000_000]])
    expect(sizes(await cut(half + more, 'ndjson'))).toEqual([
      [1, 1, 5_000_000],
      [2, 1, 5_000_001],
    ])
    expect(sizes(await cut(`h\n${half.repeat(3)}`, 'csv'))).toEqual(
      [2, 3, 4].map(line => [line, 1, 5_000_002]),
    )
    expect(sizes(await cut(`h\n${half}${less}`, 'csv'))).toEqual([[2, 2, 10_000_000]])
    expect(sizes(await cut(`h\n${half}${half.slice(1)}`, 'csv'))).toEqual([
      [2, 1, 5_000_002],
      [3, 1, 5_000_001],
    ])
  })

  it('the chunk size does not change the records of an import, even with empty lines and quoted line breaks', async () => {
    const csv = 'name,categoryId\r\n"a\n\nb",1\r\n\r\n \n"c""\nd",2\ne,3'
    const json = '{"a":1}\n\n  \n{"b":"\\"\\n"}\n"\n{}'

    for (const size of [1, 3, 1_000]) {
      expect(await cut(csv, 'csv', 1, size)).toEqual([
        { line: 2, records: 3, bytes: csv.length, header: { line: 1, lines: 1 }, text: csv },
      ])
      expect(await cut(json, 'ndjson', 1, size)).toEqual([
        { line: 1, records: 5, bytes: json.length, header: null, text: json },
      ])
    }
  })

  it('the first part of an import begins with the first record at or after the given line', async () => {
    const csv = 'h\na\n"b\nb"\nc\n'

    expect(await cut(csv, 'csv', 3)).toMatchObject([{ line: 3, records: 2, text: 'h\n"b\nb"\nc\n' }])
    expect(await cut(csv, 'csv', 4)).toMatchObject([{ line: 5, records: 1, text: 'h\nc\n' }])
    expect(await cut('1\n2\n3\n', 'ndjson', 2)).toMatchObject([{ line: 2, records: 2, text: '2\n3\n' }])
    expect(await cut('1\n2\n3\n', 'ndjson', 4)).toEqual([])
  })

  it('a CSV file without records to import is one part with only its header, because only the service validates headers', async () => {
    expect(await cut('\nh\n', 'csv', 1)).toMatchObject([{ records: 0, text: 'h\n', header: { line: 2 } }])
    expect(await cut('h\na\n', 'csv', 9)).toMatchObject([{ records: 0, text: 'h\n', header: { line: 1 } }])
    expect(await cut('\n', 'csv', 1)).toEqual([])
  })

  it('if a single line exceeds the byte limit of an import part, the part ends after the first chunk that exceeds the limit', async () => {
    const parts = await cut('x'.repeat(25_000_000), 'ndjson', 1, 1 << 20)

    const [first = { bytes: 0 }] = parts
    expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(25_000_000)
    expect(first.bytes).toBeGreaterThan(10_000_000)
    expect(first.bytes).toBeLessThanOrEqual(10_000_000 + (1 << 20))
  })
})
