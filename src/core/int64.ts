export const leastInt64 = -(2n ** 63n)
export const mostInt64 = 2n ** 63n - 1n

export function isInt64(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= leastInt64 && value <= mostInt64
}

/** The int64 that a text writes in its one canonical form, or null. */
export function parseInt64(text: string): bigint | null {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return null
  const value = BigInt(text)
  return isInt64(value) ? value : null
}

/** A JSON number as an exact bigint if it is an integer in int64, however it is spelled (1e3, 1.0); or null. */
export function exactInt64(number: string): bigint | null {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return 0n
  const significant = digits.replace(/0+$/, '')
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length
  if (zeros < 0 || significant.length + zeros > 19) return null
  return parseInt64(sign + significant + '0'.repeat(zeros))
}
