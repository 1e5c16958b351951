import type { Db } from '../db.ts'
import { readAsLatin } from '../hosts/lookalikes.ts'
import { registeredName } from '../hosts/names.ts'

type Candidate = { projectId: number; name: string }

/**
 * Returns for each name the name that it imitates, or null. A name is an imitation if it has letters that are not Latin
 * but look like Latin letters. A name with accents is an imitation if, without the accents, the name equals a
 * well-known name or another project's domain.
 */
export async function findLookalikes(db: Db, candidates: readonly Candidate[]): Promise<(string | null)[]> {
  const readings = candidates.map(({ name }) => readAsLatin(name))
  const uncertain = readings.flatMap(one =>
    one && !one.isDeceptive ? [one.name, registeredName(one.name)] : [],
  )
  const taken =
    uncertain.length === 0
      ? []
      : await db.domain.findMany({
          where: { name: { in: uncertain } },
          select: { name: true, projectId: true },
        })
  return readings.map((reading, index) => {
    if (!reading) return null
    const isAnothers = taken.some(
      ({ name, projectId }) =>
        (name === reading.name || name === registeredName(reading.name)) &&
        projectId !== candidates[index]?.projectId,
    )
    return reading.isDeceptive || isAnothers ? reading.name : null
  })
}
