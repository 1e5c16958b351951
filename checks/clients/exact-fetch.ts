/** Matches integers with at least 16 digits, outside strings: JSON.parse would round them. */
const longIntegers = /("(?:[^"\\]|\\.)*")|(-?\d{16,})(?![.\deE])/g

/**
 * Returns the JSON text with each long integer written as a string. The generated types of int64 members also allow
 * strings, and BigInt reads a string without rounding.
 */
export const quoteLongIntegers = (json: string): string =>
  json.replace(longIntegers, (token, text: string | undefined) => (text ? token : `"${token}"`))

/**
 * A replacement of fetch, for generators that allow one. Exports, event streams and answers without a body (204, 304)
 * are returned unread.
 */
export const fetchQuoted: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (!hasJson(response)) return response
  const { status, statusText, headers } = response
  return new Response(quoteLongIntegers(await response.text()), { status, statusText, headers })
}

const hasJson = ({ body, headers }: Response) =>
  body !== null && headers.get('content-type')?.startsWith('application/json') === true

/** The int64 members of openapi.yaml. */
export const int64Members = [
  ...['after', 'categoryId', 'delivered', 'event', 'failed', 'faulty', 'firstId', 'id', 'ids', 'lastId'],
  ...['movedTo', 'number', 'petId', 'refusals', 'requests', 'served'],
]

/**
 * Converts each int64 to a bigint. The names of the elements of `ids` are digits. Some members called `id` are texts,
 * such as the id of an event, and stay texts.
 */
function toBigInt(name: string, value: unknown): unknown {
  const isInt64 = int64Members.includes(name) || /^\d+$/.test(name)
  const isInteger = typeof value === 'number' || (typeof value === 'string' && /^-?\d{16,}$/.test(value))
  return isInt64 && isInteger ? BigInt(value) : value
}

/** The function that hey-api calls with each answer, which it has read through `fetchQuoted` and JSON.parse. */
export const toExact = async (data: unknown): Promise<unknown> => JSON.parse(JSON.stringify(data), toBigInt)

/**
 * The function that orval calls instead of fetch. As in the functions that orval generates without it, `stream` is the
 * unread answer of an export.
 */
export async function exactFetch<Result>(path: string, init: RequestInit): Promise<Result> {
  const { ANIMAL_STORE_URL = '', ANIMAL_STORE_KEY = '' } = process.env
  const response = await fetch(`${ANIMAL_STORE_URL}/v1${path}`, {
    ...init,
    headers: {
      ...Object.fromEntries(new Headers(init.headers)),
      authorization: `Bearer ${ANIMAL_STORE_KEY}`,
    },
  })
  const { status, headers } = response
  if (!hasJson(response)) return { stream: response, status, headers } as Result
  return { data: JSON.parse(quoteLongIntegers(await response.text()), toBigInt), status, headers } as Result
}
