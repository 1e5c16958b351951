import type { ReactNode } from 'react'
import { number } from '../format.ts'
import { pluralsOf } from '../plural.ts'
import { woven } from '../woven.ts'
import { language } from './language.ts'

const plural = pluralsOf(language)
const ordersIn = (count: number) => plural(count, { one: 'one order', other: `${number(count)} orders` })

export const andMore = (count: string) => `and ${count} more`
export const notTried = (count: number) =>
  `${number(count)} ${plural(count, { one: 'was not tried.', other: 'were not tried.' })}`
export const orderInSentence = (order: string) => `order ${order}`
export const orderOfPet = (order: ReactNode, reference: string | null, petId: string) =>
  reference ? woven`${order}, ${reference}, pet ${petId}` : woven`${order}, pet ${petId}`
export const othersStay = (count: number, all: string) =>
  plural(count, {
    one: `One of the ${all} chosen orders has another status and stays as it is.`,
    other: `${number(count)} of the ${all} chosen orders have another status and stay as they are.`,
  })
/** @public */
export const statuses = {
  placed: 'placed',
  approved: 'approved',
  delivered: 'delivered',
  cancelled: 'cancelled',
}
export const statusSince = (status: string, when: ReactNode) => woven`${status} ${when}`
/** @public */
export const steps = {
  approve: {
    act: 'Approve',
    actOn: (count: number) => `Approve ${ordersIn(count)}`,
    ask: (order: string) => `Approve order ${order}?`,
    askFor: (count: number) => `Approve ${ordersIn(count)}?`,
    busy: 'Approving…',
    doneAll: (count: number) => `Approved ${ordersIn(count)}.`,
    doneFor: (order: string, petName: string) => `Approved order ${order} for ${petName}.`,
    doneSome: (count: number, all: string) => `Approved ${ordersIn(count)} of ${all}`,
    keep: 'Cancel',
    label: (order: string) => `Approve order ${order}`,
    means: (petName: string) => `${petName} stays pending, and the order can be delivered.`,
    name: 'Approve',
  },
  deliver: {
    act: 'Deliver',
    actOn: (count: number) => `Deliver ${ordersIn(count)}`,
    ask: (order: string) => `Deliver order ${order}?`,
    askFor: (count: number) => `Deliver ${ordersIn(count)}?`,
    busy: 'Delivering…',
    doneAll: (count: number) => `Delivered ${ordersIn(count)}.`,
    doneFor: (order: string, petName: string) => `Delivered order ${order} for ${petName}.`,
    doneSome: (count: number, all: string) => `Delivered ${ordersIn(count)} of ${all}`,
    keep: 'Cancel',
    label: (order: string) => `Deliver order ${order}`,
    means: (petName: string) => `${petName} is sold with it, and the order cannot be cancelled any more.`,
    name: 'Deliver',
  },
  cancel: {
    act: 'Cancel the order',
    actOn: (count: number) => `Cancel ${ordersIn(count)}`,
    ask: (order: string) => `Cancel order ${order}?`,
    askFor: (count: number) => `Cancel ${ordersIn(count)}?`,
    busy: 'Cancelling…',
    doneAll: (count: number) => `Cancelled ${ordersIn(count)}.`,
    doneFor: (order: string, petName: string) => `Cancelled order ${order} for ${petName}.`,
    doneSome: (count: number, all: string) => `Cancelled ${ordersIn(count)} of ${all}`,
    keep: 'Keep order',
    label: (order: string) => `Cancel order ${order}`,
    means: (petName: string) => `${petName} gets back the status that it had, and the order ends for good.`,
    name: 'Cancel',
  },
}
export const triedOf = (tried: string, all: string) => `${tried} of ${all} done`
export const orders = 'orders'
export const exportIt = 'Export'
export const thisOrderWasAlreadyUpdated = 'This order was already updated'
export const viewLatest = 'View latest'
export const couldntUpdateOrder = 'Couldn’t update the order'
export const orderOrderPetName = (order: string, petName: string) => `Order ${order}, ${petName}`
export const orderOrderPetNameMessage = (order: string, petName: string, message: string) =>
  `Order ${order}, ${petName}: ${message}`
export const close = 'Close'
export const keepAsTheyAre = 'Keep as they are'
export const stop = 'Stop'
export const pet = 'Pet'
export const status = 'Status'
export const placed = 'Placed'
export const nextSteps = 'Next steps'
export const orderNumber = (number: string) => `Order ${number}`
export const all = 'All'
export const approved = 'Approved'
export const delivered = 'Delivered'
export const cancelled = 'Cancelled'
export const newOrder = 'New order'
export const ordersForYourPets =
  'Orders for your pets. Viewing and editing count against your requests per minute.'
export const title = 'Orders'
export const referenceOrPetsName = 'Reference or pet’s name'
export const ordersCouldNotBeLoaded = 'The orders could not be loaded'
export const noOrdersMatchYourSearch = 'No orders match your search'
export const noOrdersYet = 'No orders yet'
export const noMatchesSoFar = 'No matches so far. The next page keeps searching.'
export const changeStatusReferenceOrPet = 'Change the status, the reference or the pet to see others.'
export const chooseNewOrderOrPlace = (link: ReactNode) =>
  woven`Choose New order, order a pet on the page ${link}, or use REST or GraphQL.`
export const pets = 'Pets'
