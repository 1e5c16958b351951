import { defineConfig } from 'prisma/config'

// Nothing used here starts Prisma's schema-engine binary; naming any file spares its download.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

// Migrations want a session of PostgreSQL itself.
const url = process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(url ? { datasource: { url } } : {}),
})
