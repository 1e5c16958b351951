import { actSetting } from '../core/acts.ts'
import { StoreError } from '../core/errors.ts'
import type { Lend, Run } from '../database/database.ts'
import { refuseLong } from './cost.ts'
import { enterRole, prepareRole, refuseOthers } from './role.ts'
import { leaveOutSecrets } from './secrets.ts'

type Query = { sql: string; parameters: readonly unknown[] }
type Rows = Record<string, unknown>[]
type Outcome = [{ name: string; message: string }] | [null, unknown]

/** Answers requests of the page in Studio's own protocol: [error] or [null, rows]. */
export function openStudio(lend: Lend, afterWrite: () => Promise<void>): (body: unknown) => Promise<unknown> {
  let prepared: Promise<void> | undefined
  return async body => {
    prepared ??= lend(prepareRole).catch(fault => {
      prepared = undefined
      throw fault
    })
    await prepared
    const answered = await answer(lend, body)
    if (mayWrite(body)) await afterWrite()
    return answered
  }
}

/**
 * True if a request may write. Finds the words anywhere, even inside a text value, so some reads count as writes. After
 * a supposed write, the log of changes is read. An unneeded read of the log is harmless, but a missed write would leave
 * old data in the caches for some time.
 */
const mayWrite = (body: unknown) =>
  /\b(insert|update|delete|merge|truncate|copy|do|call)\b/i.test(JSON.stringify(body))

async function answer(lend: Lend, body: unknown): Promise<unknown> {
  const request = body as {
    procedure?: string
    query?: Query
    sequence?: Query[]
    queries?: Query[]
    sql?: string
  }
  switch (request.procedure) {
    case 'query':
      return attempt(lend, request.query)
    case 'sequence':
      return answerSequence(lend, request.sequence ?? [])
    case 'transaction':
      return attemptAll(lend, request.queries ?? [])
    case 'sql-lint':
      return [null, { diagnostics: [] }]
    default:
      throw new StoreError('invalid_input', 'procedure must be one that Prisma Studio uses.')
  }
}

async function answerSequence(lend: Lend, sequence: Query[]): Promise<Outcome[]> {
  const first = await attempt(lend, sequence[0])
  return first[0] ? [first] : [first, await attempt(lend, sequence[1])]
}

async function attempt(lend: Lend, query: Query | undefined): Promise<Outcome> {
  const [error, all] = await attemptAll(lend, query ? [query] : [])
  return error ? [error] : [null, (all as Rows[])[0] ?? []]
}

async function attemptAll(lend: Lend, queries: Query[]): Promise<Outcome> {
  try {
    return [null, await lend(run => runAll(run, queries))]
  } catch (fault) {
    const { name, message } = fault instanceof Error ? fault : new Error(String(fault))
    return [{ name, message }]
  }
}

async function runAll(run: Run, queries: Query[]): Promise<Rows[]> {
  for (const { sql } of queries) refuseOthers(sql)
  // The triggers of the audit log read the operator from this setting.
  await run("SELECT pg_catalog.set_config('animal_store.act', $1, true)", [actSetting()])
  await enterRole(run)
  const all: Rows[] = []
  for (const { sql, parameters } of queries) {
    await refuseLong(run, sql, parameters)
    all.push(leaveOutSecrets(await run(sql, parameters)))
  }
  return all
}
