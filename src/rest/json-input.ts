import type { Request, Response } from 'express'
import { invalidInput } from '../core/errors.ts'
import { parseIdempotencyKey } from '../core/pets/idempotency.ts'
import { readJsonBody } from '../http/json-body.ts'
import type { Tools } from '../tools.ts'
import { requireNoMisspelling } from './members.ts'
import { validateAgain } from './validate-again.ts'

/** Parses the body of an operation with the members `known`. Ignores unknown members, but rejects misspelled ones. */
export async function readJsonObject(
  tools: Tools,
  request: Request,
  response: Response,
  known: readonly string[],
): Promise<Record<string, unknown>> {
  const isSlow = !request.complete
  const body = await readJsonBody(request, response)
  if (isSlow) await validateAgain(tools, request, response)
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    requireNoMisspelling(body, known)
    return body as Record<string, unknown>
  }
  throw invalidInput([{ field: 'body', message: 'must be a JSON object' }])
}

/** Returns the Idempotency-Key of a create, or null. */
export function readIdempotencyKey({ headersDistinct }: Request): string | null {
  const [key, ...more] = headersDistinct['idempotency-key'] ?? []
  if (more.length > 0) throw invalidInput([{ field: 'Idempotency-Key', message: 'must be given once' }])
  return key === undefined ? null : parseIdempotencyKey('Idempotency-Key', key)
}
