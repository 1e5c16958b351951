// Sends requests at a fixed rate, whether or not earlier ones were answered, and measures each from the time it was
// due. Therefore a stall of the server adds to the latency of every request that waited. Other tools hide a stall.
// autocannon sends a connection's next request only after the previous answer, and only estimates the latencies of the
// requests that it should have sent in between. k6 drops requests when it falls behind. wrk2 does not hide stalls, but
// Debian has no package of it.
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import type { Request } from './clients.ts'
import { openPool, toWire } from './wire.ts'

export type Target = { port: number; connections: number }
/**
 * `latencies` are in milliseconds, in the order of the requests. `longestDelay` is the longest time in milliseconds by
 * which this process sent a request late.
 */
export type Answers = { latencies: Float64Array; statuses: Map<number, number>; longestDelay: number }

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Sends `requests` in order, `perSecond` of them a second, and waits for all answers. */
export async function openLoop(requests: Request[], perSecond: number, target: Target): Promise<Answers> {
  const latencies = new Float64Array(requests.length)
  const statuses = new Map<number, number>()
  let longestDelay = 0
  // A request that finds no free connection waits for one. Its latency includes the wait.
  const pool = openPool(target.port, target.connections)
  const texts = prepare(requests, target)
  const clock = new Worker(new URL('open-loop-clock.ts', import.meta.url))
  await once(clock, 'online')
  // Collect garbage now. A full garbage collection of this process would delay requests, and would look like a stall of
  // the server.
  collectGarbage()
  const interval = 1000 / perSecond
  const start = now() + 20
  clock.postMessage({ start, interval, count: requests.length })
  try {
    await new Promise<void>((resolve, reject) => {
      let answered = 0
      clock.once('error', reject)
      clock.on('message', (index: number) => {
        longestDelay = Math.max(longestDelay, now() - (start + index * interval))
        ask(index).then(() => {
          answered++
          if (answered === requests.length) resolve()
        }, reject)
      })
    })
  } finally {
    pool.close()
    await clock.terminate()
  }
  return { latencies, statuses, longestDelay }

  async function ask(index: number): Promise<void> {
    const status = await pool.send(texts[index] as Buffer)
    latencies[index] = now() - (start + index * interval)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
}

/**
 * For `seconds` seconds, each connection sends its next request as soon as the previous one is answered. Returns the
 * number of answers by status.
 */
export async function closedLoop(
  requests: Request[],
  seconds: number,
  target: Target,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  const pool = openPool(target.port, target.connections)
  const waiting = prepare(requests, target).values()
  const end = now() + seconds * 1000
  const connection = async () => {
    for (const next of waiting) {
      const status = await pool.send(next)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (now() >= end) return
    }
  }
  try {
    await Promise.all(Array.from({ length: target.connections }, connection))
  } finally {
    pool.close()
  }
  return statuses
}

/** Builds all requests before the first one is sent, so that building them delays none. */
const prepare = (requests: Request[], { port }: Target) =>
  requests.map(request => Buffer.from(toWire(request, port)))

/** A clock in milliseconds that all threads share. */
const now = () => Number(process.hrtime.bigint()) / 1e6
