import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Client } from './client.ts'
import type { Ledger } from './ledger.ts'

/** The tools of writers: a client, the ledger, and a record of all answers. */
export type Desk = {
  client: Client
  ledger: Ledger
  /** False once the load is ending. */
  goesOn(): boolean
  /** Runs one step of a writer as soon as writers are not paused. */
  write(step: () => Promise<void>): Promise<void>
  note(url: string, answer: Answer, right?: number[]): boolean
}

const paceMs = 15
/** How many milliseconds a writer waits before it retries a failed request, as a good client does. */
const againMs = 100

/**
 * Creates pets at one URL. With `repeats`, retries each creation under one Idempotency-Key until it is acknowledged.
 */
export async function keepCreating(desk: Desk, url: string, who: string, repeats: boolean): Promise<void> {
  for (let i = 0; desk.goesOn(); i++) {
    const name = `${who}-${i}`
    await desk.write(async () => {
      desk.ledger.pets.set(name, null)
      const headers: Record<string, string> = repeats ? { 'idempotency-key': name } : {}
      do {
        const answer = await post(desk, url, '/v1/pets', { name, categoryId: 1 }, headers)
        if (answer.status === 201) desk.ledger.pets.set(name, idOf(answer))
        else await pause(againMs)
      } while (repeats && desk.goesOn() && desk.ledger.pets.get(name) === null)
    })
    await pause(paceMs)
  }
}

/** Creates pets, orders them, and cancels or delivers each order. */
export async function keepOrdering(desk: Desk, url: string, who: string): Promise<void> {
  for (let i = 0; desk.goesOn(); i++) {
    await desk.write(() => orderOnce(desk, url, who, i))
    await pause(paceMs)
  }
}

async function orderOnce(desk: Desk, url: string, who: string, i: number): Promise<void> {
  const again = (what: string) => ({ 'idempotency-key': `${what}-${i}` })
  const body = { name: `${who}-${i}`, categoryId: 1, status: 'available' }
  const pet = await untilDone(desk, () => post(desk, url, '/v1/pets', body, again('pet')))
  if (pet?.status !== 201) return
  desk.ledger.pets.set(body.name, idOf(pet))
  const orderBody = { petId: idOf(pet) }
  const order = await untilDone(desk, () => post(desk, url, '/v1/store/orders', orderBody, again('order')))
  if (order?.status !== 201) return
  desk.ledger.orders.set(idOf(order), 'placed')
  const [act, state] = i % 2 ? (['cancel', 'cancelled'] as const) : (['deliver', 'delivered'] as const)
  const steps = state === 'delivered' ? ['approve', act] : [act]
  for (const step of steps) {
    // A move is the approval, cancellation or delivery of an order. If the answer to a move was lost, the writer
    // repeats the request. The repeated request gets 200, or 409 because the first request already changed the order.
    const move = () => post(desk, url, `/v1/store/orders/${idOf(order)}/${step}`, undefined, {}, [409])
    const moved = await untilDone(desk, move)
    if (!moved) return
    if (step === act && moved.status === 200) desk.ledger.orders.set(idOf(order), state)
  }
}

/** Changes one pet repeatedly, each time with If-Match, so that a late request cannot undo a newer change. */
export async function keepChanging(desk: Desk, url: string, id: number): Promise<void> {
  for (let etag: string | undefined; desk.goesOn(); await pause(paceMs)) {
    await desk.write(async () => {
      etag = await changeOnce(desk, url, id, etag)
    })
  }
}

/** Changes the pet once. Returns its new tag; undefined if unknown. */
export async function changeOnce(
  desk: Desk,
  url: string,
  id: number,
  known?: string,
): Promise<string | undefined> {
  const path = `${url}/v1/pets/${id}`
  const found = known === undefined ? await desk.client.ask(path) : null
  if (found && !desk.note(url, found)) await pause(againMs)
  const etag = known ?? found?.headers.etag
  if (etag === undefined) return undefined
  const versions = desk.ledger.watch(id)
  const version = versions.next()
  const body = { name: `watched-v${version}` }
  const answer = await desk.client.ask(path, { method: 'PATCH', body, headers: { 'if-match': etag } })
  const isDone = desk.note(url, answer, [412]) && answer.status === 200
  if (isDone) versions.acknowledge(version)
  return isDone ? answer.headers.etag : undefined
}

async function post(
  { client, note }: Desk,
  url: string,
  path: string,
  body: object | undefined,
  headers: Record<string, string>,
  right: number[] = [],
): Promise<Answer> {
  const answer = await client.ask(`${url}${path}`, { method: 'POST', ...(body && { body }), headers })
  // 409 is a right answer to a request with an Idempotency-Key: the first request under the key may still be running
  // when the writer repeats the request.
  note(url, answer, headers['idempotency-key'] ? [409, ...right] : right)
  return answer
}

async function untilDone(desk: Desk, act: () => Promise<Answer>): Promise<Answer | null> {
  while (desk.goesOn()) {
    const answer = await act()
    const isInFlight = answer.text.includes('idempotency_in_flight')
    if (answer.status && answer.status < 500 && !isInFlight) return answer
    await pause(againMs)
  }
  return null
}

const idOf = ({ text }: Answer) => (JSON.parse(text) as { id: number }).id
