import { InvalidArgumentError } from 'commander'

/** Parses an option that is a count. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Parses an id of 64 bits exactly. */
export function exactNumber(text: string): bigint {
  if (!/^-?\d{1,20}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return BigInt(text)
}
