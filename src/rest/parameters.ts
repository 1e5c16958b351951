import type { Request } from 'express'
import { type Fault, invalidInput } from '../core/errors.ts'
import { isNearly } from './nearly.ts'

const mostFaults = 10
const longestShown = 24

/**
 * The query parameters of an operation, each null where it is absent. Others are ignored, since links pick up many on their
 * way; but what is nearly a known one was meant to be it, and to ignore that would answer another question.
 */
export function readParameters<Name extends string>(
  query: Request['query'],
  known: readonly Name[],
): Record<Name, string | null> {
  const faults: Fault[] = []
  for (const name of Object.keys(query)) {
    const meant = known.find(each => each === name || isNearly(name, each))
    if (meant === undefined) continue
    if (meant !== name) faults.push({ field: meant, message: `is spelled so, not ${show(name)}` })
    // Given twice, it is nobody's guess which one counts.
    else if (typeof query[name] !== 'string') faults.push({ field: name, message: 'must be given once' })
  }
  if (faults.length > 0) throw invalidInput(faults.slice(0, mostFaults))
  return Object.fromEntries(known.map(name => [name, query[name] ?? null])) as Record<Name, string | null>
}

const show = (name: string) => JSON.stringify(name.slice(0, longestShown).toWellFormed())
