import { fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'

export type Output = Writable & { isTTY?: boolean }

/**
 * Opens the standard output. If it is a file, writes each text until all of its bytes are taken: `process.stdout` ignores
 * that a full disk has taken only a part.
 */
export function openOutput(): Output {
  if (!fstatSync(1).isFile()) return process.stdout
  return new Writable({
    write(bytes: Buffer, _encoding, done) {
      try {
        for (let taken = 0; taken < bytes.length; ) taken += writeSync(1, bytes, taken)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}
