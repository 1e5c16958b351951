import type { LineFault } from '../../../app/rest.ts'
import { petWords } from '../pet-fields.tsx'

type Words = [message: RegExp, words: string]

/** Faults of a whole line or column, recognised by the store's message. */
const ofLines: Words[] = [
  [/^must be a JSON object$/, 'Write one pet as JSON, such as {"name":"Biscuit","categoryId":7}.'],
  [/^must have (\d+) fields.* it has (\d+)$/, 'Give it $1 fields, as the first line has; here are $2.'],
  [/^is not UTF-8$/, 'Save the file as UTF-8.'],
  [/^is longer than (.+)$/, 'Shorten it to $1.'],
  [/^has a quote that is never closed$/, 'Close the quote that begins here.'],
  [/^has a quote in a field/, 'Put the whole field in quotes, and write each quote inside twice.'],
  [/^has something between a closing quote/, 'Put a comma right behind the closing quote.'],
]
const ofColumns: Words[] = [
  [/^must be the name of a column$/, 'The first line must contain a column with this name.'],
  [/^must be the name of one column only$/, 'Only one column may have this name.'],
  [/^must be spelled /, 'Spell the column in the first line exactly like this.'],
  [/^must not contain control characters/, 'Remove unreadable characters and line breaks.'],
]
const ofFields: Record<string, string> = {
  name: petWords.name,
  categoryId: petWords.categoryId,
  status: 'Use available, pending or sold, or leave it empty.',
}

/** Words the fault like the form for a single pet. */
export function wordsOf({ field, message }: LineFault): string {
  for (const [pattern, words] of field === 'line' ? ofLines : ofColumns) {
    const found = pattern.exec(message)
    if (found) return words.replace(/\$(\d)/g, (_, group) => found[group] ?? '')
  }
  return ofFields[field] ?? 'The store cannot read this.'
}

const columns: Record<string, string> = { name: 'Name', categoryId: 'Category', status: 'Status' }

/** Returns the right name of a misspelled column. */
export function columnOf({ field, message }: LineFault): string {
  if (field === 'line') return 'Whole line'
  return /column|spelled/.test(message) ? field : (columns[field] ?? field)
}
