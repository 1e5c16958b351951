import { exitCodes, Refused } from './exit.ts'
import type { Output } from './output.ts'
import { printableLines } from './printable.ts'

/**
 * Writes and waits until the reader has taken the text, so a million pets need little memory. A file or pipe gets the
 * exact bytes.
 */
export async function writeOut(stream: ReadableStream<Uint8Array>, output: Output): Promise<void> {
  const pieces = stream[Symbol.asyncIterator]()
  const utf8 = new TextDecoder()
  const readable = (text: string) => printableLines(text.replaceAll('\r\n', '\n'))
  let held = ''
  for (;;) {
    const { value, done } = await pieces.next().catch(brokenOff)
    if (done) break
    let piece: Uint8Array | string = value
    if (output.isTTY) {
      const text = held + utf8.decode(value, { stream: true })
      // Hold back a final CR, because its line feed may be in the next piece.
      held = text.endsWith('\r') ? '\r' : ''
      piece = readable(text.slice(0, text.length - held.length))
    }
    if (!output.write(piece)) await new Promise(resolve => output.once('drain', resolve))
  }
  if (held !== '') output.write(readable(held))
}

function brokenOff(error: unknown): never {
  if (error instanceof Refused) throw error
  throw new Refused('The answer ended early, so the output is incomplete.', exitCodes.failed)
}
