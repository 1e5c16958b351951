import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { issueApiKey } from '../../src/core/keys/api-keys.ts'
import { toProject } from '../../src/core/project.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

const canRun = ['postgres', 'openssl'].every(findProgram)

/** Starts a receiver whose certificate the service trusts only because of NODE_EXTRA_CA_CERTS. */
async function startReceiver() {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-receiver-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [key, cert] = ['key.pem', 'cert.pem'].map(name => join(folder, name)) as [string, string]
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=receiver',
  ]
  execFileSync('openssl', [...made, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  const numbers: number[] = []
  const ids = new Map<number, Set<string>>()
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    let body = ''
    request.on('data', part => {
      body += part
    })
    request.on('end', () => {
      const { number, id } = JSON.parse(body) as { number: number; id: string }
      numbers.push(number)
      ids.set(number, (ids.get(number) ?? new Set()).add(id))
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, cert, numbers, ids }
}

test.skipIf(!canRun)(
  'no event is left out when the process that delivers it is killed, and the first sight of each is in order',
  async () => {
    const receiver = await startReceiver()
    const own = await freshDatabase()
    onTestFinished(own.remove)
    const database = await openDatabase({ databaseUrl: own.env.DATABASE_URL ?? '', dataDir: '' })
    onTestFinished(() => database.close())
    await database.migrated
    const { db } = database
    const env = {
      ...{
        DATABASE_URL: own.env.DATABASE_URL ?? '',
        LOG_LEVEL: 'silent',
        NODE_EXTRA_CA_CERTS: receiver.cert,
      },
      ...{ WEBHOOK_NETWORKS: '127.0.0.0/8', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
    }
    const start = async () => {
      const started = await startProcess(env)
      onTestFinished(() => void started.child.kill('SIGKILL'))
      await started.printed(answersAt)
      return started
    }
    const processes = await Promise.all([start(), start()])
    const row = await db.project.create({
      data: { slug: 'shop', name: 'Shop', planName: 'business' },
      include: { plan: true },
    })
    const scopes = ['webhooks:write'] as const
    const { secret } = await issueApiKey(db, systemClock, toProject(row), { name: 'hooks', scopes })
    const added = await fetch(`${processes[0]?.url}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url, types: ['pet.created'] }),
    })
    expect(added.status).toBe(201)

    let written = 0
    const write = async (count: number) => {
      for (let n = 0; n < count; n++, written++) {
        await db.pet.create({ data: { projectId: row.id, name: `Pet ${written}`, categoryId: 1n } })
      }
    }
    for (let round = 0; round < 2; round++) {
      await write(40)
      const before = receiver.numbers.length
      await expect.poll(() => receiver.numbers.length).toBeGreaterThan(before)
      // Whichever of the two delivers: one of the rounds kills it in the midst.
      processes[round]?.child.kill('SIGKILL')
      await write(40)
      processes[round] = await start()
    }
    await expect.poll(() => new Set(receiver.numbers).size, { timeout: 90_000, interval: 200 }).toBe(written)

    const firstSights = [...new Set(receiver.numbers)]
    // The project, its key and the endpoint have the numbers 1 to 3.
    expect(firstSights).toEqual(Array.from({ length: written }, (_, n) => n + 4))
    expect([...receiver.ids.values()].every(seen => seen.size === 1)).toBe(true)
  },
  180_000,
)
