import type { Request } from 'express'
import { invalidInput } from '../core/errors.ts'

export const explainCostHeader = 'x-explain-cost'

/**
 * Reads the header that asks for the cost: `1` adds it to the answer, `only` replaces the answer. A header, because
 * client libraries cannot set `extensions`.
 */
export function readExplainCost({ headers }: Request): 'too' | 'only' | null {
  const asked = headers[explainCostHeader]
  if (asked === undefined) return null
  if (asked === '1') return 'too'
  if (asked === 'only') return 'only'
  throw invalidInput([{ field: 'X-Explain-Cost', message: 'must be 1 or only' }])
}
