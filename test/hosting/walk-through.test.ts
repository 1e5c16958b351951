import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshFolder } from '../support/databases.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

let folder: string
let service: Running
let ports: { http: number; https: number }

/** Starts the service without an authority, and with its own embedded database instead of PostgreSQL. */
beforeAll(async () => {
  folder = (await freshFolder()).env.DATA_DIR
  ports = { http: await freePort(), https: await freePort() }
  const env = {
    PORT: String(ports.http),
    HTTPS_PORT: String(ports.https),
    DATA_DIR: folder,
    // In practice mode the suffix `localhost` is added to the configured ones.
    DOMAIN_SUFFIXES: 'test',
  }
  service = await startProcess(env, 'start.js', { args: ['--practice'], cwd: folder })
  await service.printed(answersAt)
})
afterAll(async () => {
  service?.child.kill('SIGTERM')
  await service?.ended
  rmSync(folder, { recursive: true, force: true })
})

test('the walk through custom domains in the documentation works as written', async ({ skip }) => {
  if (!findProgram('curl') || !findProgram('bash')) return skip('curl or bash is not installed')
  const text = readFileSync('docs/domains.md', 'utf8')
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands ?? '')

  const output = await runInFolder(
    blocks.join('\n').replaceAll(':4000', `:${ports.http}`).replaceAll(':4443', `:${ports.https}`),
  )

  expect(output).toMatch(/www\.shop\.localhost +CNAME +www +demo\.animals\.localhost +3600/)
  expect(output).toContain('conflict     www.shop.localhost A 93.184.215.7')
  expect(output).toContain('exit code 7')
  expect(output).toMatch(/www\.shop\.localhost +live +issued/)
  expect(output).toContain('<h1>Demo store</h1>')
  expect(output).toContain(`308 https://www.shop.localhost:${ports.https}/v1/pets?limit=3`)
  expect(output).toMatch(/\ntoys\.localhost +live +issued +301 to www\.toys\.localhost/)
  expect(output).toContain(`301 https://www.toys.localhost:${ports.https}/v1/pets?status=sold`)
  expect(output).toContain('ownership_required')
  expect(output).toContain('exit code 8')
  expect(output).toMatch(/\nshop\.localhost +live +issued/)
  expect(output).toContain('"code":"misdirected_host"')
  expect(output).toContain('The handshake is refused.')
}, 120_000)

function runInFolder(script: string): Promise<string> {
  const command = `npx() { shift; "${process.execPath}" "${process.cwd()}/src/cli/bin.js" "$@"; }\nnode() { "${process.execPath}" "$@"; }\n`
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: folder,
    ANIMAL_STORE_URL: service.url.replace('127.0.0.1', 'localhost'),
  }
  return new Promise(resolve => {
    execFile('bash', ['-c', command + script], { cwd: folder, env }, (_error, output, errors) =>
      resolve(output + errors),
    )
  })
}
