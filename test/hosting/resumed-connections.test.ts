import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { addDomain, removeDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import type { Project } from '../../src/core/project.ts'
import {
  certificateState,
  makeDeployed,
  type Platform,
  shakesHands,
  startPlatform,
  until,
} from '../support/hosting.ts'
import { askByOpenssl } from '../support/openssl-client.ts'
import { findProgram, freePort, recordUse, startProgram } from '../support/programs.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

const [one, other] = ['www.resumed.test', 'www.beside-resumed.test']
const canRun = Boolean(inject('services').postgresUrl) && findProgram('openssl') !== null
const versions = ['tls1_2', 'tls1_3'] as const

describe.skipIf(!canRun)('clients that offer a saved TLS session', () => {
  let platform: Platform
  let second: Running
  let project: Project
  let opsPort: number
  const ports: number[] = []
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-sessions-'))

  beforeAll(async () => {
    platform = await startPlatform({ env: { DOMAIN_SUFFIXES: 'test' } })
    const { tools, httpsPort } = platform.first
    const { db, hosting, jobs, config } = tools
    const made = await makeDeployed(platform, 'business')
    project = made.project
    platform.setRecords(`${one} CNAME ${made.target}`, `${other} CNAME ${made.target}`)
    for (const name of [one, other]) {
      await addDomain(db, hosting, made.project, { name })
      await verifyDomain(db, hosting, made.project, name)
    }
    jobs.wake('domains')
    for (const name of [one, other]) {
      await until(
        () => certificateState(platform.first, name),
        state => state === 'issued',
      )
    }
    const secondPort = await freePort()
    opsPort = await freePort()
    second = await startProcess({
      DATABASE_URL: config.databaseUrl ?? '',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      DNS_SERVERS: platform.dns.at,
      HTTPS_PORT: String(secondPort),
      OPS_PORT: String(opsPort),
      DOMAIN_SUFFIXES: 'test',
    })
    await second.printed(answersAt)
    ports.push(httpsPort, secondPort)
  })
  afterAll(async () => {
    second?.child.kill('SIGKILL')
    await second?.ended
    await platform?.stop()
    rmSync(folder, { recursive: true })
  })

  const nameIn = (certificate: string | null) =>
    certificate && new X509Certificate(certificate).subjectAltName

  describe.each(versions)('a client that uses %s', version => {
    it('a client with a saved TLS session gets a full handshake and an answer in each of four tries at each process', async () => {
      for (const from of ports) {
        const save = join(folder, `${version}-${from}`)
        const first = await askByOpenssl({ port: from, name: one, version, save })
        expect(first).toMatchObject({ resumed: false, status: 401 })

        for (const port of ports) {
          for (let times = 0; times < 4; times++) {
            const answer = await askByOpenssl({ port, name: one, version, resume: save })
            expect(answer).toMatchObject({ resumed: false, status: 401 })
            expect(nameIn(answer.certificate)).toBe(`DNS:${one}`)
          }
        }
      }
    })

    it('a client with a saved TLS session gets the certificate of another served host if it asks for that host', async () => {
      const [port = 0] = ports
      const save = join(folder, `${version}-other`)
      await askByOpenssl({ port, name: one, version, save })

      for (let times = 0; times < 4; times++) {
        const answer = await askByOpenssl({ port, name: other, version, resume: save })
        expect(answer).toMatchObject({ resumed: false, status: 401 })
        expect(nameIn(answer.certificate)).toBe(`DNS:${other}`)
      }
    })

    it('a client with a saved TLS session gets an alert if it asks for a host that is not served', async () => {
      const [port = 0] = ports
      const save = join(folder, `${version}-unserved`)
      await askByOpenssl({ port, name: one, version, save })

      for (let times = 0; times < 4; times++) {
        const answer = await askByOpenssl({ port, name: 'www.unserved.test', version, resume: save })
        expect(answer).toMatchObject({ resumed: false, status: null, alert: 'unrecognized name' })
      }
    })
  })

  it.skipIf(!findProgram('haproxy'))(
    'HAProxy with TLS 1.2 and a connection for each request loses none of 1,000 requests',
    async () => {
      recordUse('haproxy')
      const [port, file] = [await freePort(), join(folder, 'haproxy.cfg')]
      const servers = ports.map(
        (to, i) =>
          `  server store-${i} 127.0.0.1:${to} ssl verify none sni str(${one}) force-tlsv12 check-sni ${one}\n`,
      )
      writeFileSync(
        file,
        `defaults
  mode http
  timeout connect 10s
  timeout client 30s
  timeout server 30s
  retries 0
  option http-server-close
  http-reuse never
listen domain
  bind 127.0.0.1:${port}
  http-request set-header Host ${one}
${servers.join('')}`,
      )
      const url = `http://127.0.0.1:${port}/v1/pets`
      const free = { method: 'OPTIONS' }
      const haproxy = await startProgram({
        command: 'haproxy',
        args: ['-db', '-f', file],
        answers: () => fetch(url, free),
      })

      const statuses: Record<number, number> = {}
      const ask = async () => {
        for (let times = 0; times < 250; times++) {
          const { status, ok, body } = await fetch(url, free)
          await body?.cancel()
          statuses[ok ? 200 : status] = (statuses[ok ? 200 : status] ?? 0) + 1
        }
      }
      await Promise.all([ask(), ask(), ask(), ask()])
      await haproxy.stop()

      expect(statuses).toEqual({ 200: 1_000 })
    },
    120_000,
  )

  it('a connection whose domain is removed is closed, counted and logged', async () => {
    const { db, hosting } = platform.first.tools
    const closed = async () => {
      const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
      return Number(/^animal_store_tls_connections_closed_total (\d+)/m.exec(text)?.[1])
    }
    const before = await closed()
    const [, secondPort = 0] = ports
    const sockets = [await shakesHands(other, secondPort), await shakesHands(other, secondPort)]

    await removeDomain(db, hosting, project, other)

    for (const socket of sockets) await expect.poll(() => socket?.destroyed, { timeout: 10_000 }).toBe(true)
    const [line] = await second.printed(/^.*TLS connections closed.*$/m)
    expect(JSON.parse(line)).toMatchObject({ name: other, connections: 2 })
    expect((await closed()) - before).toBe(2)
  })
})
