import { type Fault, invalidInput, StoreError } from '../errors.ts'
import { isInt64, parseInt64 } from '../int64.ts'
import { type PageQuery, parsePage } from '../pages.ts'
import { isPart } from '../pets/rules.ts'
import type { Project } from '../project.ts'
import { validateText } from '../text.ts'
import { parseTime, timeRule } from '../time.ts'
import { type OrderFilter, type OrderStatus, orderStatuses } from './orders.ts'

export type NewOrder = { petId: bigint; reference: string | null; note: string | null }

const searchRule = 'must be a part of a reference or of the name of a pet, 1 to 100 characters'
const petIdRule = 'must be an integer of 64 bits, or the string of its digits'

/** Validates every field, so that one error names all faults. */
export function parseNewOrder(input: Record<string, unknown>): NewOrder {
  const petId = typeof input.petId === 'string' ? parseInt64(input.petId) : input.petId
  const reference = parseOptional('reference', input.reference, 100)
  const note = parseOptional('note', input.note, 1000, 'lines')
  const faults = [...reference.faults, ...note.faults]
  if (!isInt64(petId)) faults.unshift({ field: 'petId', message: petIdRule })
  if (faults.length > 0) throw invalidInput(faults)
  return { petId: petId as bigint, reference: reference.text, note: note.text }
}

/** Validates the parameters of a list of orders. Null: the parameter is absent. */
export function parseOrdersRequest(
  project: Project,
  names: { limit: string; after: string },
  input: {
    limit: number | null
    after: string | null
    status: string | null
    petId: string | null
    reference: string | null
    search: string | null
    placedFrom: string | Date | null
    placedBefore: string | Date | null
  },
): { page: PageQuery; filter: OrderFilter } {
  const petId = input.petId === null ? null : parseInt64(input.petId)
  const reference = parseOptional('reference', input.reference ?? undefined, 100, 'controls')
  const faults = [...reference.faults]
  const { search } = input
  if (search !== null && !isPart(search)) faults.push({ field: 'search', message: searchRule })
  if (input.status !== null && !isOrderStatus(input.status))
    faults.push({ field: 'status', message: `must be one of ${orderStatuses.join(', ')}` })
  if (input.petId !== null && petId === null) faults.push({ field: 'petId', message: petIdRule })
  const times = parsePlaced(input, faults)
  return {
    page: { ...parsePage('orders', project, names, input, faults), cursorName: names.after },
    filter: {
      status: input.status as OrderStatus | null,
      petId,
      reference: reference.text,
      search,
      ...times,
    },
  }
}

/** Parses the range of `placedAt`, and adds its faults to `faults`. */
function parsePlaced(
  input: Record<'placedFrom' | 'placedBefore', string | Date | null>,
  faults: Fault[],
): Pick<OrderFilter, 'placedFrom' | 'placedBefore'> {
  const [placedFrom, placedBefore] = (['placedFrom', 'placedBefore'] as const).map(field => {
    const value = input[field]
    const time = typeof value === 'string' ? parseTime(value) : value
    if (value !== null && time === null) faults.push({ field, message: timeRule })
    return time
  }) as [Date | null, Date | null]
  if (placedFrom && placedBefore && placedFrom >= placedBefore)
    faults.push({ field: 'placedBefore', message: 'must be later than placedFrom' })
  return { placedFrom, placedBefore }
}

/** Parses an order's id. An invalid id is refused like a missing order. */
export function readOrderId(text: string): bigint {
  const id = parseInt64(text)
  if (id === null)
    throw new StoreError('order_not_found', 'There is no such order: ids are integers of 64 bits.')
  return id
}

function parseOptional(
  field: string,
  value: unknown,
  longest: number,
  mayContain?: Parameters<typeof validateText>[3],
): { text: string | null; faults: Fault[] } {
  if (value === undefined) return { text: null, faults: [] }
  const { text, fault } = validateText(field, value, longest, mayContain)
  return { text, faults: fault ? [fault] : [] }
}

const isOrderStatus = (value: string) => orderStatuses.some(status => status === value)
