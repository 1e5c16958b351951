import type { Ground, Project } from './ground.ts'
import { openVersions, type Versions } from './versions.ts'

export type OrderState = 'placed' | 'cancelled' | 'delivered'

/** The acknowledged writes, to be compared with the database at the end. */
export type Ledger = {
  /** Ids of the created pets, by their unique names. Null if the answer to the creation is unknown. */
  pets: Map<string, number | null>
  /** The last acknowledged state of each order, by the order's id. */
  orders: Map<number, OrderState>
  /** By id: pets that are changed again and again. */
  watched: Map<number, Versions>
  watch(id: number): Versions
}

export function openLedger(): Ledger {
  const watched = new Map<number, Versions>()
  return {
    pets: new Map(),
    orders: new Map(),
    watched,
    watch(id) {
      const versions = watched.get(id) ?? openVersions()
      watched.set(id, versions)
      return versions
    },
  }
}

export type Balance = { acknowledged: number; lost: string[]; doubled: string[] }

/** Looks up every acknowledged write in the database. */
export async function settle(ledger: Ledger, ground: Ground, project: Project): Promise<Balance> {
  const inProject = `project_id = (SELECT id FROM projects WHERE slug = '${project.slug}')`
  const pets = await ground.sql(`SELECT id, name FROM pets WHERE ${inProject}`)
  const idsOf = Map.groupBy(pets, ({ name }) => String(name))
  const lost: string[] = []
  const doubled: string[] = []
  for (const [name, rows] of idsOf) if (rows.length > 1 && !name.startsWith('watched')) doubled.push(name)
  for (const [name, id] of ledger.pets) {
    if (id !== null && !idsOf.get(name)?.some(row => Number(row.id) === id)) lost.push(name)
  }
  const names = new Map(pets.map(({ id, name }) => [Number(id), String(name)]))
  for (const [id, versions] of ledger.watched) {
    const stored = Number(names.get(id)?.split('-v')[1] ?? -1)
    const wrong = versions.judge(stored, performance.now())
    if (wrong) lost.push(`${names.get(id)}: ${wrong}`)
  }
  const orders = await ground.sql(`SELECT id, pet_id, status::text FROM orders WHERE ${inProject}`)
  const statusOf = new Map(orders.map(({ id, status }) => [Number(id), String(status)]))
  for (const [id, state] of ledger.orders) {
    const stored = statusOf.get(id)
    // For an order that the ledger records as placed, the database may have a later state, because the answer to the
    // last request about the order may be lost.
    if (stored === undefined || (state !== 'placed' && stored !== state)) lost.push(`order ${id} ${state}`)
  }
  doubled.push(...repeated(orders.map(({ pet_id }) => `an order of pet ${pet_id}`)))
  const changes = ledger.watched.values().reduce((sum, versions) => sum + versions.acknowledgements(), 0)
  const created = ledger.pets.values().filter(id => id !== null)
  return { acknowledged: [...created].length + ledger.orders.size + changes, lost, doubled }
}

const repeated = (names: string[]) => [...new Set(names.filter((name, i) => names.indexOf(name) !== i))]
