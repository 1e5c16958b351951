import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { freePort } from '../support/programs.ts'
import { standIn } from '../support/stand-in.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-studio-command-'))
  addProgram('prisma', 'echo "url $DATABASE_URL$DATABASE_DIRECT_URL"; exit 3')
  // A stand-in for vite, so that nothing is built.
  addProgram('vite')
  addProgram('xdg-open')
})
beforeEach(() => rmSync(join(folder, 'started'), { force: true }))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a program that records how it was started. */
function addProgram(name: string, end = 'exit 0'): void {
  writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${folder}/started\n${end}\n`)
  chmodSync(join(folder, name), 0o755)
}

/** Returns the recorded starts, except those of builds. */
const started = () =>
  existsSync(join(folder, 'started'))
    ? readFileSync(join(folder, 'started'), 'utf8').replace(/^vite build .*\n/gm, '')
    : ''

/** Runs `npm run studio` in a new folder, with only these programs on the PATH. */
function open(env: Record<string, string>, args: string[] = []) {
  return new Promise<{ code: number; output: string; errors: string }>(done =>
    execFile(
      process.execPath,
      [resolve('src/studio/open.ts'), ...args],
      { cwd: folder, env: { PATH: folder, ...env } },
      (error, output, errors) => done({ code: Number(error?.code ?? 0), output, errors }),
    ),
  )
}

it('on PostgreSQL the studio command runs Prisma’s own command with the given options, and ends with the exit code of that command', async () => {
  const { code } = await open({ DATABASE_URL: 'postgres://user@localhost/store' }, ['--port', '5555'])

  expect([code, started()]).toEqual([3, 'prisma studio --port 5555\n'])
})

it('the studio command gives Prisma’s command the address in DATABASE_URL_FILE, and not the one for migrations', async () => {
  const file = join(folder, 'url')
  writeFileSync(file, 'postgres://app@localhost/store\n')

  const { output } = await open({
    DATABASE_URL_FILE: file,
    DATABASE_DIRECT_URL: 'postgres://owner@localhost/store',
  })

  expect(output).toBe('url postgres://app@localhost/store\n')
})

it('without Prisma’s command the studio command says how to get it', async () => {
  const env = { DATABASE_URL: 'postgres://user@localhost/store', PATH: '/nonexistent' }

  expect(await open(env)).toEqual({
    ...{ code: 1, output: '' },
    errors: 'prisma, one of the devDependencies, is missing. Install it with npm ci --include=dev.\n',
  })
})

it('an invalid setting of the studio command is refused with a sentence', async () => {
  const { code, errors } = await open({ PORT: 'many' })

  expect([code, errors]).toEqual([1, expect.stringMatching(/^[^\n]*PORT[^\n]*\n$/)])
})

it('on the embedded database the studio command needs a service that answers on the configured port', async () => {
  const port = await freePort()
  const away = await standIn((_, response) => response.writeHead(503).end())

  const [nobody, unwell] = [await open({ PORT: String(port) }), await open({ PORT: new URL(away).port })]

  for (const [at, { code, errors }] of [
    [port, nobody],
    [new URL(away).port, unwell],
  ] as const)
    expect([code, errors]).toEqual([
      1,
      `Nothing answers on port ${at}. Run npm start first: Prisma Studio reads the embedded database through the running service.\n`,
    ])
  expect(started()).toBe('')
})

it('if the service runs, the studio command prints its Studio address and opens it in the browser', async () => {
  const urls: (string | undefined)[] = []
  const { port } = new URL(
    await standIn(({ url }, response) => {
      urls.push(url)
      response.end()
    }),
  )
  const url = `http://localhost:${port}/studio/`
  // The port may also be set in the file .env.
  writeFileSync(join(folder, '.env'), `PORT=${port}\n`)

  const { code, output } = await open({})

  expect([code, urls]).toEqual([0, ['/livez']])
  expect(output).toContain(
    `Prisma Studio is at ${url}, and asks for the operator key (credentials.json in the data folder).\n`,
  )
  await expect.poll(started).toBe(`xdg-open ${url}\n`)
  rmSync(join(folder, 'xdg-open'))
  expect((await open({})).code).toBe(0)
  rmSync(join(folder, '.env'))
})
