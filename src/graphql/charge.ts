import type { Response } from 'express'
import type { FieldNode } from 'graphql'
import type { Scope } from '../core/api-keys.ts'
import { StoreError } from '../core/errors.ts'
import { refusalOf as limitRefusalOf, operatorOrder, projectOrder } from '../core/limits.ts'
import { setRateLimitHeaders } from '../http/rate-limit-headers.ts'
import type { Order, Verdict } from '../tools/limiter.ts'
import type { Tools } from '../tools.ts'
import type { Context } from './context.ts'

/** The store's goods, paid from the plan's budget, and the scope that each needs; REST sells the same. */
export const storeFields: Readonly<Record<string, Scope>> = {
  pets: 'pets:read',
  getPet: 'pets:read',
  createPet: 'pets:write',
}
const schemaFields: readonly string[] = ['__schema', '__type', '__typename']

/** What an operation costs: its root fields, each under its key in the answer. */
export type Bill = { storeRequests: number; managementRequests: number; looksAtSchemaOnly: boolean }

/** An operation that cannot even be read costs what a malformed request costs over REST. */
export const unreadableBill: Bill = { storeRequests: 1, managementRequests: 0, looksAtSchemaOnly: false }

export function billOf(rootFields: ReadonlyMap<string, readonly FieldNode[]>): Bill {
  const names = [...rootFields.values()].map(([node]) => node?.name.value ?? '')
  const storeRequests = names.filter(name => name in storeFields).length
  const free = names.filter(name => schemaFields.includes(name)).length
  const looks = names.filter(name => name === 'rateLimit').length
  return {
    storeRequests,
    managementRequests: names.length - storeRequests - free - looks,
    looksAtSchemaOnly: free === names.length,
  }
}

/** Charges before anything runs, and throws the refusal. The headers speak of what was charged. */
export async function charge(context: Context, bill: Bill): Promise<void> {
  const { sender, tools, response } = context
  // Whoever has no key was charged by address on the way in.
  if (sender.kind === 'stranger') {
    if (bill.looksAtSchemaOnly || bill === unreadableBill) return
    throw sender.refusal
  }
  if (sender.kind === 'operator') {
    await settle(operatorOrder(bill.storeRequests + bill.managementRequests))
    return
  }

  const { caller } = sender
  const points = { store: bill.storeRequests, management: bill.managementRequests }
  try {
    await settle(projectOrder(caller, tools.config.ban, points))
    tools.tally.countRequest(caller, 'graphql', false, bill.storeRequests)
  } catch (refusal) {
    if (bill.storeRequests > 0) tools.tally.countRequest(caller, 'graphql', true)
    throw refusal
  }
  if (caller.project.suspended) {
    throw new StoreError('project_suspended', 'This project is suspended; its operator can resume it.')
  }

  async function settle(order: Order): Promise<void> {
    const { limiter, brake, clock } = tools
    const verdict =
      context.paid ?? (order.points > 0 ? await limiter.charge(order) : await limiter.look(order))
    showVerdict(tools, response, verdict)
    if (order.points === 0 || verdict.outcome === 'accepted') return
    await brake.hold(performance.now())
    throw limitRefusalOf(verdict, clock.now())
  }
}

export function showVerdict({ clock, metrics }: Tools, response: Response, verdict: Verdict): void {
  if (verdict.banBegins) metrics.countBan()
  response.locals.verdict = verdict
  setRateLimitHeaders(response, verdict, clock.now())
}
