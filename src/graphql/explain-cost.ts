import type { Request } from 'express'
import { invalidInput } from '../core/errors.ts'

export const explainCostHeader = 'x-explain-cost'

/** A header, because client libraries cannot set `extensions`: `1` adds the cost to the answer, `only` replaces it. */
export function readExplainCost({ headers }: Request): 'too' | 'only' | null {
  const asked = headers[explainCostHeader]
  if (asked === undefined) return null
  if (asked === '1') return 'too'
  if (asked === 'only') return 'only'
  throw invalidInput([{ field: 'X-Explain-Cost', message: 'must be 1 or only' }])
}
