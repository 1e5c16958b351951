import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { residentMegabytes } from '../account.ts'
import { median } from '../median.ts'
import type { EventsGround, Shop } from './ground.ts'
import { until } from './until.ts'

export type StreamsFound = {
  streams: number
  kilobytesEach: number
  /**
   * Milliseconds from the commit of a change until its event has reached half of the streams, and until it has reached
   * all of them.
   */
  medianMs: number
  lastMs: number
  /**
   * The p99 of the time that a list of pets takes: `alone` while no stream is open, `open` while the streams are open,
   * and `told` while the streams receive five events a second.
   */
  listMs: { alone: number; open: number; told: number }
}

const streams = 2_000
/** The most streams that one key may open. */
const ofAKey = 100
const told = 10
const lists = 1_000

export async function measureStreams(ground: EventsGround): Promise<StreamsFound> {
  const shop = await ground.addShop(streams / ofAKey)
  const other = await ground.addShop()
  await ground.addPet(other, 20)
  await listP99(ground, other)
  const alone = await listP99(ground, other)
  const before = residentMegabytes(ground.served.pid)
  const arrived: number[] = []
  const open = await openStreams(ground.served.port, shop.keys, ofAKey, () => arrived.push(performance.now()))
  const kilobytesEach = ((residentMegabytes(ground.served.pid) - before) * 1024) / streams
  const medians: number[] = []
  const lasts: number[] = []
  for (let n = 0; n < told; n++) {
    arrived.length = 0
    await ground.addPet(shop)
    const committedAt = performance.now()
    await until(() => arrived.length >= streams, 'An event in all streams')
    medians.push(median(arrived) - committedAt)
    lasts.push(Math.max(...arrived) - committedAt)
  }
  const whileOpen = await listP99(ground, other)
  let isOver = false
  const telling = (async () => {
    while (!isOver) {
      await ground.addPet(shop)
      await pause(200)
    }
  })()
  const whileTold = await listP99(ground, other)
  isOver = true
  await telling
  for (const stream of open) stream.destroy()
  return {
    ...{ streams, kilobytesEach, medianMs: median(medians), lastMs: median(lasts) },
    listMs: { alone, open: whileOpen, told: whileTold },
  }
}

/** Opens `ofAKey` streams with each key. `onNewPet` is called when one of them receives the event of a new pet. */
export async function openStreams(port: number, keys: string[], ofAKey: number, onNewPet = () => {}) {
  const open: ClientRequest[] = []
  for (const key of keys) {
    const opening = Array.from({ length: ofAKey }, async () => {
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` }
      const asking = request({ port, path: '/v1/events', headers, agent: false }).end()
      asking.on('error', () => {})
      open.push(asking)
      const [answer] = (await once(asking, 'response')) as [IncomingMessage]
      if (answer.statusCode !== 200) throw new Error(`A stream got ${answer.statusCode}.`)
      answer.on('error', () => {})
      answer.on('data', (part: Buffer) => {
        if (part.includes('event: pet.created')) onNewPet()
      })
    })
    await Promise.all(opening)
  }
  return open
}

/** Lists pets a hundred times a second at fixed times, even if earlier requests are not answered yet. */
async function listP99({ served }: EventsGround, shop: Shop): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const headers = { authorization: `Bearer ${shop.keys[0]}` }
  const beganAt = performance.now()
  const taking = Array.from({ length: lists }, async (_, n) => {
    const at = beganAt + n * 10
    await pause(Math.max(0, at - performance.now()))
    const asking = request({ port: served.port, path: '/v1/pets', headers, agent }).end()
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    await once(answer.resume(), 'end')
    return performance.now() - at
  })
  const took = (await Promise.all(taking)).toSorted((a, b) => a - b)
  agent.destroy()
  return took[Math.floor(lists * 0.99)] ?? Number.NaN
}
