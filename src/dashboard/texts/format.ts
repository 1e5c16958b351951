import { language } from '#language/language.ts'

/** Dates and numbers are written as in the reader's own language and region. */
export const reader = readersLanguage()

/** Chromium on a system without a language, for example with `LANG=C`, reports `en-US@posix`, which `Intl` refuses. */
function readersLanguage(): string {
  try {
    return Intl.getCanonicalLocales(navigator.language.replace(/@.*/, ''))[0] ?? language
  } catch {
    return language
  }
}

const count = new Intl.NumberFormat(reader)
export const number = (value: number) => count.format(value)
const padded = new Intl.NumberFormat(reader, { minimumIntegerDigits: 2 })
export const twoDigits = (value: number) => padded.format(value)
const short = new Intl.NumberFormat(reader, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
export const withOneDecimal = (value: number) => short.format(value)
const rounded = new Intl.NumberFormat(reader, { maximumSignificantDigits: 2 })
export const withTwoDigits = (value: number) => rounded.format(value)

const speller = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(reader, options)
  return (moment: string) => format.format(new Date(moment))
}
/** Formats in the reader's time zone. */
export const dateAndTime = speller({ dateStyle: 'medium', timeStyle: 'short' })
export const date = speller({ dateStyle: 'medium' })
export const dayAndTime = speller({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
export const time = speller({ hour: '2-digit', minute: '2-digit' })
export const timeWithSeconds = speller({ timeStyle: 'medium' })
/** Formats in UTC, so that a day of the store has the same date in every time zone. */
export const utcDate = speller({ dateStyle: 'medium', timeZone: 'UTC' })
export const utcLongDate = speller({ dateStyle: 'long', timeZone: 'UTC' })
export const utcDay = speller({ day: 'numeric', month: 'short', timeZone: 'UTC' })

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
// Uses the language of the texts, because the result is part of a sentence.
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

/** "3 hours ago" */
export function fromNow(seconds: number): string {
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? units[3]
  return relative.format(Math.round(seconds / size), unit)
}

// Uses the language of the texts, because the results are parts of sentences.
const all = new Intl.ListFormat(language, { type: 'conjunction' })
const parts = new Intl.ListFormat(language, { type: 'unit', style: 'short' })
/** "a, b and c" */
export const listOf = (texts: readonly string[]) => all.format(texts)
/** "a, b, c" */
export const partsOf = (texts: readonly string[]) => parts.format(texts)
