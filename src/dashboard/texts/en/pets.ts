import type { ReactNode } from 'react'
import { number } from '../format.ts'
import { pluralsOf } from '../plural.ts'
import { woven } from '../woven.ts'
import { language } from './language.ts'

const plural = pluralsOf(language)
const petsIn = (count: number) => `${number(count)} ${plural(count, { one: 'pet', other: 'pets' })}`
const requestsIn = (count: number) =>
  `${number(count)} ${plural(count, { one: 'request', other: 'requests' })}`
const linesIn = (count: number) =>
  `${number(count)} ${plural(count, { one: 'line has', other: 'lines have' })}`

export const areAsTheyWere = (count: number, pets: string) =>
  plural(count, { one: `${pets} is as it was.`, other: `${pets} are as they were.` })
export const areBack = (count: number, pets: string) =>
  plural(count, { one: `${pets} is back.`, other: `${pets} are back.` })
export const atMostPetsAtOnce = (most: string) =>
  `At most ${most} pets can be changed or deleted at once. Choose fewer.`
export const bytes = (count: number) => `${number(count)} ${plural(count, { one: 'byte', other: 'bytes' })}`
export const categoryNumber = (categoryId: string) => `category ${categoryId}`
export const count = petsIn
export const countOf = (done: string, count: number) => `${done} of ${petsIn(count)}`
export const exportCosts = (requests: number) => `It costs ${requestsIn(requests)}.`
export const exportOfAll = 'All pets, as a file that can be imported again.'
export const exportOfMatching = 'Pets that match the list’s filters, as a file that can be imported again.'
export const fileInWords = (parts: string) => `${parts}.`
export const firstOfFile = (count: string) => `The first ${count} pets of the file`
export const idAndCategory = (id: string, category: string) => `Id ${id}, ${category}`
export const importCosts = (requests: number) => `Uses ${requestsIn(requests)}.`
export const importCount = (count: number) => `Import ${petsIn(count)}`
export const importOthers = (count: number) => `Import the other ${petsIn(count)}`
export const importThenGoesOn = 'The import then continues after the pets that are already imported.'
export const imported = (pets: string) => `${pets} imported.`
export const importedOthersNot = (pets: string) => `${pets} imported, the others not`
export const importedTryingAgain = (pets: string) => `${pets} imported. Trying again goes on with the others.`
export const kilobytes = (count: string) => `${count} KB`
export const linesToCorrect = (count: number, file: string) =>
  `${linesIn(count)} to be corrected in ${file}. Correct the lines below, then choose the file again.`
/** @public */
export const marked = {
  available: (pets: string) => `Marked ${pets} as available.`,
  pending: (pets: string) => `Marked ${pets} as pending.`,
  sold: (pets: string) => `Marked ${pets} as sold.`,
  unset: (pets: string) => `Marked ${pets} as without a status.`,
}
export const megabytes = (count: string) => `${count} MB`
export const minutesLeft = (minutes: string) => `${minutes} min left`
export const moreLinesToCorrect = (count: number, file: string) =>
  `More than ${linesIn(count)} to be corrected in ${file}. Correct these first, then choose the file again.`
export const movedTo = (categoryId: string) => (pets: string) => `Moved ${pets} to category ${categoryId}.`
export const moveToCategory = (count: number) =>
  plural(count, { one: 'Move one pet to a category', other: `Move ${petsIn(count)} to a category` })
