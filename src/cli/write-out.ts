import { exitCodes, Refused } from './exit.ts'
import { printableLines } from './printable.ts'

/**
 * Writes and waits until the reader has taken the text, so a million pets need little memory. A file or pipe gets the
 * exact bytes.
 */
export async function writeOut(
  stream: ReadableStream<Uint8Array>,
  output: NodeJS.WriteStream = process.stdout,
): Promise<void> {
  const pieces = stream[Symbol.asyncIterator]()
  const utf8 = new TextDecoder()
  for (;;) {
    const { value, done } = await pieces.next().catch(brokenOff)
    if (done) return
    const piece = output.isTTY
      ? printableLines(utf8.decode(value, { stream: true }).replaceAll('\r\n', '\n'))
      : value
    if (!output.write(piece)) await new Promise(resolve => output.once('drain', resolve))
  }
}

function brokenOff(error: unknown): never {
  if (error instanceof Refused) throw error
  throw new Refused('The answer ended early, so the output is incomplete.', exitCodes.failed)
}
