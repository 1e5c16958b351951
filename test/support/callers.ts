import { randomUUID } from 'node:crypto'
import type { Caller } from '../../src/core/keys/caller.ts'
import { hashSecret, makeSecret } from '../../src/core/secrets.ts'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'

/** Makes this many projects with one key each, and returns their callers for the usage counter. */
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
