import { InvalidArgumentError } from 'commander'

/** Parses the value of an option that counts something. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Parses the number of a line, which is at least 1. */
export function lineNumber(text: string): number {
  const line = wholeNumber(text)
  if (line === 0) throw new InvalidArgumentError('The first line is line 1.')
  return line
}

/** Parses a 64-bit id without losing digits. */
export function exactNumber(text: string): bigint {
  if (!/^-?\d{1,20}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return BigInt(text)
}
