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

type UseAsked<Id> = { id: Id; span: Span }
type KeyUseAsked = UseAsked<string> & { projectId: number }
type UsedKeysAsked = UseAsked<number> & { most: number }

export type UsageLoaders = {
  projectUse: Loader<UseAsked<number>, Use>
  keyUse: Loader<KeyUseAsked, Use>
  /** The keys that a project used most. */
  usedKeys: Loader<UsedKeysAsked, ApiKey[]>
}

/** Batches usage reads: each statement reads the widest requested span. Days and hours need one statement each. */
export function openUsageLoaders(db: Db, database: Statements, clock: Clock): UsageLoaders {
  const ofProjects = (asked: readonly UseAsked<number>[], span: Span) =>
    readProjectUse(
      database,
      clock,
      asked.map(({ id }) => id),
      span,
    )
  const ofKeys = (asked: readonly KeyUseAsked[], span: Span) => readKeyUse(database, clock, asked, span)
  return {
    projectUse: openLoader((asked: readonly UseAsked<number>[]) => readWidest(asked, ofProjects), {
      cacheKeyFn: nameOf,
    }),
    keyUse: openLoader((asked: readonly KeyUseAsked[]) => readWidest(asked, ofKeys), { cacheKeyFn: nameOf }),
    usedKeys: openLoader(
      async asked => {
        const ids = await listUsed(asked)
        const keys = await findApiKeys(db, [...new Set(ids.flat())])
        return ids.map(ofProject => ofProject.flatMap(id => keys.get(id) ?? []))
      },
      { cacheKeyFn: asked => `${nameOf(asked)} ${asked.most}` },
    ),
  }

  /** The most used keys depend on the span, so each span needs a statement. */
  async function listUsed(asked: readonly UsedKeysAsked[]): Promise<string[][]> {
    const bySpan = Map.groupBy(asked, ({ span: { unit, count } }) => `${unit} ${count}`)
    const found = new Map<UsedKeysAsked, string[]>()
    const readGroup = async (group: readonly UsedKeysAsked[], span: Span) => {
      const projectIds = group.map(({ id }) => id)
      const most = Math.max(...group.map(each => each.most))
      const ids = await listUsedKeys(database, clock, projectIds, span, most)
      for (const [index, each] of group.entries()) found.set(each, (ids[index] ?? []).slice(0, each.most))
    }
    await Promise.all([...bySpan.values()].map(group => group[0] && readGroup(group, group[0].span)))
    return asked.map(each => found.get(each) ?? [])
  }
}

const nameOf = ({ id, span: { unit, count } }: UseAsked<number | string>) => `${id} ${unit} ${count}`

async function readWidest<Asked extends UseAsked<number | string>>(
  asked: readonly Asked[],
  read: (owners: Asked[], span: Span) => Promise<Use[]>,
): Promise<Use[]> {
  const found = new Map<string, Use>()
  const byUnit = Map.groupBy(asked, ({ span }) => span.unit)
  await Promise.all(
    [...byUnit].map(async ([unit, group]) => {
      const owners = [...new Map(group.map(each => [each.id, each])).values()]
      const uses = await read(owners, { unit, count: Math.max(...group.map(({ span }) => span.count)) })
      for (const [index, { id }] of owners.entries()) found.set(`${id} ${unit}`, uses[index] as Use)
    }),
  )
  return asked.map(({ id, span }) => lastSteps(found.get(`${id} ${span.unit}`) as Use, span))
}
