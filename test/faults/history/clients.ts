import { setTimeout as pause } from 'node:timers/promises'
import type { randomOf } from '../../support/random.ts'
import type { Ground, Project } from '../ground.ts'
import { type Door, doorsOf, type Result, type Seen } from './doors.ts'
import type { History, PlacedOrder } from './history.ts'
import type { Call } from './register.ts'

type Random = ReturnType<typeof randomOf>

/**
 * Clients change a small group of pets for this many milliseconds, and then change the next group. Otherwise one pet
 * would get too many calls, and the search for a valid order of these calls would take too long.
 */
const groupMs = 4_000
const groupSize = 3
const paceMs = 20
const editPaceMs = 120
const limitedPaceMs = 400
/**
 * This time is longer than the timeout of a statement. After this time, no statement of a call that a client gave up is
 * still running.
 */
const statementsEndMs = 2_200

export type Clients = {
  /** Resolves when no write is under way and no earlier write can still take effect. */
  rest(): Promise<void>
  goOn(): void
  calls(): number
  stop(): Promise<void>
}

export type Desk = {
  ground: Ground
  random: Random
  history: History
  /**
   * The doors (see `Door`) of the project whose pets the clients change. The first list has the doors of process 1, the
   * second list has the doors of process 2, and so on.
   */
  doors: Door[][]
  /** The doors of the project in which pets are created and ordered. */
  shopDoors: Door[][]
  limitedDoors: Door[]
  /**
   * The doors of the project whose pets are changed only by SQL. A process learns of these changes only from the log of
   * changes.
   */
  quietDoors: Door[][]
  quietPets: number[]
  pets: number[]
}

