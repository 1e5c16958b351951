import { DriverAdapterError, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'

/**
 * An adapter for the migration engine that hands each script to the database whole, waits for it and tells why it
 * failed: adapter-pg cuts scripts at every semicolon, in quotes too, and PGlite's neither waits nor tells.
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

/** PostgreSQL's error in the words that the engine understands. */
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
