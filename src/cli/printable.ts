import stringWidth from 'string-width'

/**
 * Characters that a terminal obeys or reorders instead of showing them: Unicode's Cc (C0, DEL, C1), the line and
 * paragraph separators, and the marks that switch between left-to-right and right-to-left.
 */
const unsafe = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu
const unsafeInLines = /(?!\n)[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours that a table adds.
const unsafeInOutput = /(?!\n|\u001b\[\d+m)[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu

const escapeSign = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text of one line as it may go to a terminal: control characters as JSON would escape them. */
export const printable = (text: string) => text.replace(unsafe, escapeSign)

/** As `printable`, for a text that may have several lines. */
export const printableLines = (text: string) => text.replace(unsafeInLines, escapeSign)

/** As `printableLines`, for the output of a command, in which tables have colours. */
export const printableOutput = (text: string) => text.replace(unsafeInOutput, escapeSign)

/** Columns that a terminal gives a printable text: two for a wide sign, none for a combining mark. */
export const widthOf = (text: string) => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text))

const graphemes = new Intl.Segmenter()

/** The text if it fits into so many columns, else its beginning and an ellipsis. */
export function fitText(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let fitted = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    fitted += segment
  }
  return `${fitted}…`
}
