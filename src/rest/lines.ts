import { isUtf8 } from 'node:buffer'
import { bodyLimitBytes } from '../http/answer.ts'

/**
 * Takes the lines that `openLines` finds. `line` gets the text of a valid line, without the line feed. `refuse` gets
 * the fault of an invalid line. Lines are numbered from 1.
 */
export type TakesLines = {
  line(number: number, text: string): void
  refuse(number: number, message: string): void
  /** Called after the last line. */
  end(): void
}

const lineFeed = Buffer.from('\n')
/** A line is limited to the size of a body with a single pet. */
const tooLong = `is longer than ${bodyLimitBytes / 1024} KiB`

/** Splits arriving bytes into lines. Buffers only the unfinished line. */
export function openLines(taker: TakesLines) {
  let number = 0
  let held: Buffer[] = []
  let heldBytes = 0

  function hold(bytes: Buffer): void {
    heldBytes += bytes.length
    if (heldBytes > bodyLimitBytes) held = []
    else held.push(bytes)
  }

  /**
   * Decodes many lines as one text: decoding each alone costs ten times as much, and a body may consist of empty lines.
   */
  function endLines(last: Buffer): void {
    const bytes = Buffer.concat([...held, last])
    const isText = isUtf8(bytes)
    const text = bytes.toString(isText ? 'utf8' : 'latin1')
    let isTooLong = heldBytes > bodyLimitBytes
    held = []
    heldBytes = 0
    for (let from = 0, end = 0; from < text.length; from = end + 1) {
      end = text.indexOf('\n', from)
      const line = text.slice(from, end)
      number++
      if (isTooLong || isOverLimit(line, isText)) taker.refuse(number, tooLong)
      else emit(isText ? line : textOf(line))
      isTooLong = false
    }
  }

  function emit(line: string | null): void {
    if (line === null) taker.refuse(number, 'is not UTF-8')
    else taker.line(number, number === 1 && line.startsWith('\ufeff') ? line.slice(1) : line)
  }

  return {
    take(piece: Buffer): void {
      const end = piece.lastIndexOf('\n') + 1
      if (end > 0) endLines(piece.subarray(0, end))
      if (end < piece.length) hold(piece.subarray(end))
    },
    end(): void {
      if (heldBytes > 0) endLines(lineFeed)
      taker.end()
    },
  }
}

/**
 * Compares the length in bytes. Counts the bytes of a text only if it is long enough to exceed the limit, because few
 * texts are.
 */
function isOverLimit(line: string, isText: boolean): boolean {
  const mayBe = isText && line.length * 3 > bodyLimitBytes
  return (mayBe ? Buffer.byteLength(line) : line.length) > bodyLimitBytes
}

/** Decodes UTF-8 from a string with one character per byte; null if it is invalid. */
function textOf(bytes: string): string | null {
  if (!/[\x80-\xff]/.test(bytes)) return bytes
  const buffer = Buffer.from(bytes, 'latin1')
  return isUtf8(buffer) ? buffer.toString() : null
}
