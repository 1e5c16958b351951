import { DriverAdapterError, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'

/**
 * An adapter for the migration engine that runs each script whole, waits for it and reports its error. adapter-pg
 * splits scripts at every semicolon, even inside quotes; PGlite's adapter neither waits nor reports.
 */
export function migrationFactory<Factory extends SqlMigrationAwareDriverAdapterFactory>(
  factory: Factory,
  run: (script: string) => Promise<unknown>,
): Factory {
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const adapter = await connect()
    adapter.executeScript = async script => {
      await run(script).catch(error => {
        throw asAdapterError(error)
      })
    }
    return adapter
  }
  return factory
}

/**
 * PostgreSQL runs a script of several statements in one transaction. This last statement records the migration in that
 * transaction. So if the process or PostgreSQL ends at any moment, a migration without this record was not applied. The
 * engine alone would record the migration only after the transaction.
 */
const recordFinished = `
;UPDATE "_prisma_migrations" SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL`

/** As `migrationFactory`, but each script also records its migration. */
export const recordingFactory: typeof migrationFactory = (factory, run) =>
  migrationFactory(factory, script => run(script + recordFinished))

/** Converts an error of PostgreSQL to the format that the engine reads. */
function asAdapterError(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return error
  const part = (name: string) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' ? value : undefined
  }
  return new DriverAdapterError({
    kind: 'postgres',
    code: error.code,
    severity: part('severity') ?? 'ERROR',
    message: error.message,
    detail: part('detail'),
    column: part('column'),
    hint: part('hint'),
  })
}
