import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { addDomain, removeDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import { aMoment } from '../support/a-moment.ts'
import { ask } from '../support/ask.ts'
import { freshRedis } from '../support/databases.ts'
import {
  certificateState,
  makeDeployed,
  shakesHands,
  startPlatform,
  until,
  visit,
} from '../support/hosting.ts'
import { askByOpenssl } from '../support/openssl-client.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { isReady, startProcesses } from '../support/start-processes.ts'

const canRun =
  Boolean(inject('services').postgresUrl) && findProgram('redis-server') && findProgram('openssl')
const [name, removed] = ['www.processes.test', 'www.removed.processes.test']
// A process alone may take twenty seconds to start on busy cores.
vi.setConfig({ testTimeout: 240_000 })

it.runIf(canRun)(
  'PROCESSES=2 serves custom domains by HTTPS, also while SIGHUP replaces both processes',
  async () => {
    const platform = await startPlatform({ env: { DOMAIN_SUFFIXES: 'test' } })
    onTestFinished(() => platform.stop())
    const { tools } = platform.first
    const made = await makeDeployed(platform, 'enterprise')
    const limits = { requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 }
    await tools.db.project.update({ where: { id: made.project.id }, data: limits })
    platform.setRecords(`${name} CNAME ${made.target}`, `${removed} CNAME ${made.target}`)
    for (const domain of [name, removed]) {
      await addDomain(tools.db, tools.hosting, made.project, { name: domain })
      await verifyDomain(tools.db, tools.hosting, made.project, domain)
      tools.jobs.wake('domains')
      await until(
        () => certificateState(platform.first, domain),
        state => state === 'issued',
      )
    }
    const port = await freePort()
    const env = {
      DATABASE_URL: tools.config.databaseUrl ?? '',
      REDIS_URL: (await freshRedis()) ?? '',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      DNS_SERVERS: platform.dns.at,
      DOMAIN_SUFFIXES: 'test',
      HTTPS_PORT: String(port),
      DRAIN_SECONDS: '5',
    }
    const service = await startProcesses({ env, secret: made.secret })
    await expect.poll(() => isReady(service), { timeout: 60_000 }).toBe('2 of 2 ready')

    // New connections go to the two processes in turn, so the saved TLS session of one process is used at the other
    // process too.
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-sessions-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const version of ['tls1_2', 'tls1_3'] as const) {
      const save = join(folder, version)
      const first = await askByOpenssl({ port, name, version, save })
      expect(first.status).toBe(401)
      for (let times = 0; times < 4; times++)
        expect(await askByOpenssl({ port, name, version, resume: save })).toMatchObject({ status: 401 })
    }

    const { text: ca } = await ask(`${platform.first.url}/local-ca.pem`)
    const headers = { authorization: `Bearer ${made.secret}` }
    const answers: number[] = []
    let isOver = false
    async function keepAsking(agent?: Agent): Promise<void> {
      while (!isOver) {
        const { status } = await visit(`https://${name}/v1/pets?limit=1`, port, {
          ...{ ca, headers },
          ...(agent && { agent }),
        })
        answers.push(status)
        await aMoment()
      }
    }
    const kept = [1, 2, 3].map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
    const clients = Promise.all([...kept, undefined, undefined].map(keepAsking))
    service.child.kill('SIGHUP')
    await service.printed(/the processes were replaced/)
    isOver = true
    await clients
    for (const agent of kept) agent.destroy()
    expect(new Set(answers)).toEqual(new Set([200]))

    // The removal must reach both processes: afterwards no connection may go to a process that still serves the name.
    const isServed = async (domain: string) => {
      const socket = await shakesHands(domain, port)
      socket?.destroy()
      return socket !== null
    }
    expect(await isServed(removed)).toBe(true)
    await removeDomain(tools.db, tools.hosting, made.project, removed)
    const stillServed = async () => {
      const handshakes = await Promise.all([1, 2, 3, 4].map(() => isServed(removed)))
      return handshakes.filter(Boolean).length
    }
    await expect.poll(stillServed).toBe(0)
    expect(await isServed(name)).toBe(true)
  },
)
