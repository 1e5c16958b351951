import type { Response } from 'express'
import { expect, test } from 'vitest'
import type { Caller } from '../../src/core/keys/caller.ts'
import { chargeCaller, chargeReading } from '../../src/http/charge.ts'
import { countUse } from '../../src/http/count-use.ts'
import type { Charge } from '../../src/limiter/charge.ts'
import { type Decision, makeDecision } from '../../src/limiter/decision.ts'
import type { Tools } from '../../src/tools.ts'

const caller = { project: { id: 1, limits: { perMinute: 60, perDay: 1_000 } }, key: { id: 'key' } } as Caller
const [pet, management] = [
  { door: 'rest', store: 3, management: 0 },
  { door: 'rest', store: 0, management: 1 },
] as const

/**
 * A request whose limiter accepts charges of at most `left` points. `leave` ends the request, as if the client had left:
 * `observe` then counts the use. `onCharge` runs during each charge.
 */
function openRequest({ left = 60, onCharge = () => {} }) {
  const counted: unknown[] = []
  const usageCounter = {
    countRequest: (_caller: Caller, _door: string, outcome: string, points: number) =>
      void counted.push(`${outcome} ${points}`),
  }
  const decide = (charge: Charge): Decision => {
    const now = Date.now()
    const outcome = charge.points > left ? 1 : 0
    const states = charge.windows.flatMap(({ limit }) => [limit - left, now + 60_000])
    return makeDecision(charge, { now, outcome, banEndsAt: 0, banBegins: false, version: null, states })
  }
  const tools = {
    ...{ usageCounter, config: { ban: {} }, metrics: {}, limitNotices: { note: () => {} } },
    limiter: {
      async consume(_subject: string, _points: number, charge: Charge) {
        onCharge()
        return decide(charge)
      },
      get: async (_subject: string, charge: Charge) => decide({ ...charge, points: 0 }),
    },
    workTurns: { wait: () => undefined, end: () => {} },
    refusalPace: { wait: async () => {} },
  } as unknown as Tools
  const response = { statusCode: 200, closed: false, locals: { caller, headers: [] } } as unknown as Response
  const leave = () => {
    Object.assign(response, { closed: true })
    countUse(tools, response, 12)
  }
  return { tools, response, counted, leave }
}
type Sent = ReturnType<typeof openRequest>

const tests: [string, number, object[], string[]][] = [
  ['a request', 60, [pet], ['served 3']],
  ['a refused request', 2, [pet], ['refused 3']],
  ['a management request', 60, [management], ['served 0']],
  ['a refused management request', 0, [management], []],
  ['a request with two charges', 60, [pet, pet], ['served 6']],
]

test.each(tests)('%s is counted in the usage at its end', async (_, left, bills, uses) => {
  const { tools, response, counted, leave } = openRequest({ left })

  for (const bill of bills) await chargeCaller(tools, response, caller, bill as typeof pet).catch(() => {})
  leave()

  expect(counted).toEqual(uses)
})

test.each(tests)(
  '%s is counted in the usage if its client has left before the charge',
  async (_, left, bills, uses) => {
    const { tools, response, counted, leave } = openRequest({ left })

    leave()
    for (const bill of bills) await chargeCaller(tools, response, caller, bill as typeof pet).catch(() => {})

    expect(counted).toEqual(bills.length > 1 ? ['served 3', 'served 3'] : uses)
  },
)

test.each(tests)(
  '%s is counted in the usage if its client leaves during the last charge',
  async (_, left, bills, uses) => {
    let charges = 0
    const sent: Sent = openRequest({
      left,
      onCharge: () => void (++charges === bills.length && sent.leave()),
    })
    const { tools, response, counted } = sent

    for (const bill of bills) await chargeCaller(tools, response, caller, bill as typeof pet).catch(() => {})

    expect(counted).toEqual(bills.length > 1 ? ['served 3', 'served 3'] : uses)
  },
)

test('what was read for a refused request is counted in the usage also if the client has left', async () => {
  const { tools, response, counted, leave } = openRequest({ left: 2 })
  response.locals.readingCost = 2

  leave()
  await chargeCaller(tools, response, caller, pet).catch(() => {})
  await chargeReading(tools, response, 'rest')

  expect(counted).toEqual(['refused 3', 'served 2'])
})
