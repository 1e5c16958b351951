import type { Response } from 'express'
import { actAs, recordAct } from '../core/acts.ts'
import { StoreError } from '../core/errors.ts'
import { acceptedOrRefused } from '../limiter/decision.ts'
import type { Tools } from '../tools.ts'
import { actOf } from './acts.ts'

/**
 * The most audit entries for one API key, over all processes, so that a script that repeats its mistake does not fill
 * the log.
 */
const windows = [{ name: 'minute', seconds: 60, limit: 10 }]

const doorOfRoute: Partial<Record<string, 'graphql' | 'mcp'>> = { '/graphql': 'graphql', '/mcp': 'mcp' }

/** Adds an audit entry if the request was refused because its API key lacks a scope. The answer does not wait for it. */
export function noteRefusedTry(tools: Tools, response: Response, thrown: unknown, operation: string): void {
  const { caller, route = '' } = response.locals
  if (!isRefusedTry(thrown) || !caller || caller.person) return
  const { project, key } = caller
  const entry = {
    ...{ projectId: project.id, type: 'api_key.refused', subject: `api_key:${key.id}` },
    data: { id: key.id, message: thrown.message, operation },
  }
  const door = doorOfRoute[route] ?? 'rest'
  const act = () => actOf(tools.config, response.req, response, door)
  void acceptedOrRefused(tools.limiter.consume(`refused-tries:${key.id}`, 1, { windows }))
    .then(({ outcome }) => {
      if (outcome === 'accepted') return actAs(act, () => recordAct(tools.db, entry))
    })
    .catch(error => tools.database.outage.note(error) || tools.log.error({ error }, 'unhandled error'))
}

export const isRefusedTry = (thrown: unknown): thrown is StoreError =>
  thrown instanceof StoreError && thrown.code === 'insufficient_scope'
