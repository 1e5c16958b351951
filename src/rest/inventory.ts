import type { Request, Response } from 'express'
import { requireScope, scopeFor } from '../core/keys/caller.ts'
import { readInventory } from '../core/pets/inventory.ts'
import { callerOf } from '../http/locals.ts'
import type { Tools } from '../tools.ts'
import { answerTaggedJson } from './etag-response.ts'
import { requireNoParameters } from './parameters.ts'

export function getInventoryRoute({ database }: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.getInventory)
    requireNoParameters(request)
    const inventory = await readInventory(database, caller.project)
    await answerTaggedJson(request, response, JSON.stringify(inventory))
  }
}
