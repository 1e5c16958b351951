import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { standIn } from '../support/stand-in.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'animal-store-stop-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** Starts the command, and sends it a signal, by default that of Ctrl-C, once the service is holding a request. */
async function stopWhile(
  held: Promise<void>,
  url: string,
  args: string[],
  signal: NodeJS.Signals = 'SIGINT',
  input = '',
) {
  const env = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    ANIMAL_STORE_URL: url,
    ANIMAL_STORE_KEY: 'as_x',
  }
  const child = spawn(process.execPath, ['src/cli/bin.js', ...args], {
    env,
    stdio: 'pipe',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.write(input)
  const errors = text(child.stderr)
  await held
  child.kill(signal)
  const [exitCode] = await once(child, 'exit')
  return { exitCode, errors: await errors }
}

it('Ctrl-C stops an import, and the command says how to continue', async () => {
  const file = join(folder(), 'pets.ndjson')
  writeFileSync(file, '{"name":"Rex","categoryId":7}\n'.repeat(10_001))
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  let imports = 0
  const url = await standIn(async (request, response) => {
    await text(request)
    if (++imports > 1) return hold()
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end('{"imported":10000,"firstId":1,"lastId":10000}')
  })

  const { exitCode, errors } = await stopWhile(held, url, ['pets', 'import', file])

  expect(exitCode).toBe(1)
  expect(errors).toMatch(
    /^Stopped\. 10000 pets are imported; go on with --from 10001 --idempotency-key \S+\n$/,
  )
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
    const { exitCode, errors } = await stopWhile(held, url, args, 'SIGTERM', input)

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
    const { exitCode, errors } = await stopWhile(held, url, ['pets', 'export', file], signal)

    expect([exitCode, errors]).toEqual([1, `Stopped: ${file} is not written.\n`])
    expect(readdirSync(path)).toEqual([])
  },
)
