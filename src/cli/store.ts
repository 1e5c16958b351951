import { AnimalStore, StoreError } from '../../clients/typescript/src/index.ts'
import type { Connection } from './connection.ts'
import { exitCodeOf, exitCodes, Refused } from './exit.ts'
import { inOptionWords } from './option-words.ts'

/** Over REST the command is a client like any other, with its pages, its repeats and its exact numbers. */
export function openStore({ url, key }: Connection): AnimalStore {
  return new AnimalStore({ url, key, deadlineMs: 30_000 })
}

/** What the client throws becomes the sentence that ends the command. */
export async function inCommandWords<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const { message, details } = inOptionWords(error.message, error.details)
    const exitCode = error.status === null ? exitCodes.failed : exitCodeOf(error.status)
    throw new Refused(message, exitCode, error.code, details)
  }
}
