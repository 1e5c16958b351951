import type { Request, Response } from 'express'
import type { Config } from '../config.ts'
import type { Act, Actor } from '../core/acts.ts'
import { shownAddress } from './network.ts'

/**
 * Returns the act of a request: its actor (the API key, the person or the operator that sent it), and its IP address,
 * whole or truncated as in the log.
 */
export function actOf(
  { log }: Pick<Config, 'log'>,
  request: Request,
  { locals }: Response,
  door?: Act['door'] & string,
): Act {
  const { requestId } = locals
  const { addresses } = log
  const address = addresses === 'none' ? undefined : shownAddress(request.ip, addresses)
  return { actor: actorOf(locals), ...(door && { door }), address, requestId }
}

function actorOf({ caller, operator, person }: Response['locals']): Actor {
  if (caller?.person) return { type: 'person', id: caller.person.id, name: 'a person' }
  if (caller) return { type: 'api_key', id: caller.key.id, name: caller.key.prefix }
  if (operator) {
    const { name, person: by } = operator
    return { type: 'operator', ...(by && { id: by.id }), name }
  }
  if (person !== undefined) return { type: 'person', id: person, name: 'a person' }
  return { type: 'anonymous', name: 'somebody with the secret' }
}
