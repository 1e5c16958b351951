import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addEndpoint } from '../../../src/core/events/endpoints.ts'
import type { Project } from '../../../src/core/project.ts'
import { makeSeal } from '../../../src/hosting/seal.ts'
import type { ClaimedSeal } from '../../../src/hosting/seal-claim.ts'
import { openWebhooks } from '../../../src/hosting/webhooks.ts'
import { deliverEvents } from '../../../src/jobs/deliver-events.ts'
import { startWorker } from '../../../src/jobs/worker.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { openLog } from '../../../src/tools/log.ts'
import { parseNetwork } from '../../../src/tools/networks.ts'
import { numberAll } from '../../support/events.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const own = prepareOwnDatabase()
const perProject = 20
const projects = 3

test.skipIf(!canRace())('an endpoint that hangs delays no other endpoint of any project', async () => {
  const arrived: string[] = []
  const hanging: ServerResponse[] = []
  const server = createServer((request, response) => {
    arrived.push(request.url ?? '')
    if (request.url === '/0/0') hanging.push(response)
    else response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const plain = makeSeal([randomBytes(32)])
  const seal = { ...plain, close: async (...secret: [string, string]) => plain.close(...secret) }
  const loopback = parseNetwork('127.0.0.0/8')
  const webhooks = openWebhooks(
    { databaseUrl: null, webhookNetworks: loopback ? [loopback] : [] },
    { database: own.database, clock: systemClock, seal: seal as unknown as ClaimedSeal },
  )
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const all: string[] = []
  for (let n = 0; n < projects; n++) {
    const project = (await own.makeProject()) as unknown as Project
    for (let m = 0; m < perProject; m++) {
      await addEndpoint(webhooks, project, { url: `${url}/${n}/${m}`, types: ['pet.created'] })
      all.push(`/${n}/${m}`)
    }
    await own.db.pet.create({ data: { projectId: project.id, name: 'Rex', categoryId: 1n } })
  }
  await numberAll(own)
  const worker = startWorker(
    { log: openLog('silent'), database: own.database },
    deliverEvents(webhooks, new Set()),
  )
  onTestFinished(() => worker.close())

  await expect.poll(() => new Set(arrived).size).toBe(all.length)

  // The first request still waits for its answer, so no delivery has waited for a timeout.
  expect(arrived.toSorted()).toEqual(all.toSorted())
  expect(hanging.map(({ destroyed }) => destroyed)).toEqual([false])
})