/** Starts all clients. Each has one call under way at a time, and records it. */
export function startClients(desk: Desk): Clients {
  const { history, doors, shopDoors } = desk
  let goesOn = true
  let calls = 0
  let writing = 0
  let resting: PromiseWithResolvers<void> | null = null
  let last = 0
  const beganAt = performance.now()
  const group = () => Math.floor((performance.now() - beganAt) / groupMs) * groupSize
  const nowChanged = () =>
    Array.from({ length: groupSize }, (_, i) => desk.pets[(group() + i) % desk.pets.length] ?? 0)
  const nextName = (by: string) => `${by.replaceAll(' ', '-')}-${++last}`

  async function keep(step: () => Promise<void>, ms = paceMs): Promise<void> {
    while (goesOn) {
      calls++
      await step()
      await pause(ms)
    }
  }
  async function write(step: () => Promise<void>): Promise<void> {
    while (resting) await resting.promise
    writing++
    await step()
    writing--
  }

  const running = [
    ...doors.flatMap((atProcess, i) => [
      keep(() => read(atProcess, nowChanged())),
      ...atProcess.filter((_, j) => j % doors.length === i || j === 0).map(keepChanging),
    ]),
    ...shopDoors.flatMap((atProcess, i) => [
      keepCreating(atProcess, `pets-${i}`, i % 2 === 0),
      keepOrdering(atProcess, `orders-${i}`),
    ]),
    ...desk.quietDoors.flatMap(atProcess => [
      keep(() => read(atProcess, desk.quietPets)),
      // This client reads only lists. A read of a list never waits for an uncached pet, so this client reads the cached
      // page during a fault too.
      ...atProcess.slice(0, 1).map(door => keep(() => read([door], desk.quietPets, true))),
    ]),
    keep(() => write(() => editByHand(nowChanged())), editPaceMs),
    keep(() => write(() => editByHand(desk.quietPets)), editPaceMs),
    keepHammering(),
  ]

  /** Reads one pet, or all of them, at one of the doors of a process. */
  async function read(
    atProcess: Door[],
    watched: number[],
    isList = desk.random.below(3) > 0,
  ): Promise<void> {
    const door = desk.random.oneOf(atProcess)
    const id = desk.random.oneOf(watched)
    const sentAt = performance.now()
    const { value } = isList ? await door.list() : await door.find(id)
    const answeredAt = performance.now()
    for (const pet of Array.isArray(value) ? value : value ? [value] : []) {
      if (!watched.includes(pet.id)) continue
      const { name } = pet
      note(pet.id, { by: door.name, act: 'read', name, sentAt, answeredAt, outcome: 'done' })
    }
  }

  /** Changes pets under the condition If-Match, with the tag that this client saw last. */
  async function keepChanging(door: Door): Promise<void> {
    const known = new Map<number, { tag: string; name: string }>()
    const learn = ({ id, name, tag }: Seen) =>
      tag === null ? known.delete(id) : known.set(id, { tag, name })
    await keep(() =>
      write(async () => {
        const id = desk.random.oneOf(nowChanged())
        const tagged = known.get(id)
        const sentAt = performance.now()
        if (!tagged) {
          const { value } = await door.find(id)
          if (!value) return
          const answeredAt = performance.now()
          note(id, { by: door.name, act: 'read', name: value.name, sentAt, answeredAt, outcome: 'done' })
          learn(value)
          return
        }
        const name = nextName(door.name)
        const { outcome, value } = await door.change(id, name, tagged.tag)
        const answeredAt = outcome === 'unknown' ? Number.POSITIVE_INFINITY : performance.now()
        if (outcome !== 'none')
          note(id, {
            by: door.name,
            act: 'change',
            expected: tagged.name,
            name,
            sentAt,
            answeredAt,
            outcome,
          })
        if (value) learn(value)
        else known.delete(id)
      }),
    )
  }

  /** Creates pets at one process. With `isRepeated`, retries each creation under one key until it is acknowledged. */
  async function keepCreating(atProcess: Door[], by: string, isRepeated: boolean): Promise<void> {
    await keep(() =>
      write(async () => {
        const name = nextName(by)
        const creation = { name, id: null as number | null, isRepeated, sentAt: performance.now() }
        history.creations.push(creation)
        const { value } = await untilKnown(isRepeated, () =>
          desk.random.oneOf(atProcess).create(name, isRepeated ? name : null),
        )
        creation.id = value?.id ?? null
      }),
    )
  }

  /** Creates a pet, orders it twice at once by two doors, and cancels or delivers the order that was accepted. */
  async function keepOrdering(atProcess: Door[], by: string): Promise<void> {
    const door = () => desk.random.oneOf(atProcess)
    await keep(() =>
      write(async () => {
        const name = nextName(by)
        const { value: pet } = await untilKnown(true, () => door().create(name, name))
        if (!pet) return
        history.creations.push({ name, id: pet.id, isRepeated: true, sentAt: performance.now() })
        const elsewhere = desk.random.oneOf(desk.random.oneOf(shopDoors))
        const placed = await Promise.all([
          placeOnce(door(), pet.id, `${name}-one`),
          placeOnce(elsewhere, pet.id, `${name}-other`),
        ])
        for (const order of placed) {
          if (!order) continue
          const isCancelled = desk.random.below(2) === 0
          if (!isCancelled) await untilKnown(true, () => door().move(order.id, 'approve'))
          order.closingAt = performance.now()
          const moved = await untilKnown(true, () =>
            door().move(order.id, isCancelled ? 'cancel' : 'deliver'),
          )
          if (moved.outcome === 'done') order.closed = isCancelled ? 'cancelled' : 'delivered'
        }
      }),
    )
  }

  async function placeOnce(door: Door, petId: number, key: string): Promise<PlacedOrder | null> {
    const { value } = await untilKnown(true, () => door.placeOrder(petId, key))
    if (!value) return null
    const times = { placedAt: performance.now(), closingAt: Number.POSITIVE_INFINITY }
    const order: PlacedOrder = { id: value.id, petId, ...times, closed: null }
    history.orders.push(order)
    return order
  }

  /** Changes a pet by SQL, so that processes learn of the change only from the log of changes. */
  async function editByHand(pets: number[]): Promise<void> {
    const id = desk.random.oneOf(pets)
    const name = nextName('by-hand')
    const sentAt = performance.now()
    const isDone = await desk.ground.sql(`UPDATE pets SET name = '${name}' WHERE id = ${id}`).then(
      () => true,
      () => false,
    )
    const answeredAt = isDone ? performance.now() : Number.POSITIVE_INFINITY
    note(id, { by: 'psql', act: 'set', name, sentAt, answeredAt, outcome: isDone ? 'done' : 'unknown' })
  }

  /** Uses up a small limit at all processes in turn. */
  async function keepHammering(): Promise<void> {
    let turn = 0
    await keep(async () => {
      const door = desk.limitedDoors[turn++ % desk.limitedDoors.length]
      if (!door) return
      const sentAt = performance.now()
      const { outcome } = await door.list()
      // Omit a request with an unknown outcome, because the service may have given the request back to the limit.
      if (outcome !== 'unknown')
        history.limited.push({ sentAt, answeredAt: performance.now(), isAdmitted: outcome === 'done' })
    }, limitedPaceMs)
  }

  /** Repeats a call under its key until the outcome is known. */
  async function untilKnown<T>(isRepeated: boolean, act: () => Promise<Result<T>>): Promise<Result<T>> {
    for (;;) {
      const result = await act()
      if (result.outcome !== 'unknown' || !isRepeated || !goesOn) return result
      await pause(paceMs * 2)
    }
  }

  function note(id: number, call: Call) {
    history.registers.get(id)?.calls.push(call)
  }

  return {
    async rest() {
      resting ??= Promise.withResolvers()
      while (writing > 0) await pause(50)
      await pause(statementsEndMs)
    },
    goOn() {
      resting?.resolve()
      resting = null
    },
    calls: () => calls,
    async stop() {
      goesOn = false
      resting?.resolve()
      await Promise.all(running)
    },
  }
}

/** Returns the doors of one project at each process. */
export function doorsAtAll(
  { stores }: Ground,
  { secret }: Project,
  client: Parameters<typeof doorsOf>[0]['client'],
  note: Parameters<typeof doorsOf>[0]['note'],
): Door[][] {
  return stores.map(({ url }, i) => doorsOf({ client, secret, url, note }, `process ${i + 1}`))
}
