import type { Db } from '../core/db.ts'
import { findApiKeys } from '../core/keys/api-keys.ts'
import {
  lastSteps,
  listUsedKeys,
  readKeyUse,
  readProjectUse,
  type Span,
  type Use,
} from '../core/usage/usage.ts'
import type { Statements } from '../database/statements.ts'
import type { ApiKey } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { type Loader, openLoader } from './loader.ts'

type UsageQuery<Id> = { id: Id; span: Span }
type KeyUsageQuery = UsageQuery<string> & { projectId: number }
type UsedKeysQuery = UsageQuery<number> & { most: number }

export type UsageLoaders = {
  projectUse: Loader<UsageQuery<number>, Use>
  keyUse: Loader<KeyUsageQuery, Use>
  /** The keys that a project used most. */
  usedKeys: Loader<UsedKeysQuery, ApiKey[]>
}

/** Batches usage reads: each statement reads the widest requested span. Days and hours need one statement each. */
export function openUsageLoaders(db: Db, database: Statements, clock: Clock): UsageLoaders {
  const ofProjects = (queries: readonly UsageQuery<number>[], span: Span) =>
    readProjectUse(
      database,
      clock,
      queries.map(({ id }) => id),
      span,
    )
  const ofKeys = (queries: readonly KeyUsageQuery[], span: Span) => readKeyUse(database, clock, queries, span)
  return {
    projectUse: openLoader((queries: readonly UsageQuery<number>[]) => readWidest(queries, ofProjects), {
      cacheKeyFn: nameOf,
    }),
    keyUse: openLoader((queries: readonly KeyUsageQuery[]) => readWidest(queries, ofKeys), {
      cacheKeyFn: nameOf,
    }),
    usedKeys: openLoader(
      async queries => {
        const ids = await listUsed(queries)
        const keys = await findApiKeys(db, [...new Set(ids.flat())])
        return ids.map(ofProject => ofProject.flatMap(id => keys.get(id) ?? []))
      },
      { cacheKeyFn: queries => `${nameOf(queries)} ${queries.most}` },
    ),
  }

  /** The most used keys depend on the span, so each span needs a statement. */
  async function listUsed(queries: readonly UsedKeysQuery[]): Promise<string[][]> {
    const bySpan = Map.groupBy(queries, ({ span: { unit, count } }) => `${unit} ${count}`)
    const found = new Map<UsedKeysQuery, string[]>()
    const readGroup = async (group: readonly UsedKeysQuery[], span: Span) => {
      const projectIds = group.map(({ id }) => id)
      const most = Math.max(...group.map(each => each.most))
      const ids = await listUsedKeys(database, clock, projectIds, span, most)
      for (const [index, each] of group.entries()) found.set(each, (ids[index] ?? []).slice(0, each.most))
    }
    await Promise.all([...bySpan.values()].map(group => group[0] && readGroup(group, group[0].span)))
    return queries.map(each => found.get(each) ?? [])
  }
}

const nameOf = ({ id, span: { unit, count } }: UsageQuery<number | string>) => `${id} ${unit} ${count}`

async function readWidest<Query extends UsageQuery<number | string>>(
  queries: readonly Query[],
  read: (owners: Query[], span: Span) => Promise<Use[]>,
): Promise<Use[]> {
  const found = new Map<string, Use>()
  const byUnit = Map.groupBy(queries, ({ span }) => span.unit)
  await Promise.all(
    [...byUnit].map(async ([unit, group]) => {
      const owners = [...new Map(group.map(each => [each.id, each])).values()]
      const uses = await read(owners, { unit, count: Math.max(...group.map(({ span }) => span.count)) })
      for (const [index, { id }] of owners.entries()) found.set(`${id} ${unit}`, uses[index] as Use)
    }),
  )
  return queries.map(({ id, span }) => lastSteps(found.get(`${id} ${span.unit}`) as Use, span))
}