export const noneWithStatus = {
  available: 'No available pets',
  pending: 'No pending pets',
  sold: 'No sold pets',
}
export const ofThemImported = (count: string) => `${count} of them imported`
export const perSecond = (count: string) => `${count} a second`
export const secondsLeft = (seconds: string) => `${seconds} s left`
/** @public */
export const statuses = { available: 'available', pending: 'pending', sold: 'sold' }
export const addAnother = 'Then add another pet'
export const addedNameWithIdId = (name: string, id: string) => `Added ${name} with the id ${id}.`
export const addPet = 'Add pet'
export const petCouldNotBeAdded = 'The pet could not be added'
export const adding = 'Adding…'
export const available = 'Available'
export const pending = 'Pending'
export const sold = 'Sold'
export const withoutStatus = 'Without a status'
export const pets = 'pets'
export const markAsChosenPets = 'Mark as: the chosen pets'
export const markAs = 'Mark as'
export const move = 'Move'
export const exportIt = 'Export'
export const deleteIt = 'Delete'
export const nameIsAsItWas = (name: string) => `${name} is as it was.`
export const changedName = (name: string) => `Changed ${name}.`
export const couldNotBeUndone = (message: string) => `This couldn’t be undone. ${message}`
export const couldNotBeUndoneAfterChange = 'This couldn’t be undone, because something has changed since.'
export const editName = (name: string) => `Edit ${name}`
export const petCouldNotBeChanged = 'The pet could not be changed'
export const save = 'Save'
export const saving = 'Saving…'
export const petsExported = 'Pets exported.'
export const exportPets = 'Export pets'
export const format = 'Format'
export const csvForSpreadsheets = 'CSV, for spreadsheets'
export const ndjsonPetLineForPrograms = 'NDJSON, a pet a line, for programs'
export const askingWhatItCosts = 'Asking what it costs…'
export const petsCouldNotBeExported = 'The pets could not be exported'
export const stop = 'Stop'
export const cancel = 'Cancel'
export const exporting = 'Exporting…'
export const writeOnePetAsJson = 'Write one pet as JSON, such as {"name":"Biscuit","categoryId":7}.'
export const lineHasOtherFields = 'This line has $2 fields; it must have $1, like the first line.'
export const saveFileAsUtf8 = 'Save the file as UTF-8.'
export const shortenItTo1 = 'Shorten it to $1.'
export const closeQuoteThatBeginsHere = 'Close the quote that begins here.'
export const putWholeFieldInQuotes = 'Put the whole field in quotes, and write each quote inside twice.'
export const putCommaRightBehindClosing = 'Put a comma right behind the closing quote.'
export const firstLineMustContainColumn = 'The first line must contain a column with this name.'
export const onlyOneColumnMayHave = 'Only one column may have this name.'
export const spellColumnInFirstLine = 'Spell the column in the first line exactly like this.'
export const removeUnreadableCharactersAndLine = 'Remove unreadable characters and line breaks.'
export const useAvailablePendingOrSold = 'Use available, pending or sold, or leave it empty.'
export const storeCannotReadThis = 'The store cannot read this.'
export const name = 'Name'
export const category = 'Category'
export const status = 'Status'
export const wholeLine = 'Whole line'
export const chooseAnotherFile = 'Choose another file'
export const chooseFileOrDropIt = 'Choose a file, or drop it here'
export const csvWithColumnsNameCategoryId =
  'CSV with the columns name, categoryId and status, or NDJSON, a pet a line. Up to 1,000,000 pets or 100 MB.'
export const thisFileCannotBeImported = 'This file cannot be imported'
export const splitItOrLetCommand = (command: ReactNode) =>
  woven`Split it, or let the command line do that: ${command}`
export const yourRequestsAreUsedUp = 'Your requests are used up for now.'
export const ifTheyWereImportedAll = 'If the pets were imported anyway, trying again does not add them twice.'
export const tryAgainInLeft = (left: ReactNode) => woven`Try again in ${left}.`
export const stopped = 'Stopped'
export const noAnswer = 'No answer'
export const tooManyRequests = 'Too many requests'
export const petsAreNotImported = 'The pets are not imported'
export const noPetIsImported = 'No pet is imported'
export const whatIsWrongByLine = 'Errors, line by line'
export const line = 'Line'
export const column = 'Column'
export const whatToDo = 'What to do'
export const chooseOneFileAtTime = 'Choose one file at a time.'
export const itCannotBeRead = 'It cannot be read.'
export const importPets = 'Import pets'
export const importingStayOnThisPage = 'Importing. Stay on this page.'
export const yourRequestsAreUsedUpForNow = (left: ReactNode) =>
  woven`Your requests are used up for now. Goes on in ${left}.`
