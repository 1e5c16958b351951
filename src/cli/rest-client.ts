import type { Command } from 'commander'
import { readBase } from '../../clients/typescript/src/address.ts'
import { AnimalStore, StoreError } from '../../clients/typescript/src/index.ts'
import { type ExitCode, exitCodeOf, exitCodes, Refused } from './exit.ts'
import { withOptionNames } from './option-names.ts'

/** Address and key of the service, each with the place it was found in. */
export type Connection = { url: string; urlFrom: string; key: string; keyFrom: string }

/** A typed client for the command's REST calls. */
export function openRestClient({ url, key }: Connection): AnimalStore {
  return new AnimalStore({ url, key, deadlineMs: 30_000 })
}

/** Refuses an unusable address or key before anything is sent, without showing the key. */
export function requireUsable(connection: Connection): Connection {
  requireAddress(connection)
  refuseWith(`The key (from ${connection.keyFrom})`, () => openRestClient(connection))
  return connection
}

/** Refuses an unusable address. */
export function requireAddress({ url, urlFrom }: Pick<Connection, 'url' | 'urlFrom'>): void {
  // An address with an @ may contain a password, so do not show it.
  const address = url.includes('@') ? 'The address' : `The address ${JSON.stringify(url)}`
  refuseWith(`${address} (from ${urlFrom})`, () => readBase(url))
}

function refuseWith(what: string, validate: () => unknown): void {
  try {
    validate()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const [{ field = '', message = error.message } = {}] = error.details
    const details = [{ field: `--${field}`, message }]
    throw new Refused(`${what} ${message}.`, exitCodes.wrongInput, 'invalid_input', details)
  }
}

/** Converts errors of the REST client to refusals of the command. */
export async function withCommandErrors<Result>(call: Promise<Result>, command?: Command): Promise<Result> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const { message, details } = withOptionNames(error.message, error.details, command)
    throw new Refused(message, exitCodeOfError(error), error.code, details)
  }
}

/** The client refuses some input before it sends anything, so the error then has no status. */
function exitCodeOfError({ code, status }: StoreError): ExitCode {
  if (code === 'invalid_input') return exitCodes.wrongInput
  return status === null ? exitCodes.failed : exitCodeOf(status)
}
