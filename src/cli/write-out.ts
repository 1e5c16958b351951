import { exitCodes, Refused } from './exit.ts'

/** Writes as fast as somebody reads, so that a million pets need no memory. */
export async function writeOut(stream: ReadableStream<Uint8Array>): Promise<void> {
  const bytes = stream[Symbol.asyncIterator]()
  for (;;) {
    const { value, done } = await bytes.next().catch(brokenOff)
    if (done) return
    if (!process.stdout.write(value)) await new Promise(resolve => process.stdout.once('drain', resolve))
  }
}

function brokenOff(): never {
  throw new Refused('The answer broke off: what was written is not whole.', exitCodes.failed)
}
