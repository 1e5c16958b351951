import type { LeakedKeys, PrismaClient } from '../../generated/prisma/client.ts'
import { manage } from '../acts.ts'
import type { Db } from '../db.ts'
import type { Project } from '../project.ts'

/** Returns what each project chose for its leaked keys. */
export async function findChoices(db: Db, projectIds: readonly number[]): Promise<LeakedKeys[]> {
  const rows = await db.project.findMany({
    where: { id: { in: [...projectIds] } },
    select: { id: true, leakedKeys: true },
  })
  const choices = new Map(rows.map(row => [row.id, row.leakedKeys]))
  return projectIds.map(id => choices.get(id) ?? 'revoke_writing')
}

export async function chooseForLeakedKeys(
  db: PrismaClient,
  project: Project,
  leakedKeys: LeakedKeys,
): Promise<void> {
  await manage(db, tx => tx.project.updateMany({ where: { id: project.id }, data: { leakedKeys } }))
}
