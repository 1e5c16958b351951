import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { exitCodeOf } from '../../src/cli/exit.ts'
import { withOptionNames } from '../../src/cli/option-names.ts'
import { readScreen, table } from '../../src/cli/print.ts'
import { statusOf } from '../../src/http/errors.ts'
import { runCommand } from '../support/command-line.ts'
import { findProgram, recordUse } from '../support/programs.ts'
import { endlessExport, standIn } from '../support/stand-in.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const run = promisify(execFile)
const python = findProgram('python3')
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
const envOf = (url: string) => ({ ANIMAL_STORE_URL: url, ANIMAL_STORE_KEY: 'as_key' })

describe('the command line in a pipe', () => {
  it('the command ends without an error message when the reader of its pipe closes the pipe', async () => {
    const command = `set -o pipefail; ${process.execPath} src/cli/bin.js pets list --all | head -n 2`
    const { stdout, stderr } = await run('bash', ['--norc', '-c', command], {
      env: { PATH: process.env.PATH, ...env() },
    })

    expect(stdout.split('\n')).toHaveLength(3)
    expect(stderr).toBe('')
  })

  it.runIf(existsSync('/dev/full'))('the command reports that its output cannot be written', async () => {
    const listTo = async (redirection: string, ...args: string[]) => {
      const command = `${process.execPath} src/cli/bin.js pets list ${args.join(' ')} ${redirection}`
      const started = run('bash', ['--norc', '-c', command], { env: { PATH: process.env.PATH, ...env() } })
      return started.catch(({ code, stderr }) => [code, stderr])
    }
    const message = 'The output cannot be written: ENOSPC.'

    expect(await listTo('> /dev/full')).toEqual([1, `${message}\n`])
    const [code, errors] = (await listTo('> /dev/full', '--json')) as [number, string]
    expect([code, JSON.parse(errors)]).toEqual([1, { code: 'failed', message, details: [] }])
    expect(await listTo('> /dev/full 2> /dev/full')).toEqual([1, ''])
    expect(await listTo('2> /dev/full', '--limit', '0')).toEqual([2, ''])
  })

  it('the command reports that a full disk has taken only a part of its output', async () => {
    const file = join(folder, 'page.json')
    // `ulimit -f` limits the size of a file that the command writes, as a full disk does.
    const listTo = (...args: string[]) =>
      run(
        'bash',
        ['--norc', '-c', 'ulimit -f 1 && exec "$0" src/cli/bin.js "$@" > "$FILE"', process.execPath, ...args],
        { env: { PATH: process.env.PATH, FILE: file, ...env() } },
      ).catch(({ code, stderr }) => [code, stderr])
    const lines = [['pets', 'list', '--json'], ['pets', 'list', '--all'], ['pets', 'export'], ['--help']]

    for (const line of lines) {
      expect([line, await listTo(...line)]).toEqual([line, [1, expect.stringContaining('EFBIG')]])
      expect(statSync(file).size).toBe(1_024)
    }
  })

  it('two commands append their output to one file', async () => {
    const file = join(folder, 'both.txt')
    const line =
      '"$0" src/cli/bin.js --version >> "$FILE"; "$0" src/cli/bin.js pets list --limit 2 --json >> "$FILE"'

    await run('bash', ['--norc', '-c', line, process.execPath], {
      env: { PATH: process.env.PATH, FILE: file, ...env() },
    })

    const [version, ...page] = readFileSync(file, 'utf8').split('\n')
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(JSON.parse(page.join('\n')).items).toHaveLength(2)
  })

  it('pets list --all prints one pet per line over all pages, with every digit of its numbers', async () => {
    const { output } = await runCommand(env(), ['pets', 'list', '--all', '--json'])
    const pets = output
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))

    expect(pets.map(pet => pet.name)).toEqual(names)
    expect(pets[0].categoryId).toBe('9007199254740993')
    expect((await runCommand(env(), ['pets', 'list', '--all'])).output.match(/^ID /gm)).toHaveLength(1)
  })

  it('with --json an error is JSON that names the faulty option or argument', async () => {
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

  it('keys issue --json spells the scopes as the option --scopes does', async () => {
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

  it('the command requests no further page for a stalled reader, and ends when the reader closes the pipe', async () => {
    let pages = 0
    const pet = { id: 1, name: 'x'.repeat(200), categoryId: 1 }
    const endless = await standIn((_, response) => {
      pages++
      const next = `<${endless}/v1/pets?cursor=${pages}>; rel="next"`
      response.writeHead(200, { 'content-type': 'application/json', link: next })
      response.end(JSON.stringify(Array.from({ length: 100 }, () => pet)))
    })
    const command = spawn(process.execPath, ['src/cli/bin.js', 'pets', 'list', '--all', '--json'], {
      env: { PATH: process.env.PATH, HOME: '/nonexistent', ...envOf(endless) },
    })
    onTestFinished(() => void command.kill())
    const ended = once(command, 'exit')

    let [before, now] = [0, 0]
    const isStill = () => {
      ;[before, now] = [now, pages]
      return now > 0 && now === before
    }
    await expect.poll(isStill, { interval: 1_000, timeout: 30_000 }).toBe(true)
    expect(pages).toBeLessThan(30)
    command.stdout.destroy()

    expect(await ended).toEqual([0, null])
  })

  it('pets export pauses while its reader is slow, instead of buffering millions of pets', async () => {
    const endless = await endlessExport()
    const command = spawn(process.execPath, ['src/cli/bin.js', 'pets', 'export'], {
      env: { PATH: process.env.PATH, HOME: '/nonexistent', ...envOf(endless.url) },
    })
    onTestFinished(() => void command.kill())

    await expect.poll(endless.isStill, { interval: 500, timeout: 30_000 }).toBe(true)
    const made = endless.made()
    expect(made).toBeLessThan(32e6)
    command.stdout.resume()

    await expect.poll(endless.made).toBeGreaterThan(made + 32e6)
  })

  it('an import waits up to five minutes per part for the limit to reset', async () => {
    const inSeconds = (seconds: number) =>
      standIn((request, response) => {
        request.resume().on('end', () => {
          response.writeHead(429, { 'content-type': 'application/json', 'retry-after': `${seconds}` })
          response.end(JSON.stringify({ code: 'rate_limited', message: 'Too many requests.' }))
          answered.push(seconds)
        })
      })
    const answered: number[] = []
    const file = join(folder, 'patient.csv')
    writeFileSync(file, 'name,categoryId\nRex,1\n')
    const run = async (seconds: number) => {
      const env = { PATH: process.env.PATH, HOME: '/nonexistent', ...envOf(await inSeconds(seconds)) }
      const command = spawn(process.execPath, ['src/cli/bin.js', 'pets', 'import', file], { env })
      onTestFinished(() => void command.kill())
      return command
    }

    const patient = await run(290)
    await expect.poll(() => answered).toEqual([290])
    const refused = await run(310)

    expect(await once(refused, 'exit')).toEqual([5, null])
    expect(patient.exitCode).toBeNull()
  })

  it('a list with --all waits up to two minutes per page for the limit to reset, and otherwise says how to continue', async () => {
    const answered: number[] = []
    const listWith = async (seconds: number) => {
      const limited = await standIn((request, response) => {
        const headers = { 'content-type': 'application/json' }
        if (!request.url?.includes('cursor=')) {
          response.writeHead(200, { ...headers, link: '</v1/pets?cursor=abc>; rel="next"' })
          return response.end('[{"id":1,"name":"Rex","categoryId":1}]')
        }
        response.writeHead(429, { ...headers, 'retry-after': `${seconds}` })
        response.end('{"code":"rate_limited","message":"Too many requests."}')
        answered.push(seconds)
      })
      const args = ['src/cli/bin.js', 'pets', 'list', '--all', '--json']
      const command = spawn(process.execPath, args, {
        env: { PATH: process.env.PATH, HOME: '/nonexistent', ...envOf(limited) },
      })
      onTestFinished(() => void command.kill())
      return command
    }

    const patient = await listWith(110)
    await expect.poll(() => answered).toEqual([110])
    const refused = await listWith(130)
    const errors = text(refused.stderr)

    expect(await once(refused, 'exit')).toEqual([5, null])
    expect(JSON.parse(await errors)).toEqual({
      ...{ code: 'rate_limited', details: [] },
      message: 'Too many requests. Go on with --all --after abc',
    })
    expect(patient.exitCode).toBeNull()
  })

  it('the command reports an export that broke off', async () => {
    const broken = await standIn((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-length': 100 })
      response.write('{"id":1}\n', () => response.destroy())
    })

    expect(await runCommand(envOf(broken), ['pets', 'export'])).toEqual({
      exitCode: 1,
      output: '{"id":1}\n',
      errors: 'The answer ended early, so the output is incomplete.\n',
    })
  })

  it('the command prints its version', async () => {
    expect((await runCommand({}, ['--version'])).output).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('the command line at a terminal', () => {
  it.skipIf(!python)('a question must be answered with yes before anything is removed', async () => {
    recordUse('python3')
    const { json } = await project.get('/v1/pets?limit=1')
    const [{ id }] = json as [{ id: bigint }]
    const remove = (answer: string) =>
      runAtTerminal(['pets', 'remove', `${id}`], 'Go on? [y/N]', `${answer}\n`, env())
    const count = () => app.tools.db.pet.count({ where: { id } })

    for (const answer of ['', 'n', 'yikes']) {
      expect(await remove(answer)).toMatchObject({
        exitCode: 1,
        screen: expect.stringContaining('Nothing was changed.'),
      })
    }
    expect(await count()).toBe(1)
    expect(await remove('Y')).toMatchObject({
      exitCode: 0,
      screen: expect.stringContaining(`Pet ${id} is gone.`),
    })
    expect(await count()).toBe(0)
    // The command accepts this answer and sends the request, but the pet was deleted already.
    expect((await remove(' yes ')).exitCode).toBe(4)
    await app.tools.db.pet.create({
      data: { id, projectId: project.project.id, name: names[0] ?? '', categoryId: 9007199254740993n },
    })
  })

  it.skipIf(!python)(
    'Ctrl-C and Ctrl-D at a question change nothing, and end the command with a plain message',
    async () => {
      for (const sign of ['\u0003', '\u0004']) {
        const [remove, login] = await Promise.all([
          runAtTerminal(['pets', 'remove', '1'], 'Go on? [y/N]', sign, { ...env(), TERM: 'xterm' }),
          runAtTerminal(['login', '--with-key', '--url', app.url], 'API key for', sign, { TERM: 'xterm' }),
        ])

        expect([remove.exitCode, remove.screen]).toEqual([
          1,
          expect.stringMatching(/\r\nNothing was changed\.\r\n$/),
        ])
        expect([login.exitCode, login.screen]).toEqual([
          2,
          expect.stringMatching(/\r\nNo key was given\.\r\n$/),
        ])
      }
    },
  )

  it.skipIf(!python)('an import shows its progress on one line, which is erased at the end', async () => {
    const file = join(folder, 'two.csv')
    writeFileSync(file, 'name,categoryId\nRex,1\nAda,1\n')
    const { secret } = await app.makeProject()
    const rich = { ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: secret }

    const { exitCode, screen } = await runAtTerminal(['pets', 'import', file], 'no question', '', rich)

    const clear = '\u001b[K'
    // If the import takes more than a second, the line also has the pace.
    expect([exitCode, screen.replace(/, \d+ a second/, '')]).toEqual([
      0,
      `\r2 of 2 pets imported …${clear}\r${clear}2 pets are imported.\r\n`,
    ])
  })

  it.skipIf(!python)('login does not show a key that is typed at the prompt', async () => {
    const home = { HOME: join(folder, 'home') }
    const typed = `${project.secret}\n`
    const login = await runAtTerminal(['login', '--with-key', '--url', app.url], 'API key for', typed, home)

    expect(login).toMatchObject({ exitCode: 0, screen: expect.stringContaining('Signed in') })
    expect(login.screen).not.toContain(project.secret)
    expect((await runCommand(home, ['pets', 'list'])).exitCode).toBe(0)
  })
})

it('an error message replaces a field name by an option name only if the field name is a whole word', () => {
  const details = [{ field: 'name', message: 'name must be shorter' }]

  expect(
    withOptionNames('input.name and filename, names and name.first stay; name must be shorter', details),
  ).toEqual({
    message: 'input.name and filename, names and name.first stay; <name> must be shorter',
    details: [{ field: '<name>', message: '<name> must be shorter' }],
  })
})

it('each error code of the store leads to the exit code for its kind of error', () => {
  const codes = Object.keys(statusOf) as (keyof typeof statusOf)[]
  const ending = (exitCode: number) => codes.filter(code => exitCodeOf(statusOf[code]) === exitCode)

  expect(ending(0)).toEqual([])
  expect(ending(2)).toEqual([
    ...[
      'invalid_input',
      'malformed_request',
      'operation_too_complex',
      'body_too_large',
      'idempotency_mismatch',
    ],
  ])
  expect(ending(3).sort()).toEqual(
    ['unauthorized', 'insufficient_scope', 'plan_required', 'project_suspended', 'foreign_origin'].sort(),
  )
  expect(ending(4).sort()).toEqual(
    [...codes.filter(code => code.endsWith('not_found')), 'gone', 'event_expired'].sort(),
  )
  expect(ending(5)).toEqual(['rate_limited', 'verify_too_soon', 'too_many_orders', 'key_banned'])
  expect(ending(6)).toEqual([...codes.filter(code => statusOf[code] === 409), 'precondition_failed'])
})

describe('a table on a screen', () => {
  const rows = [['12345678', 'A name that is rather long for such a narrow window', 'available']]

  it('a table fits the screen, and never cuts a value that people copy', () => {
    const text = table(['ID', 'NAME', 'STATUS'], rows, { columns: 40, colour: false })

    for (const line of text.split('\n')) expect([...line].length).toBeLessThanOrEqual(40)
    expect(text).toContain('12345678')
    expect(text).toContain('…')
  })

  it.each([
    'ID',
    'KEY',
    'DOMAIN',
    'DEPLOY',
    'PROJECT',
    'ORDER',
    'PET',
    'CATEGORY',
    'REFERENCE',
    'RECORD NAME',
    'VALUE',
    'PROFILE',
    'SERVICE',
  ])('a table never shortens the column %s', heading => {
    const word = '_animal-store.www-or-9007199254740993'

    expect(table([heading, 'NAME'], [[word, 'Biscuit']], { columns: 20, colour: false })).toContain(word)
  })

  it('a table has colours only on a terminal, and none if they are disabled', () => {
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

  it.skipIf(!findProgram(shell))(
    'the shell completes commands, options, and the values of options and arguments',
    async () => {
      recordUse(shell)
      const offers = await Promise.all(words.map(word => complete(shell, `animal-store ${word}`)))

      offers.forEach((offer, index) => {
        expect(offer.split(/\s+/)).toContain(expected[index])
      })
    },
  )
})

/** Runs the command in a terminal, and types each answer when its question appears. */
async function runAtTerminal(args: string[], prompt: string, answer: string, env: Record<string, string>) {
  const spawnInTerminal = 'import os,pty,sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
  const child = spawn(String(python), ['-c', spawnInTerminal, process.execPath, 'src/cli/bin.js', ...args], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', TERM: 'dumb', ...env },
  })
  let screen = ''
  child.stdout.on('data', chunk => {
    const isNew = !screen.includes(prompt)
    screen += chunk
    if (isNew && screen.includes(prompt)) child.stdin.write(answer)
  })
  const [exitCode] = await once(child, 'close')
  return { exitCode, screen }
}

/** Lets a shell complete the end of the line, and returns its candidates. */
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
