import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runHere, runWithAnswers } from '../support/run-command.ts'
import { standIn } from '../support/stand-in.ts'

const pets = '{"id":1,"name":"Rex","categoryId":7}\n'
const headers = { 'content-type': 'application/x-ndjson; charset=utf-8' }
const exportTo = (file: string) => runWithAnswers(['pets', 'export', file], [{ text: pets, headers }])

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-export-'))
  return () => rmSync(folder, { recursive: true })
})

describe('an export to a named pipe', () => {
  let pipe: string
  beforeEach(() => {
    pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
  })

  it('an export to a named pipe reaches its reader and leaves the pipe in place', async () => {
    const [{ exitCode, errors }, text] = await Promise.all([exportTo(pipe), readFile(pipe, 'utf8')])

    expect([exitCode, errors, text]).toEqual([0, '', pets])
    expect([readdirSync(folder), lstatSync(pipe).isFIFO()]).toEqual([['pipe'], true])
  })

  it('an export to a named pipe that loses its connection leaves the pipe in place, and reports incomplete output', async () => {
    const broken = await standIn((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-length': 100 })
      response.write(pets, () => response.destroy())
    })
    const env = { ANIMAL_STORE_URL: broken, ANIMAL_STORE_KEY: 'as_key' }

    const [{ exitCode, errors }] = await Promise.all([
      runHere(env, ['pets', 'export', pipe]),
      readFile(pipe, 'utf8'),
    ])

    expect([exitCode, errors]).toEqual([1, `Connection lost: ${pipe} is incomplete.\n`])
    expect([readdirSync(folder), lstatSync(pipe).isFIFO()]).toEqual([['pipe'], true])
  })
})

describe('an export to a file', () => {
  it('an export through a symbolic link replaces the linked file and leaves the link', async () => {
    mkdirSync(join(folder, 'linked'))
    const [link, linked] = [join(folder, 'link.ndjson'), join(folder, 'linked/pets.ndjson')]
    writeFileSync(linked, 'old')
    symlinkSync('linked/pets.ndjson', link)

    const { exitCode } = await exportTo(link)

    expect([exitCode, lstatSync(link).isSymbolicLink(), readFileSync(linked, 'utf8')]).toEqual([
      0,
      true,
      pets,
    ])
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
      'link.ndjson',
      'linked',
      'linked/pets.ndjson',
    ])
  })

  it.each(['text/html', 'application/json'])(
    'an export of pets or of the audit log leaves the old file unchanged if another server answers with the media type %s',
    async type => {
      const file = join(folder, 'pets.csv')
      writeFileSync(file, 'old')
      const page = { text: '{"page":"Please sign in"}', headers: { 'content-type': type } }

      for (const args of [
        ['pets', 'export', file],
        ['activity', '--export', file],
      ]) {
        const { exitCode, errors } = await runWithAnswers(args, [page])

        expect([exitCode, errors]).toEqual([1, "The answer with status 200 is not the store's.\n"])
      }
      expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['pets.csv'], 'old'])
    },
  )

  it.each(['600', '666'])(
    'an export that replaces a file keeps the permissions of that file: %s',
    async permissions => {
      const mode = Number.parseInt(permissions, 8)
      const file = join(folder, 'pets.ndjson')
      writeFileSync(file, 'old')
      chmodSync(file, mode)

      const { exitCode } = await exportTo(file)

      expect([exitCode, readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([0, pets, mode])
    },
  )

  it('an export leaves the temporary file of another process alone', async () => {
    const file = join(folder, 'pets.ndjson')
    writeFileSync(`${file}.part`, 'half')

    const { exitCode } = await exportTo(file)

    expect([exitCode, readFileSync(`${file}.part`, 'utf8')]).toEqual([0, 'half'])
    expect(readdirSync(folder).sort()).toEqual(['pets.ndjson', 'pets.ndjson.part'])
  })

  it('an export to a path whose parent is a file is refused', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')

    const { exitCode, errors } = await exportTo(join(file, 'pets.ndjson'))

    expect([exitCode, errors]).toEqual([2, `${join(file, 'pets.ndjson')} cannot be written: ENOTDIR.\n`])
  })

  it('an export to a folder is refused', async () => {
    const { exitCode, errors } = await exportTo(folder)

    expect([exitCode, errors]).toEqual([2, `${folder} cannot be written: EISDIR.\n`])
    expect(readdirSync(folder)).toEqual([])
  })
})
