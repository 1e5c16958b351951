import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { splitImport } from '../../clients/typescript/src/split-import.ts'
import { runCommand } from '../support/command-line.ts'
import { linesOf, manyPets } from '../support/import.ts'
import { runHere } from '../support/run-command.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let folder: string
beforeAll(async () => {
  app = await startApp()
  folder = mkdtempSync(join(tmpdir(), 'animal-store-import-'))
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true })
})

const envOf = ({ secret }: TestProject) => ({ ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: secret })
const pets = (store: TestProject, ...args: string[]) => runCommand(envOf(store), ['pets', ...args])
const total = async (store: TestProject) =>
  JSON.parse((await pets(store, 'inventory', '--json')).output).total

function fileOf(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

describe('pets import', () => {
  it('import adds the pets of a file in parts, in order', async () => {
    const store = await app.makeProject()
    const file = fileOf('many.ndjson', linesOf(manyPets(20_500)))

    const { output, errors, exitCode } = await pets(store, 'import', file, '--json')

    expect([exitCode, errors]).toEqual([0, ''])
    expect(JSON.parse(output)).toMatchObject({ imported: 20_500 })
    const names = (await store.get('/v1/pets/export')).text.split('\n').filter(Boolean)
    expect(names.map(line => JSON.parse(line).name)).toEqual(manyPets(20_500).map(({ name }) => name))
  })

  it('import reads the output of pets export, from a pipe or from a CSV file', async () => {
    const [from, to, last] = [await app.makeProject(), await app.makeProject(), await app.makeProject()]
    const odd = ['"', '""', ',', '=1+1', 'Zoë 🦊', ' "," ', "'"]
    for (const name of odd)
      await from.post('/v1/pets', { name: `x${name}x`, categoryId: '-9223372036854775808' })
    const animalStore = `${process.execPath} src/cli/bin.js`
    const command = `${animalStore} --key ${from.secret} pets export --format csv | ${animalStore} pets import --format csv -`

    const { stdout } = await promisify(execFile)('bash', ['-c', command], {
      env: { PATH: process.env.PATH, HOME: '/nonexistent', ...envOf(to) },
    })
    const csv = (await to.get('/v1/pets/export?format=csv')).text
    const again = await pets(last, 'import', fileOf('exported.CSV', csv))

    expect([stdout, again.output]).toEqual(Array(2).fill(`${odd.length} pets are imported.\n`))
    const withoutIds = (text: string) => text.replace(/^\d+/gm, '')
    const first = (await from.get('/v1/pets/export?format=csv')).text
    expect([csv, (await last.get('/v1/pets/export?format=csv')).text].map(withoutIds)).toEqual(
      Array(2).fill(withoutIds(first)),
    )
  })

  it('import at a terminal reads a named pipe once, and shows its progress without a total', async () => {
    const store = await app.makeProject()
    const pipe = join(folder, 'pipe.ndjson')
    execFileSync('mkfifo', [pipe])
    const { isTTY } = process.stderr
    process.stderr.isTTY = true
    onTestFinished(() => {
      process.stderr.isTTY = isTTY
    })

    const [imported] = await Promise.all([
      runHere(envOf(store), ['pets', 'import', pipe]),
      writeFile(pipe, linesOf(manyPets(2))),
    ])

    expect([imported.exitCode, imported.output]).toEqual([0, '2 pets are imported.\n'])
    // If the import takes more than a second, the line also has the pace.
    expect(imported.errors).toMatch(/\r2 pets(, \d+ a second)? imported …/)
  })

  it('import numbers faulty lines from the beginning of the file, and an import that continues with --from adds no pet twice', async () => {
    const store = await app.makeProject()
    const lines = ['name,categoryId', ...manyPets(12_000).map(({ name }) => `"${name}\n",1`)]
    const text = lines.join('\r\n')
    lines[11_000] = 'Max,x'
    const broken = fileOf('broken.csv', lines.join('\r\n'))

    const failed = await pets(store, 'import', broken, '--json')
    const added = await total(store)
    const { code, message, details } = JSON.parse(failed.errors)
    const [, line = '', key = ''] = /go on with --from (\d+) --idempotency-key (\S+)/.exec(message) ?? []
    const mended = fileOf('mended.csv', text)
    const wentOn = await pets(store, 'import', mended, '--from', line, '--idempotency-key', key)
    const repeated = await pets(store, 'import', mended, '--from', line, '--idempotency-key', key)

    expect([failed.exitCode, code, added]).toEqual([2, 'invalid_input', 10_000])
    // Line 1 is the header, and each of the 10,999 pets before the faulty pet takes two lines. So the faulty pet is at
    // line 22,000.
    expect(details).toEqual([{ line: 2 * 11_000, field: 'categoryId', message: expect.any(String) }])
    expect([line, wentOn.exitCode, repeated.exitCode]).toEqual(['20002', 0, 0])
    expect([wentOn.output, repeated.output]).toEqual(Array(2).fill('2000 pets are imported.\n'))
    expect(await total(store)).toBe(12_000)
  })

  it.each<[string, string[], number]>([
    ['name,categoryId\n\nRex,abc\n', [], 3],
    ['\nname,categoryId\r\n\r\n\nRex,1\n\nAda,abc\n', [], 7],
    ['\nname,categoryId\r\n\r\n\nRex,1\n\nAda,abc\n', ['--from', '6'], 7],
    ['name,categoryId,"notes\nof ours"\nRex,1,\nAda,abc,\n', [], 4],
    ['\n\nname\nRex\n', [], 3],
  ])('import counts every line around and inside the header: %j with %j', async (text, args, line) => {
    const file = fileOf('lines.csv', text)

    const command = ['pets', 'import', file, ...args, '--json']
    const { errors } = await runHere(envOf(await app.makeProject()), command)

    expect(JSON.parse(errors).details).toEqual([{ line, field: 'categoryId', message: expect.any(String) }])
  })

  it.each([
    ['with CR as line end', 'name,categoryId\rA,1\rB,2\r', ['categoryId']],
    ['with only an unknown header', '\nfoo,bar\n', ['name', 'categoryId']],
  ])('a CSV file %s is refused with the line of its header', async (_what, text, fields) => {
    const store = await app.makeProject()

    const refused = await runHere(envOf(store), ['pets', 'import', fileOf('odd.csv', text), '--json'])

    expect(refused.exitCode).toBe(2)
    const line = text.startsWith('\n') ? 2 : 1
    expect(JSON.parse(refused.errors).details).toMatchObject(fields.map(field => ({ line, field })))
  })

  it('import reports faulty lines and a missing file, and says how to continue after the daily limit', async () => {
    const poor = await app.makeProject({ perMinute: 1_000, perDay: 120 })
    const file = fileOf('large.ndjson', linesOf(manyPets(15_000)))
    const faulty = fileOf('faulty.ndjson', '{"name":"Max"}\n\n[]\n')

    const limited = await pets(poor, 'import', file)
    const refused = await pets(await app.makeProject(), 'import', faulty)
    const missing = await pets(poor, 'import', join(folder, 'nowhere.csv'))

    expect(limited.exitCode).toBe(5)
    expect(limited.errors).toMatch(
      /10000 pets are imported; go on with --from 10001 --idempotency-key \S+\n$/,
    )
    expect(refused.exitCode).toBe(2)
    expect(refused.errors).toMatch(
      /^These lines are faulty, so no pet of their batch was added:\n {2}line 1: categoryId must be .+\n {2}line 3: it must be a JSON object\n0 pets/,
    )
    expect([missing.exitCode, missing.errors]).toEqual([2, expect.stringMatching(/cannot be read: ENOENT/)])
  })
})

describe('pets list and inventory', () => {
  it('pets list finds pets by name and category, newest first, and pets inventory counts pets by status', async () => {
    const store = await app.makeProject()
    for (const [name, categoryId] of [
      ['Max', 1],
      ['Maxine', 1],
      ['Rex', 1],
      ['Max', 2],
    ])
      await store.post('/v1/pets', { name, categoryId, status: 'sold' })

    const found = await pets(store, 'list', '--name', 'mAX', '--category', '1', '--sort', '-id', '--json')
    const counted = await pets(store, 'inventory')

    const names = JSON.parse(found.output).items.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['Maxine', 'Max'])
    expect(counted.output).toMatch(/^STATUS +PETS\navailable +0\npending +0\nsold +4\nunset +0\ntotal +4\n$/)
    expect((await pets(store, 'list', '--sort', 'name')).exitCode).toBe(2)
  })
})

