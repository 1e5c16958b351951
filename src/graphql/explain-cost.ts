import type { Request } from 'express'
import { invalidInput } from '../core/errors.ts'

export const explainCostHeader = 'x-explain-cost'

/** Client libraries can set a header and no extensions of a request: `1` tells the cost beside the answer, `only` instead of it. */
export function readExplainCost({ headers }: Request): 'too' | 'only' | null {
  const asked = headers[explainCostHeader]
  if (asked === undefined) return null
  if (asked === '1') return 'too'
  if (asked === 'only') return 'only'
  throw invalidInput([{ field: 'X-Explain-Cost', message: 'must be 1 or only' }])
}
