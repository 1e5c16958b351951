import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'

describe.skipIf(!findProgram('postgres'))('the start of a process on PostgreSQL', () => {
  it('once a process listens, its first requests to /openapi.json, /reference and /graphql together take less than half the CPU time of the start', async () => {
    const { env } = await freshDatabase()
    const running = await startProcess({ ...env, WARM_UP: '1' })
    const isListening = () =>
      fetch(`${running.url}/livez`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isListening, { timeout: 30_000 }).toBe(true)
    const cpuSeconds = async () => {
      const metrics = await (await fetch(`${running.opsUrl}/metrics`)).text()
      return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1])
    }
    const ofStart = await cpuSeconds()
    const query = JSON.stringify({ query: '{ __schema { types { name fields { name } } } }' })
    const json = { 'content-type': 'application/json' }
    const asked = [
      await fetch(`${running.url}/openapi.json`),
      await fetch(`${running.url}/reference`),
      await fetch(`${running.url}/graphql`, { method: 'POST', headers: json, body: query }),
    ]

    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await cpuSeconds()) - ofStart).toBeLessThan(ofStart / 2)
    running.child.kill('SIGTERM')
    await running.ended
  })

  it('a ready process has loaded the libraries for the first tool call and passkey sign-in, but not the mail library', async () => {
    const { env } = await freshDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-loads-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const LOADS = join(folder, 'loads')
    const NODE_OPTIONS = `--import ${join(import.meta.dirname, '../support/note-loads.js')}`
    const running = await startProcess({
      ...env,
      LOADS,
      NODE_OPTIONS,
      OPERATOR_KEY: operatorKey,
      WARM_UP: '1',
    })
    await running.printed(answersAt)
    const send = (path: string, body: object, headers: object = {}) =>
      fetch(running.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const query = 'mutation { projectCreate(input: { slug: "warm-shop" }) { secret } }'
    const made = await send('/graphql', { query }, { authorization: `Bearer ${operatorKey}` })
    const { secret } = ((await made.json()) as { data: { projectCreate: { secret: string } } }).data
      .projectCreate
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_pets' } }
    const accept = 'application/json, text/event-stream'
    const before = readFileSync(LOADS, 'utf8')
    const asked = [
      await send('/mcp', call, { accept, authorization: `Bearer ${secret}` }),
      await send('/session/passkey/options', {}, { origin: running.url, 'sec-fetch-site': 'same-origin' }),
    ]

    expect(await Promise.all(asked.map(async answer => [answer.status, await answer.text()]))).toEqual([
      [200, expect.stringContaining('pets')],
      [200, expect.stringContaining('challenge')],
    ])
    expect(before).toContain('/@simplewebauthn/server/')
    expect(before).not.toContain('/nodemailer/')
    expect(readFileSync(LOADS, 'utf8').slice(before.length)).not.toMatch(/^file:/m)
    running.child.kill('SIGTERM')
    await running.ended
  })

  it('with WARM_UP=0 a process listens without a warm-up, and the first requests do the work of the warm-up', async () => {
    const { env } = await freshDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-loads-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const LOADS = join(folder, 'loads')
    const NODE_OPTIONS = `--import ${join(import.meta.dirname, '../support/note-loads.js')}`
    const running = await startProcess({ ...env, LOADS, NODE_OPTIONS, WARM_UP: '0' })
    await running.printed(answersAt)

    const before = readFileSync(LOADS, 'utf8')
    const { status } = await fetch(`${running.url}/reference`)

    expect(before).toContain('/src/serve.ts')
    expect(before).not.toMatch(
      /\/src\/reference\/pages\.ts|\/@simplewebauthn\/server\/|\/src\/graphql\/server\.ts/,
    )
    expect(status).toBe(200)
    expect(readFileSync(LOADS, 'utf8')).toContain('/src/reference/pages.ts')
    running.child.kill('SIGTERM')
    await running.ended
  })

  it('during the warm-up, SIGHUP does not end a process, and SIGTERM ends it with 0', async () => {
    const { env } = await freshDatabase()
    const NODE_OPTIONS = `--import ${join(import.meta.dirname, '../support/note-loads.js')}`
    const startWarming = async () => {
      const folder = mkdtempSync(join(tmpdir(), 'animal-store-loads-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const LOADS = join(folder, 'loads')
      writeFileSync(LOADS, '')
      const running = await startProcess({ ...env, LOADS, NODE_OPTIONS, WARM_UP: '1' })
      await expect
        .poll(() => readFileSync(LOADS, 'utf8'), { interval: 5, timeout: 30_000 })
        .toContain('/src/reference/pages.ts')
      return running
    }

    const told = await startWarming()
    told.child.kill('SIGHUP')
    await told.printed(answersAt)
    told.child.kill('SIGTERM')
    const stopped = await startWarming()
    stopped.child.kill('SIGTERM')

    expect(await told.ended).toBe(0)
    expect(await stopped.ended).toBe(0)
    expect(stopped.output()).not.toMatch(/answers at|Error/)
  })
})