describe('a file split into parts', () => {
  async function* inPieces(text: string, size: number) {
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }

  const record = `"${'x'.repeat(998)}\n",1\n`

  it.each([7_001, 1 << 18])(
    'an import read in chunks of %i is split between records, into parts within the limits of records and bytes',
    async size => {
      const text = `name,categoryId\n${record.repeat(11_000)}${'Rex,1\n'.repeat(12_000)}`

      const parts = []
      for await (const { line, records, bytes } of splitImport(inPieces(text, size), 'csv', 1)) {
        expect(Buffer.from(bytes.subarray(0, 16)).toString()).toBe('name,categoryId\n')
        parts.push([line, records, bytes.length <= 10_000_000])
      }

      const whole = Math.floor((10_000_000 - 16) / record.length)
      expect(parts).toEqual([
        [2, whole, true],
        [2 + 2 * whole, 10_000, true],
        [2 + 22_000 + (10_000 - (11_000 - whole)), 12_000 - (10_000 - (11_000 - whole)), true],
      ])
    },
  )

  it('an import ends a record with an unclosed quote at 64 KiB, exactly where the service ends the record', async () => {
    const text = `name,categoryId\n"${'xxxxxxxxx\n'.repeat(8_000)}`

    const parts = []
    for await (const part of splitImport(inPieces(text, 1 << 20), 'csv', 1)) parts.push(part)

    // The service ends a record as soon as the characters of the record, counted without line feeds, exceed 64 KiB
    // (65,536). The opening quote and 7,281 lines of nine characters are 65,530 characters. The next line makes 65,539
    // characters, so the first record ends after 7,282 lines. Each of the remaining lines is a record.
    expect(parts.map(({ line, records, bytes }) => [line, records, bytes.length])).toEqual([
      [2, 1 + 8_000 - 7_282, text.length],
    ])
  })
})
