import type { Db } from '../core/db.ts'
import { findApiKeys } from '../core/keys/api-keys.ts'
import { listUsedKeys, readKeyUse, readProjectUse, type Span, type Use } from '../core/usage/usage.ts'
import type { Statements } from '../database/statements.ts'
import type { ApiKey } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { type Loader, openLoader } from './loader.ts'

/** A page of projects or keys asks for the same span of each, so each span is a statement of its own. */
export type UsageLoaders = {
  /** By the project's id. */
  projectUse(span: Span): Loader<number, Use>
  keyUse(span: Span): Loader<ApiKey, Use>
  /** By the project's id, the keys that it used most. */
  usedKeys(span: Span, most: number): Loader<number, ApiKey[]>
}

export function openUsageLoaders(db: Db, database: Statements, clock: Clock): UsageLoaders {
  return {
    projectUse: once(span => openLoader(ids => readProjectUse(database, clock, ids, span))),
    keyUse: once(span => openLoader(keys => readKeyUse(database, clock, keys, span))),
    usedKeys: once((span, most) =>
      openLoader(async projectIds => {
        const ids = await listUsedKeys(database, clock, projectIds, span, most)
        const keys = await findApiKeys(db, ids.flat())
        return ids.map(ofProject => ofProject.flatMap(id => keys.get(id) ?? []))
      }),
    ),
  }
}

/** One loader for each span that is asked for. */
function once<Key, Value>(
  open: (span: Span, most: number) => Loader<Key, Value>,
): (span: Span, most?: number) => Loader<Key, Value> {
  const opened = new Map<string, Loader<Key, Value>>()
  return ({ unit, count }, most = 0) => {
    const name = `${unit} ${count} ${most}`
    const loader = opened.get(name) ?? open({ unit, count }, most)
    opened.set(name, loader)
    return loader
  }
}
