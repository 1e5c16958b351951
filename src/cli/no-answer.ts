import { reasonOf } from '../../clients/typescript/src/errors.ts'
import { exitCodes, Refused } from './exit.ts'

/** The refusal if no answer comes from the address. */
export const noAnswer = (url: string, failure: unknown) =>
  new Refused(
    `No Animal Store answers at ${url}${reasonOf(failure)}. Is it running, and is the address right (--url, ANIMAL_STORE_URL)?`,
    exitCodes.failed,
    'connection_failed',
  )
