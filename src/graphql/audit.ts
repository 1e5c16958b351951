import { operatorInLog } from '../core/people/operators.ts'
import type { Context } from './context.ts'

/** Logs a manual change by an operator, even if only a share of the requests is logged. */
export function logAct({ tools, identity, response }: Context, act: string, details: object): void {
  if (identity.kind !== 'operator') return
  const { requestId } = response.locals
  tools.log.info({ requestId, operator: operatorInLog(identity), ...details }, `operator: ${act}`)
}
