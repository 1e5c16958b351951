import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { percentile } from '../../bench/latency.ts'
import { openLoop } from '../../bench/open-loop.ts'

const perSecond = 100
const interval = 1000 / perSecond
const stallMs = 300
/** A timer of node may fire a millisecond early. */
const tolerance = 2
const requests = Array.from({ length: 100 }, (_, n) => ({
  method: 'GET' as const,
  path: `/${n}`,
  headers: {},
}))

describe('the open loop of the bench', () => {
  // Use only two connections: on more connections, a later request could reach the server before the request that
  // begins the stall.
  test.each([2])(
    'if the server stalls, the bench includes the wait in the latency of every request due during the stall, on %d connections',
    async connections => {
      const first = 20
      await using server = await stallOnce(first)
      const { latencies, statuses } = await openLoop(requests, perSecond, { port: server.port, connections })
      expect(statuses).toEqual(new Map([[200, requests.length]]))
      expect(latencies).toHaveLength(requests.length)
      for (let late = 0; late < stallMs; late += interval) {
        expect(latencies[first + late / interval]).toBeGreaterThanOrEqual(stallMs - late - tolerance)
      }
      // Thirty of the hundred requests waited: the first for 300 ms, and the last for 10 ms.
      expect(percentile(latencies, 99)).toBeGreaterThanOrEqual(stallMs - interval - tolerance)
      expect(percentile(latencies, 85)).toBeGreaterThanOrEqual(stallMs / 2 - tolerance)
    },
  )

  test('the bench sends requests at a rate that does not depend on the answers', async () => {
    const seen: string[] = []
    const held: ServerResponse[] = []
    const server = createServer((message, response) => {
      seen.push(message.url ?? '')
      held.push(response)
      // No request is answered before all have arrived.
      if (seen.length === requests.length) for (const answer of held) answer.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { latencies } = await openLoop(requests, perSecond, { port, connections: requests.length })
    server.close()
    expect(latencies[0]).toBeGreaterThanOrEqual((requests.length - 1) * interval - tolerance)
    expect(seen.toSorted()).toEqual(requests.map(({ path }) => path).toSorted())
  })

  test('a percentile is the smallest latency that covers the given share of all requests', () => {
    const latencies = Array.from({ length: 1000 }, (_, n) => 1000 - n)
    expect([50, 99, 99.9, 100].map(share => percentile(latencies, share))).toEqual([500, 990, 999, 1000])
  })
})

/** Answers at once. From the request with this number on, holds all answers back for `stallMs`. */
async function stallOnce(first: number) {
  let end: Promise<void> | undefined
  const server = createServer(async (message, response) => {
    if (message.url === `/${first}`) end = new Promise(resolve => setTimeout(resolve, stallMs))
    await end
    response.end('done')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}
