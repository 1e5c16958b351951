import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  createWriteStream,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { readInput } from '../../src/cli/input-file.ts'
import { standIn } from '../support/stand-in.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'animal-store-stop-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

type Stop = { signal?: NodeJS.Signals; input?: string; nodeArgs?: string[]; isToGroup?: boolean }

/** Starts the command, and sends it a signal, by default that of Ctrl-C, once the service is holding a request. */
async function stopWhile(
  held: Promise<void>,
  url: string,
  args: string[],
  { signal = 'SIGINT', input = '', nodeArgs = [], isToGroup = false }: Stop = {},
) {
  const env = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    ANIMAL_STORE_URL: url,
    ANIMAL_STORE_KEY: 'as_x',
  }
  const child = spawn(process.execPath, [...nodeArgs, 'src/cli/bin.js', ...args], {
    env,
    stdio: 'pipe',
    detached: true,
  })
  const pid = child.pid ?? Number.NaN
  let isOver = false
  // The negative number names the process group.
  onTestFinished(() => void (isOver || process.kill(-pid, 'SIGKILL')))
  child.stdin.write(input)
  const errors = text(child.stderr)
  await held
  process.kill(isToGroup ? -pid : pid, signal)
  const [exitCode] = await once(child, 'exit')
  isOver = true
  return { exitCode, errors: await errors }
}

/** Answers the first request as an import of 10,000 pets, and calls `hold` when it holds the second request. */
const holdSecondImport = (hold: () => void) => {
  let imports = 0
  return standIn(async (request, response) => {
    await text(request)
    if (++imports > 1) return hold()
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end('{"imported":10000,"firstId":1,"lastId":10000}')
  })
}

it('Ctrl-C stops an import, and the command says how to continue', async () => {
  const file = join(folder(), 'pets.ndjson')
  writeFileSync(file, '{"name":"Rex","categoryId":7}\n'.repeat(10_001))
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const url = await holdSecondImport(hold)

  const { exitCode, errors } = await stopWhile(held, url, ['pets', 'import', file])

  expect(exitCode).toBe(1)
  expect(errors).toMatch(
    /^Stopped\. 10000 pets are imported; go on with --from 10001 --idempotency-key \S+\n$/,
  )
})

it.each([
  ['SIGTERM', 'the command'],
  ['SIGHUP', 'the command'],
  ['SIGTERM', 'its process group'],
] as const)(
  'under an old Node.js, %s to %s stops an import too, and the command says how to continue',
  async (signal, receiver) => {
    const file = join(folder(), 'pets.ndjson')
    writeFileSync(file, '{"name":"Rex","categoryId":7}\n'.repeat(10_001))
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const url = await holdSecondImport(hold)
    const versions = `{ value: { ...process.versions, node: '22.17.0' } }`
    const old = `data:text/javascript,Object.defineProperty(process, 'versions', ${versions})`

    const { exitCode, errors } = await stopWhile(held, url, ['pets', 'import', file], {
      signal,
      nodeArgs: ['--import', old],
      isToGroup: receiver === 'its process group',
    })

    expect(exitCode).toBe(1)
    expect(errors).toMatch(/^Stopped\. 10000 pets are imported; go on with --from 10001 /)
  },
)

it.each(['SIGTERM', 'SIGHUP'] as const)(
  'a second %s does not end a command that still tidies up',
  async signal => {
    const script = `
    import { once } from 'node:events'
    import { stoppable } from './src/cli/stop-signal.ts'
    const input = once(process.stdin, 'data')
    await stoppable(async signal => {
      console.log('started')
      await once(signal, 'abort')
      console.log('stopping')
      await input
      console.log('tidied up')
    })
    process.exit()`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'pipe' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const printed: string[] = []
    for await (const line of createInterface(child.stdout)) {
      printed.push(line)
      if (line !== 'tidied up') child.kill(signal)
      if (line === 'stopping') child.stdin.write('go on')
    }

    expect(printed).toEqual(['started', 'stopping', 'tidied up'])
  },
)

it('a stop also ends the wait for a named pipe that no program writes yet', async () => {
  const pipe = join(folder(), 'pets')
  execFileSync('mkfifo', [pipe])
  // If the wait did not end, it would block a thread of this process.
  onTestFinished(() => closeSync(openSync(pipe, 'r+')))
  const stop = new AbortController()
  const reading = readInput(pipe, stop.signal).next()

  stop.abort()

  await expect(reading).rejects.toThrow('cannot be read: ABORT_ERR')
})

it.each(['the standard input', 'a named pipe'])(
  'a signal stops an import that waits for more data from %s, and the command says how to continue',
  async source => {
    const pets = `name,categoryId\n${'Rex,7\n'.repeat(10_002)}`
    const pipe = join(folder(), 'pets')
    const [file, input] = source === 'a named pipe' ? [pipe, ''] : ['-', pets]
    execFileSync('mkfifo', [pipe])
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const url = await standIn(async (request, response) => {
      await text(request)
      response.writeHead(201, { 'content-type': 'application/json' })
      response.end('{"imported":10000,"firstId":1,"lastId":10000}', hold)
    })
    if (file === pipe) createWriteStream(pipe).write(pets)

    const args = ['pets', 'import', file, '--format', 'csv', '--idempotency-key', 'my import']
    const { exitCode, errors } = await stopWhile(held, url, args, { signal: 'SIGTERM', input })

    expect(exitCode).toBe(1)
    const [, imported, line] =
      /^Stopped\. (\d+) pets are imported; go on with --from (\d+) --idempotency-key 'my import' --format csv\n$/.exec(
        errors,
      ) ?? []
    // The signal may come before or after the command has read the answer.
    expect([
      [0, 2],
      [10_000, 10_002],
    ]).toContainEqual([Number(imported), Number(line)])
  },
)

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s stops an export and leaves no incomplete file',
  async signal => {
    const path = folder()
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const url = await standIn((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      response.write('id,name,categoryId,status\r\n', () => setTimeout(hold, 200))
    })

    const file = join(path, 'pets.csv')
    const { exitCode, errors } = await stopWhile(held, url, ['pets', 'export', file], { signal })

    expect([exitCode, errors]).toEqual([1, `Stopped: ${file} is not written.\n`])
    expect(readdirSync(path)).toEqual([])
  },
)
