import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { declarationOf, whyNotAdditive } from './additive.ts'
import { missingMigration } from './missing-migration.ts'

const name = process.argv[2] ?? ''
if (!/^[a-z0-9][a-z0-9_-]*$/.test(name)) {
  console.error('Name the migration in lower-case words: npm run migration -- what-it-does')
  process.exit(1)
}

const sql = await missingMigration(readFileSync(join(import.meta.dirname, 'schema.prisma'), 'utf8'))
if (sql === null) {
  console.log('Nothing to migrate: the migrations already match schema.prisma.')
} else {
  const timestamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const fullName = `${timestamp}_${name.replaceAll('-', '_')}`
  const folder = join('prisma', 'migrations', fullName)
  const obstacle = whyNotAdditive(sql)
  mkdirSync(join(import.meta.dirname, '..', folder))
  writeFileSync(
    join(import.meta.dirname, '..', folder, 'migration.sql'),
    obstacle ? sql : `${sql}\n-- Older versions may run on beside it.\n${declarationOf(fullName)}\n`,
  )
  console.log(`${join(folder, 'migration.sql')} is written: review it, then commit it with schema.prisma.`)
  if (obstacle) console.log(`Older versions will refuse to start on it, because it ${obstacle}`)
}