export const importing = 'Importing…'
export const readingFile = 'Reading the file…'
export const importIt = 'Import'
export const tryAgain = 'Try again'
export const itIsLargerThan100 = 'It is larger than 100 MB, the most for the dashboard.'
export const itHasMoreThan1 = 'It has more than 1,000,000 pets, the most for the dashboard.'
export const itHoldsNoPets = 'It holds no pets.'
export const itsLinesEndWithCarriage =
  'Its lines end with carriage returns only. Save it in another CSV format, such as CSV UTF-8.'
export const itsColumnsAreSeparatedBy =
  'Its columns are separated by semicolons or tabs. Separate them with commas.'
export const itCannotBeReadWas = 'It cannot be read. Was it moved or changed, or is it a folder?'
export const thisIsntTextFileSave = 'This isn’t a text file. Save your spreadsheet as CSV first.'
export const itIsOneJsonList = 'It is one JSON list. Write each pet on a line of its own.'
export const file = 'The file'
export const petsOfFile = 'The pets of the file'
export const empty = 'empty'
export const notSet = 'not set'
export const youStoppedImport = 'You stopped the import.'
export const answerOfStoreWasLost = 'The answer of the store was lost on the way. Try again.'
export const chooseCategoryByItsName = 'Choose a category by its name, or enter another number.'
export const moving = 'Moving…'
export const noPetsMatchYourSearch = 'No pets match your search'
export const noMatchesSoFar = 'No matches so far. The next page keeps searching.'
export const tryDifferentNameCategoryOr = 'Try a different name, category or status.'
export const chooseAnotherStatusToSee = 'Choose another status to see the others.'
export const storeIsEmpty = 'The store is empty'
export const addFirstPetHereOr = 'Add the first pet here, or over REST or GraphQL.'
export const deletedPets = (pets: string | number) => `Deleted ${pets}.`
export const notDeleted = 'Not deleted.'
export const noPetWasDeleted = 'No pet was deleted.'
export const noPetWasChanged = 'No pet was changed.'
export const petsCouldNotBeLoaded = 'The pets could not be loaded'
export const petsCouldNotBeLoadedBecause = (message: string) => `The pets could not be loaded. ${message}`
export const latestVersionCouldNotBe = 'The latest version could not be loaded'
export const someoneElseEditedThisPet = 'Someone else edited this pet'
export const petIsAlreadyAsYou = 'The pet is already as you entered it'
export const close = 'Close'
export const field = 'Field'
export const yours = 'Yours'
export const latest = 'Latest'
export const notSetInCell = 'Not set'
export const saveMine = 'Save mine'
export const useLatest = 'Use the latest'
export const enterNameOfAtMost = 'Enter a name of at most 255 characters.'
export const enterNumberOfCategorySuch = 'Enter the number of a category, such as 7.'
export const chooseOneOfThese = 'Choose one of these.'
export const all = 'All'
export const title = 'Pets'
export const showByStatus = 'Show by status'
export const searchByName = 'Search by name'
export const id = 'Id'
export const actions = 'Actions'
export const actionsForName = (name: string) => `Actions for ${name}`
export const edit = 'Edit'
export const placeOrder = 'Place order'
export const everythingInYourStoreViewing =
  'Everything in your store. Viewing and editing count against your requests per minute.'
export const dropFileToLookAt = 'Drop the file to see its pets before the import'
export const choosePetFromListOr = 'Choose a pet from the list, or enter its id.'
export const enterAtMost100Characters = 'Enter at most 100 characters.'
export const enterAtMost1000 = 'Enter at most 1,000 characters.'
export const placedOrderIdForPetName = (id: string, petName: string) => `Placed order ${id} for ${petName}.`
export const placeOrderForName = (name: string) => `Place an order for ${name}`
export const newOrder = 'New order'
export const petIsPendingUntilOrder = 'The pet is pending until the order is delivered or cancelled.'
export const pet = 'Pet'
export const choosePetByPartOf = 'Choose a pet by a part of its name, or enter its id.'
export const reference = 'Reference'
export const yourOwnUniqueOrderReference = 'Your own unique order reference. Optional.'
export const note = 'Note'
export const optionalAnythingYoudLikeTo = 'Optional. Anything you’d like to note.'
export const orderCouldNotBePlaced = 'The order could not be placed'
export const placing = 'Placing…'
