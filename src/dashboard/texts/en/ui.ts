import type { ReactNode } from 'react'
import { number } from '../format.ts'
import { pluralsOf } from '../plural.ts'
import { woven } from '../woven.ts'
import { language } from './language.ts'

const plural = pluralsOf(language)

export const seconds = (seconds: string) => `${seconds} s`
export const minutes = (minutes: string, seconds: string) => `${minutes} min ${seconds} s`
export const hours = (hours: string, minutes: string) => `${hours} h ${minutes} min`
export const days = (count: number) => `${number(count)} ${plural(count, { one: 'day', other: 'days' })}`
export const percent = (percent: string) => `${percent} %`
/** @public */
export const themes = { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' }
/** @public */
export const used = {
  calm: (used: string, most: string) => `${used} of ${most} requests`,
  near: (used: string, most: string) => `${used} of ${most} requests (nearly used up)`,
  full: (used: string, most: string) => `${used} of ${most} requests (used up)`,
}
export const undo = 'Undo'
export const closeThisMessage = 'Close this message'
export const thisPageCouldNotBe = 'This page could not be loaded'
export const partOfThisPageCouldNot = 'A part of this page could not be loaded. Reload the page to try again.'
export const serviceStillDoesNotAnswer = 'The service still does not answer.'
export const serverIsntRespondingOrNew = 'The server isn’t responding, or a new version was just released.'
export const somethingWentWrongOnThis = 'Something went wrong on this page'
export const errorIsInThisPage = 'The error is in this page; your store is unchanged.'
export const tryAgain = 'Try again'
export const needsScope = (missing: string) => `Needs the scope ${missing}`
export const needsScopeInBrackets = (missing: string) => `(needs the scope ${missing})`
export const inProgress = '(in progress)'
export const copyWhat = (what: string) => `Copy ${what}`
export const copied = 'Copied'
export const copiedWhat = (what: string) => `Copied ${what}.`
export const browserDoesNotAllowCopying = 'The browser does not allow copying. Select the text instead.'
export const ofMaxRequests = (max: string) => `of ${max} requests`
export const titleAnimalStore = (title: string) => `${title} · Animal Store`
export const stillLoadingConnectionIsSlow = 'Still loading. The connection is slow.'
export const loading = 'Loading'
export const noConnection = 'No connection'
export const youDontHaveAccess = 'You don’t have access to this'
export const thisProjectIsSuspended = 'This project is suspended'
export const tooManyRequests = 'Too many requests'
export const thisKeyIsBannedFor = 'This key is banned for now'
export const storeIsNotAvailable = 'The store is not available'
export const addressNamesPageThatThis = 'The link to this page of the list is not valid.'
export const toFirstPage = 'To the first page'
export const youCanTryAgainNow = 'You can try again now.'
export const youCanTryAgainIn = (left: ReactNode) => woven`You can try again in ${left}.`
export const whatIsShownMayBe = (message: string) => `What is shown may be out of date. ${message}`
export const justNow = 'just now'
export const totalAndPage = (total: string, page: string, pages: string) =>
  `${total}, page ${page} of ${pages}`
export const cancel = 'Cancel'
export const youDontHaveAccessTo = (what: string) => `You don’t have access to ${what}`
export const thisNeedsScopeScope = (scope: ReactNode) =>
  woven`This needs the scope ${scope}. Sign in with a key that has it, or ask an owner of the project for another role.`
export const countChangedByOthersShow = (count: string) => `${count} changed by others, show`
export const results = (count: number) =>
  count === 0 ? 'No results' : plural(count, { one: '1 result', other: `${number(count)} results` })
export const nothingIsLeftOnThis = 'Nothing is left on this page'
export const seeAnotherPageForOthers = 'See another page for the others.'
export const noMoreMatches = 'No more matches'
export const searchEndsHere = 'The search ends here. If anything matches, an earlier page shows it.'
export const valuePage = (value: string) => `${value} a page`
export const pages = 'Pages'
export const previous = 'Previous'
export const rowsPage = 'Rows a page'
export const next = 'Next'
export const pagePage = (page: string) => `Page ${page}`
export const pets = 'Pets'
export const categories = 'Categories'
export const petsAndCategories = 'Pets and categories'
export const yourUnsavedChangesAreBack = 'Your unsaved changes are back.'
export const startOver = 'Start over'
export const chooseAllOnThisPage = 'Choose all on this page'
export const chooseName = (name: string) => `Choose ${name}`
export const chosenWhat = (what: string) => `Chosen ${what}`
export const countChosen = (count: string) => `${count} chosen`
export const chooseAllThatMatch = 'Choose all that match'
export const clearChoice = 'Clear the choice'
export const domains = 'Domains'
export const primaryAndRedirects = 'Primary and redirects'
export const general = 'General'
export const members = 'Members'
export const webhooks = 'Webhooks'
export const activity = 'Activity'
export const projectSettings = 'Project settings'
