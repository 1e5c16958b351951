import type { Request, Response } from 'express'
import { requireScope } from '../core/keys/caller.ts'
import { requireServed } from '../core/project.ts'
import { findCallerAgain } from '../http/authenticate.ts'
import { callerOf } from '../http/locals.ts'
import type { Tools } from '../tools.ts'

/**
 * Validates the caller again after a slow body: while the body arrived, the key may have been revoked, the project
 * suspended, or a member's role lowered, which takes scopes from the member.
 */
export async function validateAgain(tools: Tools, request: Request, response: Response): Promise<void> {
  const { scopes } = callerOf(response).key
  const caller = await findCallerAgain(tools, request, response)
  requireServed(caller.project)
  for (const scope of scopes) requireScope(caller, scope)
}
