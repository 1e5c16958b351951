import { randomUUID } from 'node:crypto'
import type { Caller } from '../../src/core/keys/caller.ts'
import { hashSecret, makeSecret } from '../../src/core/secrets.ts'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'

/**
 * Creates `count` projects with one API key each, and returns one caller for each key. A caller has only the ids of the
 * project and the key, because the usage counter needs no other fields.
 */
export async function makeCallers(db: PrismaClient, count: number): Promise<Caller[]> {
  const data = Array.from({ length: count }, () => ({
    slug: `tallied-${randomUUID()}`,
    name: 'A store',
    planName: 'free',
  }))
  const projects = await db.project.createManyAndReturn({ data })
  const keys = await db.apiKey.createManyAndReturn({
    data: projects.map(({ id }) => ({
      projectId: id,
      name: 'Key',
      prefix: 'as_12345678',
      hash: new Uint8Array(hashSecret(makeSecret())),
      scopes: [],
    })),
  })
  return keys.map(({ id, projectId }) => ({ project: { id: projectId }, key: { id } }) as Caller)
}
