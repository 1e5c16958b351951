import type { Connection } from './connection.ts'
import { exitCodeOf, exitCodes, Refused } from './exit.ts'
import type { TypedDocumentString } from './generated/operations.ts'

type Reply<Result> = {
  data?: Result | null
  errors?: { message: string; extensions?: { status?: number } }[]
}

const patienceMs = 30_000

/** A root field is null only beside the error that says why. */
type Whole<Result> = { [Field in keyof Result]: NonNullable<Result[Field]> }

/** Sends an operation to the service and gives its data, or says in one sentence why there is none. */
export async function send<Result, Variables>(
  { url, key }: Connection,
  operation: TypedDocumentString<Result, Variables>,
  variables: Variables,
): Promise<Whole<Result>> {
  const reply = await post<Whole<Result>>(
    url,
    key,
    JSON.stringify({ query: operation.toString(), variables }),
  )
  const [error] = reply.errors ?? []
  if (error) throw new Refused(error.message, exitCodeOf(error.extensions?.status ?? 500))
  if (!reply.data) throw new Refused(`${url} did not answer as an Animal Store does.`, exitCodes.failed)
  return reply.data
}

async function post<Result>(url: string, key: string, body: string): Promise<Reply<Result>> {
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
      },
      body,
      signal: AbortSignal.timeout(patienceMs),
    })
    return (await response.json()) as Reply<Result>
  } catch {
    throw new Refused(
      `No Animal Store answers at ${url}. Is it running, and is ANIMAL_STORE_URL right?`,
      exitCodes.failed,
    )
  }
}
