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
