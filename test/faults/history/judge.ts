import type { History, PlacedOrder, Stored } from './history.ts'
import { findContradiction } from './register.ts'

export type Violation = { rule: string; what: string }
type Bounds = { perMinute: number; processes: number }

/** Compares the history with what is stored in the end. Returns every promise that was broken. */
export function judge(history: History, projects: Stored[], bounds: Bounds): Violation[] {
  const stored = {
    pets: projects.flatMap(({ pets }) => pets),
    orders: projects.flatMap(({ orders }) => orders),
    events: projects.flatMap(({ events }) => events),
  }
  return [
    ...say('an answer is late, lost or out of order', judgeRegisters(history, stored)),
    ...say('an acknowledged write is lost or doubled', judgeCreations(history, stored)),
    ...say('a pet has one open order', judgeOrders(history, stored)),
    ...say('the inventory equals the pets', projects.flatMap(judgeInventory)),
    ...say('limits stay within their bound', judgeLimits(history, bounds)),
    ...say('events are without gaps and match the writes', [
      ...projects.flatMap(judgeNumbers),
      ...judgeEvents(history, stored),
    ]),
    ...say('a 5xx is a 503 with Retry-After', history.wrong),
  ]
}

type All = Pick<Stored, 'pets' | 'orders' | 'events'>

const say = (rule: string, found: string[]): Violation[] => found.map(what => ({ rule, what }))

function judgeRegisters({ registers }: History, { pets }: All): string[] {
  const names = new Map(pets.map(({ id, name }) => [id, name]))
  return [...registers].flatMap(([id, { first, calls }]) => {
    const now = Math.max(0, ...calls.map(({ sentAt, answeredAt }) => latest(sentAt, answeredAt))) + 1_000
    const stored = names.get(id) ?? 'nothing'
    const last = { by: 'the database', act: 'read', name: stored, outcome: 'done' } as const
    const found = findContradiction(first, [...calls, { ...last, sentAt: now, answeredAt: now + 1 }])
    return found === null ? [] : [`pet ${id}: ${found}`]
  })
}

const latest = (sentAt: number, answeredAt: number) => (Number.isFinite(answeredAt) ? answeredAt : sentAt)

function judgeCreations({ creations }: History, { pets }: All): string[] {
  const idsOf = Map.groupBy(pets, ({ name }) => name)
  return creations.flatMap(({ name, id }) => {
    const rows = idsOf.get(name) ?? []
    if (rows.length > 1) return [`${name} is stored ${rows.length} times`]
    if (id !== null && rows[0]?.id !== id) return [`${name} was acknowledged as ${id} and is not stored`]
    return []
  })
}

function judgeOrders({ orders }: History, stored: All): string[] {
  const statusOf = new Map(stored.orders.map(({ id, status }) => [id, status]))
  const lost = orders.flatMap(({ id, closed }) => {
    const status = statusOf.get(id)
    if (status === undefined) return [`order ${id} was acknowledged and is not stored`]
    return closed && status !== closed ? [`order ${id} was ${closed} and is ${status}`] : []
  })
  const open = stored.orders.filter(({ status }) => status === 'placed' || status === 'approved')
  const twice = [...Map.groupBy(open, ({ petId }) => petId)]
    .filter(([, list]) => list.length > 1)
    .map(([petId, list]) => `pet ${petId} has ${list.length} open orders`)
  const overlapping = [...Map.groupBy(orders, ({ petId }) => petId)].flatMap(([petId, list]) =>
    overlaps(list).map(ids => `the orders ${ids} of pet ${petId} were open at once`),
  )
  return [...lost, ...twice, ...overlapping]
}

/**
 * Pairs of orders that were certainly open at the same time: the later one was acknowledged before a client asked to
 * close the earlier one.
 */
function overlaps(orders: PlacedOrder[]): string[] {
  const sorted = [...orders].sort((one, other) => one.placedAt - other.placedAt)
  return sorted.flatMap((order, i) => {
    const earlier = sorted.slice(0, i).find(({ closingAt }) => closingAt > order.placedAt)
    return earlier ? [`${earlier.id} and ${order.id}`] : []
  })
}

function judgeInventory({ pets, inventory }: Stored): string[] {
  const counted: Record<string, number> = { available: 0, pending: 0, sold: 0, unset: 0, total: pets.length }
  for (const { status } of pets) counted[status ?? 'unset'] = (counted[status ?? 'unset'] ?? 0) + 1
  return Object.entries(counted)
    .filter(([status, count]) => inventory[status] !== count)
    .map(([status, count]) => `${inventory[status]} of ${status}, but ${count} rows`)
}

const minuteMs = 60_000

/** Counts admitted requests by window. A window begins with its first request and lasts for a minute. */
function judgeLimits({ limited, uncounted }: History, { perMinute, processes }: Bounds): string[] {
  const admitted = limited
    .filter(({ isAdmitted }) => isAdmitted)
    .sort((one, other) => one.answeredAt - other.answeredAt)
  const found: string[] = []
  for (let first = admitted[0]; first; ) {
    const { sentAt, answeredAt } = first
    const inside = admitted.filter(one => one.sentAt >= sentAt && one.answeredAt < sentAt + minuteMs)
    // Also count faults of the minute before the window, because a process may still count in memory after such a
    // fault.
    const faults = uncounted.filter(at => at > sentAt - minuteMs && at < answeredAt + minuteMs).length
    const most = perMinute * (1 + faults * (processes + 1))
    if (inside.length > most) found.push(`${inside.length} requests passed in a minute, of at most ${most}`)
    first = admitted.find(one => one.sentAt >= answeredAt + minuteMs)
  }
  return found
}

function judgeNumbers({ events }: Stored): string[] {
  return events.flatMap(({ number }, i) => {
    const before = events[i - 1]?.number ?? 0
    return number === before + 1 ? [] : [`event ${number} follows ${before}`]
  })
}

function judgeEvents({ registers, creations, orders }: History, { events, pets }: All): string[] {
  const times = Map.groupBy(events, ({ type, subject }) => `${type} ${subject}`)
  const once = (key: string) => {
    const count = times.get(key)?.length ?? 0
    return count === 1 ? [] : [`${count} events ${key}`]
  }
  const created = creations.flatMap(({ id }) => (id === null ? [] : once(`pet.created pet:${id}`)))
  const placed = orders.flatMap(({ id, closed }) => [
    ...once(`order.placed order:${id}`),
    ...(closed ? once(`order.${closed} order:${id}`) : []),
  ])
  const names = new Map(pets.map(({ id, name }) => [id, name]))
  const changed = [...registers].flatMap(([id, { calls }]) => {
    const announced = (times.get(`pet.updated pet:${id}`) ?? []).map(({ name }) => name)
    const missing = calls.flatMap(({ act, outcome, name }) => {
      const count = announced.filter(one => one === name).length
      const isEdit = act === 'change' && outcome === 'done'
      return count > 1 || (isEdit && count !== 1) ? [`${count} events of pet ${id} became ${name}`] : []
    })
    const last = announced.at(-1)
    const isLast = last === undefined || last === names.get(id)
    return [...new Set(missing), ...(isLast ? [] : [`the last event of pet ${id} says ${last}`])]
  })
  return [...created, ...placed, ...changed]
}
