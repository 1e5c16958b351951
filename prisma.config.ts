import { defineConfig } from 'prisma/config'

// Prisma would download its schema-engine binary, which nothing here uses. Naming any file prevents the download.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

// Migrations need a connection to PostgreSQL itself, not to a pooler.
const url = process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(url ? { datasource: { url } } : {}),
})
