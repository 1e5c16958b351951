import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readScreen, table } from '../../src/cli/print.ts'
import { runCommand } from '../support/command-line.ts'
import { findProgram, recordUse } from '../support/programs.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const run = promisify(execFile)
let app: App
let project: TestProject
let folder: string
const names = Array.from({ length: 230 }, (_, index) => `Pet number ${index}`)

beforeAll(async () => {
  app = await startApp()
  project = await app.makeProject({ plan: 'business' })
  const projectId = project.project.id
  await app.tools.db.pet.createMany({
    data: names.map(name => ({ projectId, name, categoryId: 9007199254740993n })),
  })
  folder = mkdtempSync(join(tmpdir(), 'animal-store-terminal-'))
  writeFileSync(
    join(folder, 'animal-store'),
    `#!/bin/sh\nexec ${process.execPath} ${resolve('src/cli/bin.js')} "$@"\n`,
    {
      mode: 0o755,
    },
  )
  mkdirSync(join(folder, 'home'))
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true })
})

const env = () => ({ ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: project.secret })

describe('the command line in a pipe', () => {
  it('ends quietly when nobody reads on', async () => {
    const command = `set -o pipefail; ${process.execPath} src/cli/bin.js pets list --all | head -n 2`
    const { stdout, stderr } = await run('bash', ['--norc', '-c', command], {
      env: { PATH: process.env.PATH, ...env() },
    })

    expect(stdout.split('\n')).toHaveLength(3)
    expect(stderr).toBe('')
  })

  it('gives every page, a line a pet, with every digit', async () => {
    const { output } = await runCommand(env(), ['pets', 'list', '--all', '--json'])
    const pets = output
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))

    expect(pets.map(pet => pet.name)).toEqual(names)
    expect(pets[0].categoryId).toBe('9007199254740993')
    expect((await runCommand(env(), ['pets', 'list', '--all'])).output.match(/^ID /gm)).toHaveLength(1)
  })

  it('tells programs what failed as data, in the words of the options', async () => {
    const wrong = await runCommand(env(), ['pets', 'list', '--limit', '1000', '--json'])
    const usage = await runCommand(env(), ['pets', 'list', '--limit', 'many', '--json'])
    const issued = await runCommand(env(), ['keys', 'issue', '', '--scopes', 'pets:read', '--json'])

    expect(wrong).toMatchObject({ exitCode: 2, output: '' })
    expect(JSON.parse(wrong.errors)).toMatchObject({ code: 'invalid_input', details: [{ field: '--limit' }] })
    expect(JSON.parse(usage.errors)).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('--limit'),
    })
    expect(JSON.parse(issued.errors)).toMatchObject({ code: 'invalid_input', details: [{ field: '<name>' }] })
  })

  it('spells scopes in data as one types them', async () => {
    const { output } = await runCommand(env(), [
      'keys',
      'issue',
      'x',
      '--scopes',
      'pets:read,project:read',
      '--json',
    ])

    expect(JSON.parse(output).apiKey.scopes).toEqual(['pets:read', 'project:read'])
  })

  it('says its version', async () => {
    expect((await runCommand({}, ['--version'])).output).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('a table on a screen', () => {
  const rows = [['12345678', 'A name that is rather long for such a narrow window', 'available']]

  it('fits, and cuts nothing that one would copy', () => {
    const text = table(['ID', 'NAME', 'STATUS'], rows, { columns: 40, colour: false })

    for (const line of text.split('\n')) expect([...line].length).toBeLessThanOrEqual(40)
    expect(text).toContain('12345678')
    expect(text).toContain('…')
  })

  it('has colours for a person alone, and none where that is asked for', () => {
    expect(readScreen({ isTTY: true, columns: 80 }, {})).toEqual({ columns: 80, colour: true })
    expect(readScreen({ isTTY: true, columns: 80 }, { NO_COLOR: '1' }).colour).toBe(false)
    expect(readScreen({}, {})).toEqual({ columns: Number.POSITIVE_INFINITY, colour: false })
    expect(table(['ID'], [['available']], { columns: 80, colour: true })).toContain('\u001b[32mavailable')
  })
})

describe.each(['bash', 'zsh', 'fish'])('completion in %s', shell => {
  const words = [
    'pets',
    'pets list',
    'keys re',
    'pets list --sta',
    'pets list --status ',
    'projects plan demo e',
  ]
  const expected = ['pets', 'list', 'rename', '--status', 'sold', 'enterprise']

  it.skipIf(!findProgram(shell))('offers commands, options and what they take', async () => {
    recordUse(shell)
    const offers = await Promise.all(words.map(word => complete(shell, `animal-store ${word}`)))

    offers.forEach((offer, index) => {
      expect(offer.split(/\s+/)).toContain(expected[index])
    })
  })
})

/** Asks each shell's own machinery what it would offer at the end of the line. */
async function complete(shell: string, line: string): Promise<string> {
  const { stdout: script } = await run(process.execPath, ['src/cli/bin.js', 'completion', shell])
  const parts = line.split(' ')
  const program: Record<string, string> = {
    bash: `${script}\nCOMP_WORDS=(${parts.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${parts.length - 1}; _animal_store; echo "\${COMPREPLY[@]}"`,
    zsh: `compdef() { :; }; compadd() { print -l -- "\${found[@]}"; }\n${script}\nwords=(${parts.map(word => `'${word}'`).join(' ')}); CURRENT=${parts.length}; _animal_store`,
    fish: `${script}\ncomplete --do-complete '${line}'`,
  }
  const child = spawn(shell, ['-c', program[shell] ?? ''], {
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: join(folder, 'home') },
  })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  await new Promise(ended => child.once('close', ended))
  return output
}
