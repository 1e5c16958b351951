import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NameServer, startNameServer } from '../support/dns-server.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

let folder: string
let dns: NameServer
let service: Running
let ports: { http: number; https: number }

/** The service as it starts with no database and no authority, in a folder of its own. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-walk-'))
  dns = await startNameServer()
  ports = { http: await freePort(), https: await freePort() }
  const env = {
    PORT: String(ports.http),
    HTTPS_PORT: String(ports.https),
    DNS_SERVERS: dns.at,
    DOMAIN_SUFFIXES: 'test',
    DATA_DIR: folder,
  }
  service = await startProcess(env)
  await service.printed(answersAt)
})
afterAll(async () => {
  service?.child.kill('SIGTERM')
  await service?.ended
  await dns?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the walk through custom domains in the documentation works as it is written', async ({ skip }) => {
  if (!findProgram('curl') || !findProgram('bash')) return skip('curl or bash is not installed')
  const text = readFileSync('docs/domains.md', 'utf8')
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands ?? '')
  const watching = setInterval(() => dns.setZone(readZone()), 100)

  const output = await runInFolder(
    blocks.join('\n').replaceAll(':4000', `:${ports.http}`).replaceAll(':4443', `:${ports.https}`),
  )
  clearInterval(watching)

  expect(output).toMatch(/www\.shop\.test +CNAME +www +demo\.animals\.localhost +3600/)
  expect(output).toMatch(/www\.shop\.test +live +issued/)
  expect(output).toContain('<h1>Demo store</h1>')
  expect(output).toContain(`308 https://www.shop.test:${ports.https}/v1/pets?limit=3`)
  expect(output).toContain(`301 https://www.shop.test:${ports.https}/v1/pets?status=sold`)
  expect(output).toContain('"code":"misdirected_host"')
  expect(output).toContain('The handshake is refused.')
}, 120_000)

function readZone(): string[] {
  try {
    return readFileSync(join(folder, 'practice.zone'), 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

function runInFolder(script: string): Promise<string> {
  const command = `npx() { shift; "${process.execPath}" "${process.cwd()}/src/cli/bin.js" "$@"; }\n`
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
