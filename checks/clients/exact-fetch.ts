/** Matches integers with at least 16 digits, outside strings: JSON.parse would round them. */
const longIntegers = /("(?:[^"\\]|\\.)*")|(-?\d{16,})(?![.\deE])/g

/**
 * Returns the JSON text with each long integer written as a string. The generated types of int64 members also allow
 * strings, and BigInt reads a string without rounding.
 */
export const quoteLongIntegers = (json: string): string =>
  json.replace(longIntegers, (token, text: string | undefined) => (text ? token : `"${token}"`))

/** A replacement of fetch, for generators that allow one. */
export const fetchQuoted: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const { status, statusText, headers } = response
  return new Response(quoteLongIntegers(await response.text()), { status, statusText, headers })
}

/** The function that orval calls instead of fetch. */
export async function exactFetch<Result>(path: string, init: RequestInit): Promise<Result> {
  const { ANIMAL_STORE_URL = '', ANIMAL_STORE_KEY = '' } = process.env
  const response = await fetch(`${ANIMAL_STORE_URL}/v1${path}`, {
    ...init,
    headers: {
      ...Object.fromEntries(new Headers(init.headers)),
      authorization: `Bearer ${ANIMAL_STORE_KEY}`,
    },
  })
  const data = JSON.parse(quoteLongIntegers(await response.text()), (name, value) =>
    /^(id|categoryId)$/.test(name) ? BigInt(value) : value,
  )
  return { data, status: response.status, headers: response.headers } as Result
}
