import type { EventsGround, Shop } from './ground.ts'
import { until } from './until.ts'

export type DeliveriesFound = {
  /** Deliveries a second: `toOne` to one endpoint, `toTwenty` to twenty endpoints of one project. */
  toOne: number
  toTwenty: number
  endpoints: number
  /**
   * Milliseconds until every endpoint has received one event. For `hangingMs`, one endpoint hangs, and only the others
   * must receive an event.
   */
  quietMs: number
  hangingMs: number
}

const events = 1_000
const ofAProject = 20
const projects = 50
/** A statement adds at most this many pets, because a larger statement writes only one event for all its pets. */
const ofAStatement = 100

export async function measureDeliveries(ground: EventsGround): Promise<DeliveriesFound> {
  const toOne = await perSecond(ground, 1, events)
  const toTwenty = await perSecond(ground, ofAProject, events / 10)
  const shops: Shop[] = []
  for (let n = 0; n < projects; n++) {
    const shop = await ground.addShop()
    shops.push(shop)
    for (let m = 0; m < ofAProject; m++) await ground.addEndpoint(shop, n === 0 && m === 0 ? '/first' : '/')
  }
  const endpoints = projects * ofAProject
  const quietMs = await untilArrived(ground, shops, endpoints)
  ground.receiver.hang('/first')
  const hangingMs = await untilArrived(ground, shops, endpoints - 1)
  return { toOne, toTwenty, endpoints, quietMs, hangingMs }
}

async function perSecond(ground: EventsGround, endpoints: number, count: number): Promise<number> {
  const shop = await ground.addShop()
  for (let n = 0; n < endpoints; n++) await ground.addEndpoint(shop, '/')
  await untilArrived(ground, [shop], endpoints)
  ground.receiver.received.length = 0
  for (let n = 0; n < count; n += ofAStatement) await ground.addPet(shop, Math.min(ofAStatement, count - n))
  await until(() => ground.receiver.received.length > 0, 'The first delivery')
  const beganAt = performance.now()
  await until(() => ground.receiver.received.length >= count * endpoints, 'All deliveries')
  return (count * endpoints) / ((performance.now() - beganAt) / 1000)
}

/** Adds a pet to each shop, and waits until the endpoints have received `count` deliveries in all. */
async function untilArrived(ground: EventsGround, shops: Shop[], count: number): Promise<number> {
  ground.receiver.received.length = 0
  for (const shop of shops) await ground.addPet(shop)
  const committedAt = performance.now()
  await until(() => ground.receiver.received.length >= count, 'An event at every endpoint')
  return performance.now() - committedAt
}
