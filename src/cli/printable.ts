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

/** Makes a text of one line safe for a terminal: escapes control characters as JSON does. */
export const printable = (text: string) => text.replace(unsafe, escapeSign)

/** Like `printable`, but keeps line breaks. */
export const printableLines = (text: string) => text.replace(unsafeInLines, escapeSign)

/** Like `printableLines`, but keeps the colours of the command's own tables. */
export const printableOutput = (text: string) => text.replace(unsafeInOutput, escapeSign)

/** Number of terminal columns of a printable text: two for a wide character, none for a combining mark. */
export const widthOf = (text: string) => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text))

const graphemes = new Intl.Segmenter()

/** Returns the text if it fits into `columns`, or else its beginning and an ellipsis. */
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
