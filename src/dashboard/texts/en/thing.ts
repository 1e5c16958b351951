import type { ReactNode } from 'react'
import { woven } from '../woven.ts'

export const actAndChanges = (act: string, changes: string) => `${act}: ${changes}`
export const acts = {
  created: 'Created',
  updated: 'Updated',
  deleted: 'Deleted',
  placed: 'Placed',
  approved: 'Approved',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
}
export const change = (field: string, before: string, after: string) => `${field} from ${before} to ${after}`
export const fields = {
  name: 'name',
  status: 'status',
  categoryId: 'categoryId',
  reference: 'reference',
  note: 'note',
}
export const notSetInSentence = 'not set'
export const statusAndPlaced = (status: string, when: ReactNode) => woven`${status}, placed ${when}`
export const whoDidWhat = (name: string, act: string) =>
  `${name}: ${act.replace(/:$/, '').toLowerCase().replace('api', 'API')}`
export const pet = {
  all: 'All pets',
  missing: (id: string) => `There is no pet ${id}`,
  notLoaded: 'The pet could not be loaded',
  title: (id: string) => `Pet ${id}`,
}
export const order = {
  all: 'All orders',
  missing: (id: string) => `There is no order ${id}`,
  notLoaded: 'The order could not be loaded',
  title: (id: string) => `Order ${id}`,
}
export const apiKey = {
  all: 'All API keys',
  missing: (id: string) => `There is no API key ${id}`,
  notLoaded: 'The API key could not be loaded',
  title: (id: string) => `API key ${id}`,
}
export const deploy = {
  all: 'All deploys',
  missing: (id: string) => `There is no deploy ${id}`,
  notLoaded: 'The deploy could not be loaded',
  title: (id: string) => `Deploy ${id}`,
}
export const domain = {
  all: 'All domains',
  missing: (id: string) => `There is no domain ${id}`,
  notLoaded: 'The domain could not be loaded',
  title: (id: string) => `Domain ${id}`,
}
export const endpoint = {
  all: 'All endpoints',
  missing: (id: string) => `There is no webhook endpoint ${id}`,
  notLoaded: 'The webhook endpoint could not be loaded',
  title: (id: string) => `Webhook endpoint ${id}`,
}
export const deployFacts = 'Deploy'
export const state = 'State'
export const live = 'Live'
export const published = 'Published'
export const returnsTo = 'Rollback to'
export const title = 'Title'
export const description = 'Description'
export const primaryDomain = 'Primary domain'
export const redirects = 'Redirects'
export const log = 'Log'
export const domainFacts = 'Domain'
export const host = 'Host'
export const certificate = 'Certificate'
export const issuedBy = 'Issued by'
export const validUntil = 'Valid until'
export const problem = 'Problem'
export const primary = 'Primary'
export const yes = 'Yes'
export const no = 'No'
export const redirectsTo = 'Redirects to'
export const added = 'Added'
export const verified = 'Verified'
export const dnsRecords = 'DNS records'
export const verifyOrRemoveItUnder = 'Verify or remove it under Domains'
export const rotate = 'Rotate'
export const rename = 'Rename'
export const revoke = 'Revoke'
export const apiKeyFacts = 'API key'
export const active = 'Active'
export const prefix = 'Prefix'
export const permissions = 'Permissions'
export const created = 'Created'
export const lastUsed = 'Last used'
export const never = 'Never'
export const expires = 'Expires'
export const revoked = 'Revoked'
export const replacedBy = 'Replaced by'
export const keyThatReplacedIt = 'The key that replaced it'
export const orderOrder = (order: string) => `Order ${order}`
export const orderFacts = 'Order'
export const status = 'Status'
export const petFacts = 'Pet'
export const reference = 'Reference'
export const note = 'Note'
export const placed = 'Placed'
export const approved = 'Approved'
export const delivered = 'Delivered'
export const cancelled = 'Cancelled'
export const thisPetIsDeleted = 'This pet is deleted'
export const chooseUndoInMessageTo = 'Choose Undo in the message to get it back.'
export const placeOrder = 'Place order'
export const deleteIt = 'Delete'
export const edit = 'Edit'
export const id = 'Id'
export const category = 'Category'
export const orders = 'Orders'
export const allOrdersOfThisPet = 'All orders of this pet'
export const sendTestEvent = 'Send test event'
export const pause = 'Pause'
export const enable = 'Enable'
export const actionsForThisEndpoint = 'Actions for this endpoint'
export const sendEventsAgain = 'Send events again'
export const rotateSecret = 'Rotate secret'
export const webhookEndpoint = 'Webhook endpoint'
export const address = 'Address'
export const events = 'Events'
export const all = 'All'
export const deliveredUpToEvent = 'Delivered up to event'
export const oldSecretSignsUntil = 'Old secret also signs until'
export const enabledEndpoint = 'Enabled the endpoint.'
export const pausedEndpoint = 'Paused the endpoint.'
export const history = 'History'
export const at = 'At'
export const allItsActivity = 'All its activity'
export const byApi = 'Read it with the API'
export const putApiKeyInPlace = 'Put an API key in place of as_….'
export const yourKeyIsFilledIn = 'Your key is filled in as you copy.'
export const asCurl = 'as curl'
export const jsonInSentence = 'the JSON'
export const itWasDeletedOrHas = 'It was deleted, or never existed.'
