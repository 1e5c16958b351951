import { InvalidArgumentError } from 'commander'

/** Reads an option that counts something. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Reads an id of 64 bits, exact to the last digit. */
export function exactNumber(text: string): bigint {
  if (!/^-?\d{1,20}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return BigInt(text)
}
