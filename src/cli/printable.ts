import { eastAsianWidth } from 'get-east-asian-width'

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

/** The characters that take no column of a terminal: combining marks, joiners and the like. */
const withoutColumn = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}]/gu
const emoji =
  /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji}\p{Emoji_Modifier}|\p{Emoji}\ufe0f)/u

/**
 * Number of terminal columns of a printable text: two for a wide character, none for a combining mark. The package
 * string-width has the same rules, but its regular expressions take 30 ms of CPU at each start.
 */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const cluster of clustersOf(text)) {
    if (emoji.test(cluster)) width += 2
    // Compose first: a decomposed Hangul syllable would be counted as several characters.
    else
      for (const character of cluster.normalize('NFC').replace(withoutColumn, ''))
        width += eastAsianWidth(character.codePointAt(0) ?? 0)
  }
  return width
}

let segmenter: Intl.Segmenter | undefined

/** Splits a text into what people call characters. The first call loads 15 ms of tables. */
function* clustersOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter()
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** Returns the text if it fits into `columns`, or else its beginning and an ellipsis. */
export function fitText(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let fitted = ''
  let width = 0
  for (const cluster of clustersOf(text)) {
    width += widthOf(cluster)
    if (width > columns - 1) break
    fitted += cluster
  }
  return `${fitted}…`
}
