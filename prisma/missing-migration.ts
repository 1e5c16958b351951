import { PGlite } from '@electric-sql/pglite'
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { migrationFactory } from '../src/database/migration-factory.ts'
import { readMigrations, wholeSchema } from '../src/database/migrations.ts'
import { openSchemaEngine } from '../src/database/schema-engine.ts'

/**
 * Returns the SQL that a new migration must contain so that all migrations together produce the tables of `schema`;
 * null if the migrations already produce these tables.
 */
export async function missingMigration(schema: string, migrations?: MigrationList): Promise<string | null> {
  // Prisma's shadow database, on which it replays the migrations, is in memory.
  const shadow = new PGlite('memory://')
  const factory = migrationFactory(new PrismaPGlite(shadow), script => shadow.exec(script))
  factory.connectToShadowDb = factory.connect
  const engine = await openSchemaEngine(factory)
  try {
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'migrations', ...(migrations ?? (await readMigrations())) },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
      script: true,
      exitCode: true,
      filters: wholeSchema,
    })
    return exitCode === 0 ? null : stdout
  } finally {
    engine.free()
    await shadow.close()
  }
}
