import type { ReactNode } from 'react'
import { woven } from '../woven.ts'

export const lastUsedWhen = (when: ReactNode) => woven`Last used ${when}`
export const lastUsedBeforeRotated = (when: ReactNode) => woven`Last used ${when}, before it was rotated`
export const ofKey = (name: string) => `of ${name}`
export const requestsWillStop = (prefix: ReactNode) =>
  woven`Requests with ${prefix} will stop working within a second. This can’t be undone.`
export const secretKey = {
  closeWithout: 'Close without the key',
  copyNow: 'Copy your key now. You won’t be able to see it again.',
  isNotCopied: 'You haven’t copied this key. If you close now, it’s gone.',
  isSaved: 'I’ve saved this key somewhere safe',
  new: 'The new API key',
  the: 'the API key',
}
export const usage = 'Usage'
export const listPets = 'List the pets.'
export const addAndChangePetsAnd = 'Add and change pets, and name categories.'
export const seeOrders = 'See the orders.'
export const placeApproveDeliverAndCancel = 'Place, approve, deliver and cancel orders.'
export const readEvents = 'Read the events of pets, orders and categories.'
export const sendEventsToEndpoints = 'Send events to webhook endpoints.'
export const seeUsageKeysDeploysAnd = 'See usage, keys, deploys and domains, and sign in here.'
export const changeKeysDeploysAndDomains = 'Change keys, deploys and domains.'
export const chooseAtLeastOneOf = 'Choose at least one of these.'
export const chooseDateInFuture = 'Choose a date in the future.'
export const never = 'Never'
export const in30Days = 'In 30 days'
export const in90Days = 'In 90 days'
export const inYear = 'In a year'
export const onCustomDate = 'On a custom date'
export const issuedKeyName = (name: string) => `Issued the key ${name}.`
export const keyName = (name: string) => `The key ${name}`
export const issueApiKey = 'Issue an API key'
export const name = 'Name'
export const eGWebShop = 'e.g. Web shop'
export const labelToHelpYouRecognize = 'A label to help you recognize this key.'
export const permissions = 'Permissions'
export const youDontHaveThisPermission = 'You don’t have this permission.'
export const expires = 'Expires'
export const lastDay = 'Last day'
export const keyExpiresAtEndOf = 'The key expires at the end of this day in your time zone.'
export const chooseDay = 'Choose a day.'
export const keyCouldNotBeIssued = 'The key could not be issued'
export const issueKey = 'Issue key'
export const issuing = 'Issuing…'
export const rotatedExpiring = 'Rotated, expiring'
export const expired = 'Expired'
export const revoked = 'Revoked'
export const rotate = 'Rotate'
export const rename = 'Rename'
export const revoke = 'Revoke'
export const thisSession = 'This session'
export const createdWhen = (when: ReactNode) => woven`Created ${when}`
export const actionsForKeyName = (name: string) => `Actions for the key ${name}`
export const neverUsed = 'Never used'
export const revokedWhen = (when: ReactNode) => woven`Revoked ${when}`
export const expiredOnWhen = (when: string) => `Expired on ${when}`
export const inLeft = (left: ReactNode) => woven`in ${left}`
export const stillInUseLastUsed = (when: ReactNode) =>
  woven`Still in use (last used ${when}). Switch to the new key.`
export const notUsedSinceItWas = 'Not used since it was rotated.'
export const itEndsInLeft = (left: ReactNode) => woven`It ends in ${left}.`
export const usageCouldNotBeLoaded = 'The usage could not be loaded'
export const usageOfName = (name: string) => `Usage of ${name}`
export const howFarBack = 'How far back'
export const daysAreInUtc = 'Days are in UTC.'
export const key = 'Key'
export const lastUsed = 'Last used'
export const actions = 'Actions'
export const active = 'Active'
export const endingSoon = 'Ending soon'
export const inactive = 'Inactive'
export const all = 'All'
export const keysAreShownOnlyOnce = 'Keys are shown only once. Revoking a key takes effect within a second.'
export const apiKeys = 'API keys'
export const searchKeys = 'Search keys'
export const state = 'State'
export const keysCouldNotBeLoaded = 'The keys could not be loaded'
export const noKeysMatchYourSearch = 'No keys match your search'
export const changeSearchOrStateTo = 'Change the search or the state to see others.'
export const noActiveKeys = 'No active keys'
export const noKeyExpiresSoon = 'No key expires soon'
export const noExpiredOrRevokedKeys = 'No expired or revoked keys'
export const noKeys = 'No keys'
export const issueOneToLetProgram = 'Issue one to let a program use the store.'
export const keysThatEndWithinNext = 'Keys that end within the next two weeks are listed here.'
export const revokedAndExpiredKeysAre = 'Revoked and expired keys are listed here.'
export const enterNameOfAtMost = 'Enter a name of at most 100 characters.'
export const renamed = (former: string, name: string) => `Renamed ${former} to ${name}.`
export const renameName = (name: string) => `Rename ${name}`
export const keyCouldNotBeRenamed = 'The key could not be renamed'
export const renaming = 'Renaming…'
export const revokedName = (name: string) => `Revoked ${name}.`
export const revokeName = (name: string) => `Revoke ${name}?`
export const itWasLastUsedWhen = (when: ReactNode) => woven`It was last used ${when}.`
export const itWasNeverUsed = 'It was never used.'
export const thisIsKeyOfThis = 'This is the key of this session: revoking it signs you out.'
export const keyCouldNotBeRevoked = 'The key could not be revoked'
export const revoking = 'Revoking…'
export const endsAtOnce = 'Ends at once'
export const for1Hour = 'For 1 hour'
export const forAnotherDay = 'For another day'
export const forAnotherWeek = 'For another week'
export const forAnother30Days = 'For another 30 days'
export const oldOneHasEnded = 'The old key has ended.'
export const oldKeyKeepsWorkingFor =
  'The old key keeps working for now; the list shows whether it is still used.'
export const rotatedName = (name: string) => `Rotated ${name}.`
export const newKeyName = (name: string) => `The new key ${name}`
export const rotateName = (name: string) => `Rotate ${name}`
export const newKeyWithSameName =
  'A new key with the same name and scopes takes over. Give the users of the old key time to change, or end the old key now.'
export const keepOldKeyActive = 'Keep the old key active'
export const thisIsKeyOfThisSessionOnce =
  'This is the key of this session. Once it ends you will have to sign in with the new one.'
export const keyCouldNotBeRotated = 'The key could not be rotated'
export const rotating = 'Rotating…'
export const copy = 'Copy'
export const done = 'Done'
