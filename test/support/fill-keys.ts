import type { Project } from '../../src/core/project.ts'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'

type Keys = { revokedAt?: Date; expiresAt?: Date; machine?: string; issuedBy?: string }

/**
 * Adds keys to a project without audit entries. The n-th key, counted from 1, has the name `n`, and ends n seconds after
 * the given time.
 */
export const fillKeys = (
  db: PrismaClient,
  { id }: Pick<Project, 'id'>,
  count: number,
  { revokedAt, expiresAt, machine, issuedBy }: Keys = {},
): Promise<unknown> =>
  db.$transaction(async tx => {
    await tx.$executeRaw`SET LOCAL session_replication_role = replica`
    await tx.$executeRaw`
      INSERT INTO api_keys (id, project_id, name, prefix, hash, scopes, revoked_at, expires_at, machine, issued_by)
      SELECT gen_random_uuid(), ${id}, n, 'as_00000000', sha256(gen_random_uuid()::text::bytea), '{pets:read}',
        ${revokedAt ?? null}::timestamptz + n * interval '1 second', ${expiresAt ?? null}::timestamptz + n * interval '1 second',
        ${machine ?? null}, ${issuedBy ?? null}::uuid
      FROM generate_series(1, ${count}::int) AS n`
  })
