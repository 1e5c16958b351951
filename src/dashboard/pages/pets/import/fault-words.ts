import type { LineFault } from '../../../app/rest.ts'
import { t } from '../../../texts/pages.ts'
import { petWords } from '../pet-fields.tsx'

type Words = [message: RegExp, words: string]

/** Faults of a whole line or column, recognised by the store's message. */
const ofLines: Words[] = [
  [/^must be a JSON object$/, t.pets.writeOnePetAsJson],
  [/^must have (\d+) fields.* it has (\d+)$/, t.pets.lineHasOtherFields],
  [/^is not UTF-8$/, t.pets.saveFileAsUtf8],
  [/^is longer than (.+)$/, t.pets.shortenItTo1],
  [/^has a quote that is never closed$/, t.pets.closeQuoteThatBeginsHere],
  [/^has a quote in a field/, t.pets.putWholeFieldInQuotes],
  [/^has something between a closing quote/, t.pets.putCommaRightBehindClosing],
]
const ofColumns: Words[] = [
  [/^must be the name of a column$/, t.pets.firstLineMustContainColumn],
  [/^must be the name of one column only$/, t.pets.onlyOneColumnMayHave],
  [/^must be spelled /, t.pets.spellColumnInFirstLine],
  [/^must not contain control characters/, t.pets.removeUnreadableCharactersAndLine],
]
const ofFields: Record<string, string> = {
  name: petWords.name,
  categoryId: petWords.categoryId,
  status: t.pets.useAvailablePendingOrSold,
}

/** Describes the fault in the words of the form for a single pet. */
export function wordsOf({ field, message }: LineFault): string {
  for (const [pattern, words] of field === 'line' ? ofLines : ofColumns) {
    const found = pattern.exec(message)
    if (found) return words.replace(/\$(\d)/g, (_, group) => found[group] ?? '')
  }
  return ofFields[field] ?? t.pets.storeCannotReadThis
}

const columns: Record<string, string> = {
  name: t.pets.name,
  categoryId: t.pets.category,
  status: t.pets.status,
}

/**
 * Returns the name of the faulty column for the reader. If the first line of the file is wrong, returns the name that
 * the file must use for the column. For other faults, returns the label of the column in the dashboard.
 */
export function columnOf({ field, message }: LineFault): string {
  if (field === 'line') return t.pets.wholeLine
  return /column|spelled/.test(message) ? field : (columns[field] ?? field)
}
