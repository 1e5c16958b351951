import type { ReactNode } from 'react'
import { number } from '../format.ts'
import { pluralsOf } from '../plural.ts'
import { woven } from '../woven.ts'
import { language } from './language.ts'

const plural = pluralsOf(language)

export const andMore = (count: string) => `and ${count} more`
export const andMoreThan = (count: string) => `and more than ${count} more`
export const countAndStatus = (count: string, status: ReactNode) => woven`${count} ${status}`
export const domainsInUse = (count: string, most: string) => `${count} of ${most} domains are in use.`
export const domainsNeedAttention = (count: number) =>
  plural(count, {
    one: 'A domain needs your attention',
    other: `${number(count)} domains need your attention`,
  })
export const getPetIsRemoved = (getPet: ReactNode, day: string) =>
  woven`${getPet} is removed on ${day}. List pets with the status filter instead.`
export const limitReached = 'Limit reached.'
export const noRequestsInTheseDays = 'No requests in these days.'
export const noRequestsInTheseHours = 'No requests in these hours.'
export const pets = (count: number) => `${number(count)} ${plural(count, { one: 'pet', other: 'pets' })}`
export const resetsIn = (left: ReactNode) => woven`Resets in ${left}`
export const statuses = {
  available: 'available',
  pending: 'pending',
  sold: 'sold',
  unset: 'without a status',
}
export const storeIsEmpty = 'The store is empty.'
export const usedOfDay = (used: string, most: string, left: ReactNode) =>
  woven`${used} of this day’s ${most} requests are used; further ones are refused until it resets in ${left}.`
export const usedOfMinute = (used: string, most: string, left: ReactNode) =>
  woven`${used} of this minute’s ${most} requests are used; further ones are refused until it resets in ${left}.`
export const deprecatedApiCalls = 'Deprecated API calls'
export const noDeprecatedApiCalls = 'No deprecated API calls.'
export const onlyKeysUsedLastAreChecked = (count: string) =>
  `Only the ${count} working keys that were used last are checked.`
export const deprecatedApiCallsByKey = 'Deprecated API calls by key'
export const apiKey = 'API key'
export const operation = 'Operation'
export const calls = 'Calls'
export const last = 'Last'
export const details = 'Details'
export const detailsOfDisplayName = (displayName: string) => `Details of ${displayName}`
export const downloadComplete = 'Download complete.'
export const byDayOrHourKey = 'By day or hour, key and API'
export const petsCouldNotBeCounted = 'The pets could not be counted'
export const countPetsAgain = 'Count the pets again'
export const countingCostsOneRequest = 'Counting costs one request'
export const addFirstPet = 'Add the first pet'
export const limitsCouldNotBeLoaded = 'The limits could not be loaded'
export const requests = 'Requests'
export const refreshLimits = 'Refresh the limits'
export const thisKeyIsBannedFor = 'This key is banned for now'
export const itKeptSendingAfterIt = (left: ReactNode, header: ReactNode) =>
  woven`It kept sending after it was refused, or the operator banned it. It works again in ${left}. Until then, your client should wait as long as ${header} says.`
export const thisMinute = 'This minute'
export const today = 'Today'
export const resetsOnYourNextRequest = 'Resets on your next request.'
export const removeUnusedDomains = 'Remove unused domains'
export const nameExpiresInExpiresAt = (name: ReactNode, expiresAt: ReactNode) =>
  woven`${name} expires in ${expiresAt}`
export const approachingLimit = 'Approaching a limit'
export const keyExpiresSoon = 'A key expires soon'
export const keysExpiringSoon = 'Keys expiring soon'
export const goToApiKeys = 'Go to API keys'
export const seeWhichKeysUsedThem = 'See which keys used them'
export const overview = 'Overview'
export const namePlan = (name: string) => `${name} plan`
export const nameAtGlance = (name: string) => `${name} at a glance.`
export const projectCouldNotBeLoaded = 'The project could not be loaded'
export const thisProjectIsSuspended = 'This project is suspended'
export const itsApiKeysAreRefused = 'Its API keys are refused until the operator resumes it. Nothing is lost.'
export const quickStart = 'Quick start'
export const putApiKeyInPlace = 'Put an API key in place of as_….'
export const yourKeyIsFilledIn = 'Your key is filled in as you copy.'
export const restLine = 'the REST line'
export const graphQLLine = 'the GraphQL line'
export const usageCouldNotBeLoaded = 'The usage could not be loaded'
export const howFarBack = 'How far back'
export const daysAreInUtc = 'Days are in UTC.'
export const endpointHasFailedSince = (url: ReactNode, when: ReactNode) =>
  woven`${url} has failed since ${when}.`
export const endpointWasDisabled = (url: ReactNode, when: ReactNode) => woven`${url} was disabled ${when}.`
export const endpointsWithoutEvents = (count: number) =>
  plural(count, {
    one: 'A webhook endpoint does not get its events',
    other: 'Webhook endpoints do not get their events',
  })
export const keyReported = (key: ReactNode, when: ReactNode, _where: string) =>
  woven`${key} was reported ${when}.`
export const keyReportedFoundAt = (key: ReactNode, when: ReactNode, where: string) =>
  woven`${key} was reported ${when}, found at ${where}.`
export const keysFoundInPublic = (count: number) =>
  plural(count, { one: 'An API key was found in public', other: 'API keys were found in public' })
export const itWasRevoked = 'It was revoked.'
export const itWasRotatedAndStill = 'It was rotated and still works for a while.'
export const itNoLongerWorks = 'It no longer works.'
export const itStillWorksRotateIt = 'It still works: rotate it now.'
export const firstSteps = 'First steps'
export const doneOfCountDone = (done: number, count: number) => `${done} of ${count} done`
export const hide = 'Hide'
export const hideFirstSteps = 'Hide the first steps'
export const addPet = 'Add a pet'
export const issueApiKey = 'Issue an API key'
export const publishProject = 'Publish the project'
export const addDomain = 'Add a domain'
export const sendEventsToWebhookEndpoint = 'Send events to a webhook endpoint'
export const isDone = '(done)'
export const isToDo = '(to do)'
