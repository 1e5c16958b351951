import type { Command } from 'commander'
import { type Detail, exitCodeOf, exitCodes, Refused } from './exit.ts'
import type { TypedDocumentString } from './generated/operations.ts'
import { noAnswer } from './no-answer.ts'
import { withOptionNames } from './option-names.ts'
import type { Connection } from './rest-client.ts'

type Fault = {
  message: string
  extensions?: { status?: number; code?: string; details?: Detail[]; retryAfterSeconds?: number }
}
type Reply<Result> = { data?: Result | null; errors?: Fault[] }
/** A refusal that comes before GraphQL, from the check of the host or from a load balancer, has the form of REST. */
type EarlyRefusal = { code?: unknown; message?: unknown; details?: unknown }

const timeoutMs = 30_000

/** Root fields are never null here: a null root field comes only with an error, which `send` throws. */
type Whole<Result> = { [Field in keyof Result]: NonNullable<Result[Field]> }

/** Sends a GraphQL operation and returns its data. Throws `Refused` with one sentence if it fails. */
export async function send<Result, Variables>(
  { url, key }: Connection,
  operation: TypedDocumentString<Result, Variables>,
  variables: Variables,
  command?: Command,
): Promise<Whole<Result>> {
  const reply = await post<Whole<Result>>(
    url,
    key,
    JSON.stringify({ query: operation.toString(), variables }),
  )
  const [error] = reply.errors ?? []
  if (error) throw refusal(error, command)
  if (!reply.data) throw noStore(url)
  return reply.data
}

function refusal({ message, extensions = {} }: Fault, command: Command | undefined): Refused {
  const { status = 500, code, details = [], retryAfterSeconds } = extensions
  const renamed = withOptionNames(message, details, command)
  return new Refused(renamed.message, exitCodeOf(status), code, renamed.details, retryAfterSeconds)
}

const noStore = (url: string) =>
  new Refused(`${url} did not answer as an Animal Store does.`, exitCodes.failed)

async function post<Result>(url: string, key: string, body: string): Promise<Reply<Result>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
    },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(failure => {
    throw noAnswer(url, failure)
  })
  const reply: Reply<Result> & EarlyRefusal = Object(
    await response.json().catch(() => {
      throw noStore(url)
    }),
  )
  const { code, message, details } = reply
  if (typeof code === 'string' && typeof message === 'string')
    throw new Refused(message, exitCodeOf(response.status), code, Array.isArray(details) ? details : [])
  return reply
}
