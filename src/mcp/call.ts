import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Response } from 'express'
import type { StoreError } from '../core/errors.ts'
import { type Caller, requireScope } from '../core/keys/caller.ts'
import { requireServed } from '../core/project.ts'
import { isStopped } from '../database/faults.ts'
import { chargeProject, isFairRead } from '../http/charge.ts'
import { outcomeOf } from '../http/count-use.ts'
import { noteFault, statusOf, toStoreError } from '../http/errors.ts'
import { callerOf } from '../http/locals.ts'
import { refundFailed } from '../http/refund.ts'
import { noteRefusedTry } from '../http/refused-tries.ts'
import type { Tools } from '../tools.ts'
import { readArguments } from './arguments.ts'
import type { Tool } from './tool.ts'

type Given = { given: Record<string, unknown>; onceKey: string | null }

/**
 * Runs a tool as REST runs a request: charges the call, checks the scope, then the arguments. A refusal is a result
 * that the model can read, because an HTTP error would end the session of many clients.
 */
export async function callTool(
  tools: Tools,
  response: Response,
  tool: Tool,
  { given, onceKey }: Given,
): Promise<CallToolResult> {
  response.locals.toolsRun = (response.locals.toolsRun ?? 0) + 1
  const startedAt = performance.now()
  const caller = callerOf(response)
  const bill = await billOf(tools, caller, tool)
  let status = 200
  let charged = null
  let stopped = false
  try {
    charged = await chargeProject(tools, response, caller, bill)
    requireServed(caller.project)
    if (tool.scope) requireScope(caller, tool.scope)
    const answer = await tool.run({ tools, caller, args: readArguments(tool, given), onceKey })
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: { ...answer } }
  } catch (thrown) {
    const { requestId } = response.locals
    stopped = isStopped(thrown)
    noteFault(tools, thrown, { requestId, path: [tool.name] })
    noteRefusedTry(tools, response, thrown, `tool ${tool.name}`)
    const error = toStoreError(thrown)
    status = statusOf[error.code]
    return errorResult(error, requestId)
  } finally {
    const outcome = status === 429 && !charged ? 'refused' : outcomeOf(status)
    // The usage counts leave out a call that the limiter refused, unless the call is charged to the store's budget.
    // REST counts its requests by the same rule.
    if (bill.store > 0 || outcome !== 'refused')
      tools.usageCounter.countRequest(caller, 'mcp', outcome, bill.store, performance.now() - startedAt)
    tools.metrics.countToolCall(tool.name, outcome)
    if (charged && status === 503) void refundFailed(tools, [charged], stopped)
  }
}

async function billOf(tools: Tools, caller: Caller, { budget }: Tool) {
  if (budget === 'store') return { store: 1, management: 0 }
  const isFree = budget === 'free' && (await isFairRead(tools, caller))
  return { store: 0, management: isFree ? 0 : 1 }
}

/** Formats an error as REST's JSON. `retryAfterSeconds` replaces the header Retry-After. */
function errorResult(error: StoreError, requestId: string): CallToolResult {
  const { code, message, details, retryAfterSeconds } = error
  const shown = {
    ...{ code, message, status: statusOf[code] },
    ...(details.length > 0 && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(code === 'internal_error' && { requestId }),
  }
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(shown) }] }
}
