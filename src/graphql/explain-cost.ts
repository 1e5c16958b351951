import type { Request } from 'express'
import { invalidInput } from '../core/errors.ts'

export const explainCostHeader = 'x-explain-cost'

/**
 * Reads the header that requests the cost: `1` adds the cost to the answer, `only` returns the cost instead of the
 * answer. This is a header, because client libraries cannot set `extensions`.
 */
export function readExplainCost({ headers }: Request): 'too' | 'only' | null {
  const header = headers[explainCostHeader]
  if (header === undefined) return null
  if (header === '1') return 'too'
  if (header === 'only') return 'only'
  throw invalidInput([{ field: 'X-Explain-Cost', message: 'must be 1 or only' }])
}
