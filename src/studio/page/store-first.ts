import type { Adapter } from '@prisma/studio-core/data'

/** The tables to show first. All others are the service's own bookkeeping. */
const store = new Set([
  'pets',
  'categories',
  'orders',
  'projects',
  'plans',
  'api_keys',
  'domains',
  'certificates',
  'deploys',
  'events',
  'webhook_endpoints',
  'people',
  'memberships',
  'usage',
])

/** Moves the bookkeeping tables to a second schema, because Studio sorts the tables of one schema by name. */
export function storeFirst(adapter: Adapter): Adapter {
  return {
    ...adapter,
    async introspect(options) {
      const [error, found] = await adapter.introspect(options)
      if (error) return [error]
      const { public: all, ...others } = found.schemas
      if (!all) return [null, found]
      const pick = (isWanted: (name: string) => boolean) =>
        Object.fromEntries(Object.entries(all.tables).filter(([name]) => isWanted(name)))
      const schemas = {
        public: { ...all, tables: pick(name => store.has(name)) },
        internal: { name: 'internal', tables: pick(name => !store.has(name)) },
        ...others,
      }
      return [null, { ...found, schemas }]
    },
  }
}

/** Opens the pets unless the address names a table. */
export function openOnPets(): void {
  if (location.hash.length < 2) history.replaceState(null, '', '#schema=public&table=pets&view=table')
}
