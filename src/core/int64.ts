export const leastInt64 = -(2n ** 63n)
export const mostInt64 = 2n ** 63n - 1n

export function isInt64(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= leastInt64 && value <= mostInt64
}

/** Parses the canonical decimal form of an int64. Returns null for any other text. */
export function parseInt64(text: string): bigint | null {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return null
  const value = BigInt(text)
  return isInt64(value) ? value : null
}

/** Longer than any useful spelling of an int64: sign, digits, a fraction of zeros, an exponent. */
const longestNumber = 64

/** Converts a JSON number to an exact bigint. Returns null if it is not an integer in the range of int64. */
export function exactInt64(number: string): bigint | null {
  if (number.length > longestNumber) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return 0n
  const significant = digits.replace(/(?<!0)0+$/, '')
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length
  if (zeros < 0 || significant.length + zeros > 19) return null
  return parseInt64(sign + significant + '0'.repeat(zeros))
}
