import { AnimalStore, StoreError } from '../../clients/typescript/src/index.ts'
import type { Connection } from './connection.ts'
import { exitCodeOf, exitCodes, Refused } from './exit.ts'
import { inOptionWords } from './option-words.ts'

/** Over REST the command is a client like any other, with its pages, its repeats and its exact numbers. */
export function openStore({ url, key }: Connection): AnimalStore {
  return new AnimalStore({ url, key, deadlineMs: 30_000 })
}

/** Refuses an address or a key that cannot be one before anything is sent. The key itself is never shown. */
export function requireUsable(connection: Connection): Connection {
  try {
    openStore(connection)
    return connection
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const [{ field = '', message = error.message } = {}] = error.details
    const { url, urlFrom, keyFrom } = connection
    // An address with an @ may have a password in it.
    const address = url.includes('@') ? 'The address' : `The address ${JSON.stringify(url)}`
    const what = field === 'url' ? `${address} (from ${urlFrom})` : `The key (from ${keyFrom})`
    const details = [{ field: `--${field}`, message }]
    throw new Refused(`${what} ${message}.`, exitCodes.wrongInput, 'invalid_input', details)
  }
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
