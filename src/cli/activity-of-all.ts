import { setTimeout as pause } from 'node:timers/promises'
import type { Entry, Filters } from './activity-entry.ts'
import { exitCodes, Refused } from './exit.ts'
import {
  ListAllActivityDocument,
  type ListAllActivityQuery,
  type ListAllActivityQueryVariables,
} from './generated/operations.ts'
import type { Connection } from './rest-client.ts'
import { send } from './send.ts'

type Node = NonNullable<ListAllActivityQuery['auditLog']>['nodes'][number]
type Page = { items: Entry[]; nextCursor: string | null }

const mostOnPage = 100
/**
 * The longest wait after the service has refused a request, for example because of the rate limit. If the service
 * demands a longer wait, the command fails.
 */
const longestWaitSeconds = 60

/**
 * Reads the audit log of all projects page by page, the oldest first. Operators can read this log only over GraphQL.
 */
export async function* pagesOfAll(
  operator: Connection,
  { type, ...filters }: Filters,
  { limit = mostOnPage, cursor = null }: { limit?: number | undefined; cursor?: string | null | undefined },
): AsyncGenerator<Page, void> {
  const given = {
    actor: null,
    subject: null,
    since: null,
    until: null,
    ...filters,
    types: type?.split(',') ?? null,
  }
  for (let before = cursor; ; ) {
    const { caller, auditLog } = await sendPatiently(operator, { ...given, last: limit, before })
    // Without the operator's key, the service returns only the entries of one project, so refuse the command.
    if (!caller.operator) {
      const message = 'Only the operator of the service may see the activity of all projects.'
      throw new Refused(message, exitCodes.notAllowed)
    }
    const { nodes, pageInfo } = auditLog
    const nextCursor = pageInfo.hasPreviousPage ? (pageInfo.startCursor ?? null) : null
    yield { items: nodes.toReversed().map(entryOf), nextCursor }
    if (nextCursor === null || nextCursor === before) return
    before = nextCursor
  }
}

/** Sends the request again after each refusal that demands a wait of at most `longestWaitSeconds`, so that a long log is read to its end. */
async function sendPatiently(operator: Connection, variables: ListAllActivityQueryVariables) {
  for (;;) {
    try {
      return await send(operator, ListAllActivityDocument, variables)
    } catch (error) {
      const seconds = error instanceof Refused ? error.retryAfterSeconds : null
      if (seconds === null || seconds > longestWaitSeconds) throw error
      await pause(seconds * 1000)
    }
  }
}

function entryOf({ eventId, projectSlug, at, ...node }: Node): Entry {
  const given = Object.entries(node).filter(([, value]) => value !== null)
  return {
    id: eventId,
    ...(projectSlug && { project: projectSlug }),
    timestamp: at,
    ...Object.fromEntries(given),
  } as Entry
}
