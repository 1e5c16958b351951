import { makeCursor } from '../../core/cursor.ts'
import { invalidInput } from '../../core/errors.ts'
import { givenIn } from '../../core/given.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import { listOrders } from '../../core/orders/list.ts'
import { approveOrder, cancelOrder, deliverOrder } from '../../core/orders/move.ts'
import { orderStatuses } from '../../core/orders/orders.ts'
import { placeOrder } from '../../core/orders/place.ts'
import { parseNewOrder, parseOrdersRequest, readOrderId } from '../../core/orders/rules.ts'
import { pageOf, requiredText, textOf } from '../arguments.ts'
import { fitPage, plain } from '../fit.ts'
import { chooseKey } from '../once.ts'
import { idArgument, idempotencyArgument, pageArguments, type Tool } from '../tool.ts'

const moves = { approve: approveOrder, deliver: deliverOrder, cancel: cancelOrder }
const reference = { type: 'string', maxLength: 100 } as const

export const orderTools: Tool[] = [
  {
    name: 'list_orders',
    title: 'List orders',
    description: 'Lists orders, newest first, a page at a time.',
    scope: scopeFor.listOrders,
    budget: 'store',
    effect: 'reads',
    input: {
      status: { type: 'string', enum: [...orderStatuses] },
      petId: idArgument(),
      reference,
      search: {
        type: 'string',
        maxLength: 100,
        description: 'Part of the reference or of the name of the pet',
      },
      placedFrom: { type: 'string', maxLength: 35, description: 'Time in RFC 3339, inclusive' },
      placedBefore: { type: 'string', maxLength: 35 },
      ...pageArguments,
    },
    async run({ tools, caller: { project }, args }) {
      const { page, filter } = parseOrdersRequest(
        project,
        { limit: 'limit', after: 'cursor' },
        {
          ...pageOf(args),
          ...{ status: textOf(args, 'status'), petId: textOf(args, 'petId') },
          ...{ reference: textOf(args, 'reference'), search: textOf(args, 'search') },
          ...{ placedFrom: textOf(args, 'placedFrom'), placedBefore: textOf(args, 'placedBefore') },
        },
      )
      const found = await listOrders(tools.db, project, page, filter)
      const cursorOf = ({ id }: { id: bigint }) => makeCursor(project, id, 'orders')
      const { items, ...rest } = fitPage(found.items, found.nextCursor, plain, cursorOf)
      return { orders: items, ...rest }
    },
  },
  {
    name: 'place_order',
    title: 'Order a pet',
    description: 'Orders a pet. It becomes pending.',
    scope: scopeFor.placeOrder,
    budget: 'store',
    effect: 'adds',
    input: {
      petId: idArgument(),
      reference: { ...reference, description: 'Your own unique name for the order' },
      note: { type: 'string', maxLength: 1000 },
      ...idempotencyArgument,
    },
    required: ['petId'],
    async run({ tools, caller: { project }, args: { idempotencyKey, ...input }, onceKey }) {
      const wanted = parseNewOrder(givenIn(input))
      const key = chooseKey(idempotencyKey, onceKey)
      const { order, isReplayed } = await placeOrder(tools, project, wanted, key)
      return { order: plain(order), ...(isReplayed && { replayed: true }) }
    },
  },
  {
    name: 'move_order',
    title: 'Update an order',
    description:
      'Approves an order, delivers it (its pet is sold), or cancels it (its pet gets back its former status).',
    scope: scopeFor.approveOrder,
    budget: 'store',
    effect: 'destroys',
    input: { orderId: idArgument(), move: { type: 'string', enum: Object.keys(moves) } },
    required: ['orderId', 'move'],
    async run({ tools, caller: { project }, args }) {
      const move = Object.entries(moves).find(([name]) => name === args.move)?.[1]
      if (!move)
        throw invalidInput([{ field: 'move', message: `must be one of ${Object.keys(moves).join(', ')}` }])
      return { order: plain(await move(tools, project, readOrderId(requiredText(args, 'orderId')))) }
    },
  },
]
