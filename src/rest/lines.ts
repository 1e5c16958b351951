import { isUtf8 } from 'node:buffer'
import { bodyLimitBytes } from '../http/answer.ts'

/** Hears of each line by its number, from 1 on: its text without the line feed, or what is wrong with it. */
export type TakesLines = {
  line(number: number, text: string): void
  refuse(number: number, message: string): void
  /** No line comes any more. */
  end(): void
}

const lineFeed = Buffer.from('\n')
/** No line holds more than a pet that is added alone may. */
export const tooLong = `is longer than ${bodyLimitBytes / 1024} KiB`

/** Cuts bytes into lines as they come, and holds no more of them than the line that has not ended. */
export function openLines(taker: TakesLines) {
  let number = 0
  let held: Buffer[] = []
  let heldBytes = 0

  function hold(bytes: Buffer): void {
    heldBytes += bytes.length
    if (heldBytes > bodyLimitBytes) held = []
    else held.push(bytes)
  }

  /** Many lines are read as one text: each by itself would cost ten times as much, and a body may be of empty ones alone. */
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
      else tell(isText ? line : textOf(line))
      isTooLong = false
    }
  }

  function tell(line: string | null): void {
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

/** By its bytes, which are what is held of it while it comes; few lines are long enough to be counted. */
function isOverLimit(line: string, isText: boolean): boolean {
  const mayBe = isText && line.length * 3 > bodyLimitBytes
  return (mayBe ? Buffer.byteLength(line) : line.length) > bodyLimitBytes
}

/** The text of bytes that stand here one character each; null where they are none. */
function textOf(bytes: string): string | null {
  if (!/[\x80-\xff]/.test(bytes)) return bytes
  const buffer = Buffer.from(bytes, 'latin1')
  return isUtf8(buffer) ? buffer.toString() : null
}
