import type { Db } from '../core/db.ts'
import { findApiKeys } from '../core/keys/api-keys.ts'
import { type DoorLatency, readLatencies } from '../core/usage/latency.ts'
import { type EndedSpan, isWithin, joinSpans } from '../core/usage/spans.ts'
import { listUsedKeys, partOf, readKeyUse, readProjectUse, type Use } from '../core/usage/usage.ts'
import type { Statements } from '../database/statements.ts'
import type { ApiKey } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import { type Loader, openLoader } from './loader.ts'

type UsageQuery<Id> = { id: Id; span: EndedSpan }
type KeyUsageQuery = UsageQuery<string> & { projectId: number }
type UsedKeysQuery = UsageQuery<number> & { most: number }

export type UsageLoaders = {
  projectUse: Loader<UsageQuery<number>, Use>
  keyUse: Loader<KeyUsageQuery, Use>
  /** The keys that a project used most. */
  usedKeys: Loader<UsedKeysQuery, ApiKey[]>
  latencies: Loader<UsageQuery<number>, DoorLatency[]>
}

/**
 * Batches usage reads. One statement reads all requested spans of days, joined where they overlap or touch; another
 * statement reads the spans of hours.
 */
export function openUsageLoaders(db: Db, database: Statements, clock: Clock): UsageLoaders {
  const ofProjects = (queries: readonly UsageQuery<number>[], spans: EndedSpan[]) =>
    readProjectUse(
      database,
      clock,
      queries.map(({ id }) => id),
      spans,
    )
  const ofKeys = (queries: readonly KeyUsageQuery[], spans: EndedSpan[]) =>
    readKeyUse(database, clock, queries, spans)
  return {
    projectUse: openLoader((queries: readonly UsageQuery<number>[]) => readJoined(queries, ofProjects), {
      cacheKeyFn: nameOf,
    }),
    keyUse: openLoader((queries: readonly KeyUsageQuery[]) => readJoined(queries, ofKeys), {
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
    latencies: openLoader(
      (queries: readonly UsageQuery<number>[]) => readLatencies(database, clock, queries),
      {
        cacheKeyFn: nameOf,
      },
    ),
  }

  /** The most used keys depend on the span, so each span needs a statement. */
  async function listUsed(queries: readonly UsedKeysQuery[]): Promise<string[][]> {
    const bySpan = Map.groupBy(queries, ({ span: { unit, count, last } }) => `${unit} ${count} ${last}`)
    const found = new Map<UsedKeysQuery, string[]>()
    const readGroup = async (group: readonly UsedKeysQuery[], span: EndedSpan) => {
      const projectIds = group.map(({ id }) => id)
      const most = Math.max(...group.map(each => each.most))
      const ids = await listUsedKeys(database, clock, projectIds, span, most)
      for (const [index, each] of group.entries()) found.set(each, (ids[index] ?? []).slice(0, each.most))
    }
    await Promise.all([...bySpan.values()].map(group => group[0] && readGroup(group, group[0].span)))
    return queries.map(each => found.get(each) ?? [])
  }
}

const nameOf = ({ id, span: { unit, count, last } }: UsageQuery<number | string>) =>
  `${id} ${unit} ${count} ${last}`

async function readJoined<Query extends UsageQuery<number | string>>(
  queries: readonly Query[],
  read: (owners: Query[], spans: EndedSpan[]) => Promise<Use[][]>,
): Promise<Use[]> {
  const found = new Map<Query, Use>()
  const byUnit = Map.groupBy(queries, ({ span }) => span.unit)
  await Promise.all(
    [...byUnit.values()].map(async group => {
      const owners = [...new Map(group.map(each => [each.id, each])).values()]
      const spans = joinSpans(group.map(({ span }) => span))
      const uses = await read(owners, spans)
      const places = new Map(owners.map(({ id }, index) => [id, index]))
      for (const each of group) {
        const n = spans.findIndex(span => isWithin(each.span, span))
        const use = uses[n]?.[places.get(each.id) ?? 0] as Use
        found.set(each, partOf(use, spans[n] as EndedSpan, each.span))
      }
    }),
  )
  return queries.map(each => found.get(each) as Use)
}
