import { noProject } from '../database/owner.ts'
import { runPiece } from '../database/pieces.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { recordFound } from './acts.ts'
import type { Db } from './db.ts'

/** The projects with an id above `after` and at most `upTo`. */
export type ProjectPiece = { after: number; upTo: number }

const mostProjects = 1_000

/**
 * Calls `recordFound` for the projects in pieces, because one statement for 100,000 projects would time out. If a piece
 * fails, the entries of the pieces before stay recorded, and the next call adds the others. `foundIn` returns the query
 * for a piece.
 */
export async function recordFoundByProject(
  db: Db,
  signal: AbortSignal,
  foundIn: (piece: ProjectPiece) => Prisma.Sql,
  most = mostProjects,
): Promise<void> {
  let after = 0
  let isLast = false
  while (!isLast) {
    signal.throwIfAborted()
    const ids = await db.project.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: most,
      select: { id: true },
    })
    const piece = { after, upTo: ids.at(-1)?.id ?? after }
    if (ids.length > 0) await runPiece(noProject, () => recordFound(db, foundIn(piece)))
    after = piece.upTo
    isLast = ids.length < most
  }
}
