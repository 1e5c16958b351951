import { describe, expect, it } from 'vitest'
import { emptyHistory, type History, type Limited, type PlacedOrder, type Stored } from './history.ts'
import { judge } from './judge.ts'

const bounds = { perMinute: 2, processes: 3 }
const event = (number: number, type: string, subject: string, name = 'Rex') => ({
  number,
  type,
  subject,
  name,
})

/** One pet, which was created, renamed and ordered, and whose order was cancelled. */
const order: PlacedOrder = { id: 5, petId: 1, placedAt: 30, closingAt: 40, closed: 'cancelled' }
const good = (): { history: History; stored: Stored } => ({
  history: {
    ...emptyHistory(),
    creations: [{ name: 'Rex', id: 1, isRepeated: true, sentAt: 0 }],
    orders: [order],
    limited: admitted(0, 1, 60_100),
  },
  stored: {
    pets: [{ id: 1, name: 'Rex', status: 'available' }],
    orders: [{ id: 5, petId: 1, status: 'cancelled' }],
    inventory: { available: 1, pending: 0, sold: 0, unset: 0, total: 1 },
    events: [
      event(1, 'pet.created', 'pet:1'),
      event(2, 'order.placed', 'order:5'),
      event(3, 'order.cancelled', 'order:5'),
    ],
  },
})
const admitted = (...times: number[]): Limited[] =>
  times.map(at => ({ sentAt: at, answeredAt: at + 1, isAdmitted: true }))

function found(change: (history: History, stored: Stored) => void): string[] {
  const { history, stored } = good()
  change(history, stored)
  return judge(history, [stored], bounds).map(({ what }) => what)
}

it('the judge finds no violation in a history that kept every promise', () => {
  expect(found(() => {})).toEqual([])
})

describe('the judge finds that', () => {
  const bad: [string, (history: History, stored: Stored) => void, string][] = [
    [
      'an acknowledged pet is not stored',
      history => history.creations.push(lost),
      'Tom was acknowledged as 2',
    ],
    [
      'a pet is stored twice',
      (_, { pets }) => pets.push({ id: 2, name: 'Rex', status: null }),
      'Rex is stored 2',
    ],
    ['an order is not stored', (_, { orders }) => orders.splice(0), 'order 5 was acknowledged'],
    [
      'a cancelled order is open again',
      (_, { orders }) => orders.splice(0, 1, { id: 5, petId: 1, status: 'placed' }),
      'order 5 was cancelled and is placed',
    ],
    [
      'a pet has two open orders in the end',
      (_, { orders }) =>
        orders.push({ id: 6, petId: 1, status: 'placed' }, { id: 7, petId: 1, status: 'approved' }),
      'pet 1 has 2 open orders',
    ],
    [
      'a pet had two open orders for a while',
      history => history.orders.push({ ...order, id: 6, placedAt: 35, closed: null }),
      'the orders 5 and 6 of pet 1 were open at once',
    ],
    [
      'the inventory is wrong',
      (_, stored) => Object.assign(stored.inventory, { sold: 1 }),
      '1 of sold, but 0',
    ],
    [
      'more requests passed than the limit allows',
      history => history.limited.push(...admitted(100)),
      '3 requests passed in a minute, of at most 2',
    ],
    ['an event is missing', (_, { events }) => events.splice(0, 1), 'event 2 follows 0'],
    [
      'an event belongs to no write',
      (_, { events }) => events.push(event(4, 'pet.created', 'pet:1')),
      '2 events pet.created',
    ],
    ['an answer was wrong', history => history.wrong.push('500 internal_error'), '500 internal_error'],
  ]
  const lost = { name: 'Tom', id: 2, isRepeated: false, sentAt: 0 }
  it.each(bad)('%s', (_name, change, message) => {
    expect(found(change).join('; ')).toContain(message)
  })

  it('the judge finds a violation if a pet is stored under its former name although a rename was acknowledged', () => {
    const call = { by: 'a', act: 'change', expected: 'Max', name: 'Rex', sentAt: 0, answeredAt: 9 } as const
    const renamed = event(4, 'pet.updated', 'pet:1')
    const change = (name: string) => (history: History, stored: Stored) => {
      history.registers.set(1, { first: 'Max', calls: [{ ...call, outcome: 'done' }] })
      stored.events.push({ ...renamed, name: 'Rex' })
      stored.pets.splice(0, 1, { id: 1, name, status: 'available' })
      history.creations.splice(0)
    }

    expect(found(change('Rex'))).toEqual([])
    expect(found(change('Max')).join()).toContain('the database read Max')
  })
})

it('if a fault may have let processes count requests without Redis, the judge allows more requests than the limit', () => {
  const change = (history: History) => {
    history.limited.push(...admitted(2, 3, 4, 5, 6, 7))
    history.uncounted.push(3)
  }

  expect(found(change)).toEqual([])
})
