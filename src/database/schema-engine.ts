import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg'

/** Node.js has this global, but its type declarations do not. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>
  instantiate(module: object, imports: Record<string, object>): Promise<{ exports: Record<string, unknown> }>
}

type Engine = typeof import('@prisma/schema-engine-wasm/schema_engine_bg')
let loaded: Promise<Engine> | null = null

/**
 * Runs Prisma's migration engine in this process. Prisma's command line would need a binary that has to be downloaded.
 */
export async function openSchemaEngine(
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<SchemaEngine> {
  // Load once: the engine's glue code holds one WASM instance, which a second load would replace.
  loaded ??= loadEngine()
  const { SchemaEngine } = await loaded
  return SchemaEngine.new({ datamodels: undefined }, () => {}, bindMigrationAwareSqlAdapterFactory(factory))
}

async function loadEngine(): Promise<Engine> {
  const glue = '@prisma/schema-engine-wasm/schema_engine_bg'
  const engine: Engine = await import(glue)
  const folder = dirname(createRequire(import.meta.url).resolve(glue))
  const module = await WebAssembly.compile(await readFile(join(folder, 'schema_engine_bg.wasm')))
  const { exports } = await WebAssembly.instantiate(module, { './schema_engine_bg.js': engine })
  engine.__wbg_set_wasm(exports)
  if (typeof exports.__wbindgen_start === 'function') exports.__wbindgen_start()
  return engine
}
