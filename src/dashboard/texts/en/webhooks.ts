import type { ReactNode } from 'react'
import { woven } from '../woven.ts'

export const answeredAfter = (status: string, ms: string) => `Answered ${status} after ${ms} ms`
export const answeredMsWhen = (answered: ReactNode, ms: string, when: ReactNode) =>
  woven`${answered} ${ms} ms, ${when}`
export const disabledThen = (when: ReactNode) =>
  woven`That was ${when}. When you enable it, it gets the events that did not arrive. Events are kept for 30 days.`
export const eventsAfterOnTheirWay = (event: string) =>
  `The events after number ${event} are on their way again.`
export const eventsSinceOnTheirWay = (when: string) => `The events since ${when} are on their way again.`
export const milliseconds = (ms: string) => `${ms} ms`
export const noAnswerAfter = (ms: string) => `No answer after ${ms} ms`
export const noneSucceededSince = (when: ReactNode) => woven`No attempt has succeeded since ${when}.`
export const signingSecretWords = {
  closeWithout: 'Close without the secret',
  copyNow: 'Copy your secret now. You won’t be able to see it again.',
  isNotCopied: 'You haven’t copied this secret. If you close now, it’s gone.',
  isSaved: 'I’ve saved this secret somewhere safe',
  new: 'The new signing secret',
  the: 'the signing secret',
}
export const events = 'Events'
export const allEventsAndThoseAdded = 'All events, and those added later'
export const onlyThese = 'Only these'
export const event = 'Event'
export const answer = 'Answer'
export const duration = 'Duration'
export const sent = 'Sent'
export const actions = 'Actions'
export const deliveries = 'Deliveries'
export const deliveriesCouldNotBeLoaded = 'The deliveries could not be loaded'
export const nothingWasSentInLast = 'Nothing was sent in the last 30 days.'
export const eventEvent = (event: string) => `Event ${event}`
export const noAnswer = 'No answer'
export const sentWhen = (when: string) => `Sent ${when}`
export const answerWasEmpty = 'The answer was empty.'
export const eventEventIsOnIts = (event: string) => `Event ${event} is on its way again.`
export const redeliver = 'Redeliver'
export const redeliverEventEvent = (event: string) => `Redeliver event ${event}`
export const testEvent = 'Test event'
export const eventOfTypeGoes = (type: ReactNode, url: ReactNode) =>
  woven`An event of the type ${type} goes to ${url}.`
export const testCouldNotBeSent = 'The test could not be sent'
export const sendAgain = 'Send again'
export const done = 'Done'
export const endpointsSigningSecret = 'The endpoint’s signing secret'
export const oldOneSignsBesideIt = 'For one more day, events are also signed with the old secret.'
export const rotateSigningSecret = 'Rotate the signing secret'
export const fromNowOnEventsAre =
  'From now on events are signed by a new secret, and for a day by the old one too. Change your receiver within this day.'
export const secretCouldNotBeRotated = 'The secret could not be rotated'
export const rotate = 'Rotate'
export const rotating = 'Rotating…'
export const sendEventsAgain = 'Send events again'
export const endpointHasReceivedAllEvents = (delivered: string) =>
  `The endpoint has received all events up to number ${delivered}. The events from the point chosen below are sent again, in order, with the same ids.`
export const begin = 'Start'
export const afterEvent = 'After an event'
export const atTime = 'At a time'
export const afterEventWithNumber = 'After the event with the number'
export const sendsEverythingThatIsKept = '0 sends everything that is kept.'
export const enterNumberOfEventOr = 'Enter the number of an event, or 0.'
export const eventsOfThisTimeAnd = 'Events of this time and later'
export const enterTimeInPast = 'Enter a time in the past.'
export const eventsCouldNotBeSent = 'The events could not be sent again'
export const sending = 'Sending…'
export const deletedEndpoint = 'Deleted the endpoint.'
export const deleteThisEndpoint = 'Delete this endpoint?'
export const urlReceivesNothingFromNow = (url: string) =>
  `${url} receives nothing from now on. Its deliveries are deleted too. This can’t be undone.`
export const endpointCouldNotBeDeleted = 'The endpoint could not be deleted'
export const deleteIt = 'Delete'
export const deleting = 'Deleting…'
export const addedEndpointItReceivesEverything =
  'Added the endpoint. It receives everything that happens from now on.'
export const useItToVerifyEvents = 'Use it to verify that an event comes from this store.'
export const addEndpoint = 'Add an endpoint'
export const addEndpointButton = 'Add endpoint'
export const adding = 'Adding…'
export const savedEndpoint = 'Saved the endpoint.'
export const editEndpoint = 'Edit the endpoint'
export const save = 'Save'
export const saving = 'Saving…'
export const addressMessage = (message: string) => `The address ${message}.`
export const enterAtMost200Characters = 'Enter at most 200 characters, or nothing.'
export const eventsMessage = (message: string) => `The events ${message}.`
export const address = 'Address'
export const publicHttpsAddressThatAnswers =
  'A public https address that answers with a status of 2xx within 15 seconds.'
export const description = 'Description'
export const whatItIsForMay = 'What it is for; may be empty.'
export const chooseAtLeastOneEvent = 'Choose at least one event.'
export const endpointCouldNotBeSaved = 'The endpoint could not be saved'
export const enabled = 'Enabled'
export const paused = 'Paused'
export const failing = 'Failing'
export const resting = 'Resting'
export const disabled = 'Disabled'
export const itAnswered410GoneSo = 'It answered 410 Gone, so the store stopped sending.'
export const noAttemptSucceededForFive = 'No attempt succeeded for five days, so the store stopped sending.'
export const storeDisabledThisEndpoint = 'The store disabled this endpoint'
export const thisEndpointIsPaused = 'This endpoint is paused'
export const itReceivesNothingUntilYou =
  'It receives nothing until you enable it. Then it goes on where it stopped.'
export const thisEndpointRests = 'Deliveries are paused'
export const deliveriesAreFailing = 'Deliveries are failing'
export const nextOneIsDueIn = (left: ReactNode) => woven`The next attempt is due in ${left}.`
export const nextOneIsDueNow = 'The next attempt is due now.'
export const fiveEventsInRowHave =
  'Five events in a row have failed, so the store tries one from time to time.'
export const pets = 'Pets'
export const orders = 'Orders'
export const categories = 'Categories'
export const apiKeys = 'API keys'
export const domainsAndCertificates = 'Domains and certificates'
export const project = 'Project'
export const webhooks = 'webhooks'
export const addressesOfYoursThatReceive = 'Your addresses that receive each event a moment after it happens.'
export const endpointsCouldNotBeLoaded = 'The endpoints could not be loaded'
export const noEndpointsYet = 'No endpoints yet'
export const storeCanSendEachNew =
  'The store can send each new pet, each order and each change to an address of yours.'
export const endpoint = 'Endpoint'
export const added = 'Added'
export const state = 'State'
export const all = 'All'
