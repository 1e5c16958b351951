import type { Request, Response } from 'express'
import { invalidInput } from '../core/errors.ts'
import { requireScope, scopeFor } from '../core/keys/caller.ts'
import { type Grouping, parsePeriod, readUsageReport, type UsageRow } from '../core/usage/report.ts'
import { answerBytes, answerEmpty } from '../http/answer.ts'
import { holds, tagOf } from '../http/etag.ts'
import { addHeader } from '../http/headers.ts'
import { callerOf } from '../http/locals.ts'
import type { Tools } from '../tools.ts'
import { answerTaggedJson } from './etag-response.ts'
import { readParameters } from './parameters.ts'

const formats = ['json', 'csv']
const counted = ['requests', 'served', 'faulty', 'failed', 'refusals'] as const
const columns: Record<Grouping, readonly string[]> = {
  day: ['id', 'day', 'final', ...counted],
  door: ['door', ...counted],
  key: ['keyId', 'keyPrefix', ...counted],
}

/** Answers the project's usage by day, door or key, for billing systems. */
export function getUsageRoute({ database, clock }: Tools) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(response)
    requireScope(caller, scopeFor.getUsage)
    const { format, ...given } = readParameters(request.query, ['from', 'to', 'by', 'format'])
    const period = parsePeriod(clock, given)
    if (!formats.includes(format ?? 'json'))
      throw invalidInput([{ field: 'format', message: `must be one of ${formats.join(', ')}` }])
    const rows = await readUsageReport(database, clock, caller.project, period)
    const names = columns[period.by]
    if (format !== 'csv') return answerTaggedJson(request, response, JSON.stringify(rows, [...names]))
    const csv = [names, ...rows.map(row => cellsOf(row, names))].map(lineOf).join('')
    const etag = tagOf(csv)
    addHeader(response, 'ETag', etag)
    if (holds(request, etag)) return answerEmpty(response, 304)
    addHeader(response, 'Content-Type', 'text/csv; charset=utf-8; header=present')
    return answerBytes(response, 200, csv)
  }
}

const cellsOf = (row: UsageRow, names: readonly string[]) =>
  names.map(name => String(row[name as keyof UsageRow]))
/** No cell needs quotes: ids, days, doors and prefixes have no commas. */
const lineOf = (cells: readonly string[]) => `${cells.join(',')}\r\n`
