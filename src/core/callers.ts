import { batch } from '../database/batch.ts'
import type { Changes } from '../database/changes.ts'
import type { Statements } from '../database/statements.ts'
import type { Clock } from '../tools/clock.ts'
import { isUsable, type Scope } from './api-keys.ts'
import { StoreError } from './errors.ts'
import { openKeptKeys } from './kept-keys.ts'
import { type KnownKey, lookUpKeys } from './look-up-keys.ts'
import type { Project } from './projects.ts'
import { hashInHex, isWellFormedSecret } from './secrets.ts'

/** Who is calling: a project through one of its API keys. */
export type Caller = {
  project: Project
  key: { id: string; prefix: string; scopes: readonly Scope[] }
}

/** A key that was looked up before needs no waiting. */
export type Callers = { find(secret: string): Promise<Caller | null> | Caller | null }

/** A revocation, plan change or suspension must hold everywhere within a second, whatever fails. */
const trustedMs = 900

/** Keys are kept until the log of changes tells of them or of their project. */
export function openCallers(database: Statements, changes: Changes, clock: Clock): Callers {
  const kept = openKeptKeys()
  const lookUp = batch((hashes: readonly string[]) => lookUpKeys(database, hashes))
  let changesHeard = 0

  changes.follow(change => {
    if (change !== null && change.what !== 'keys' && change.what !== 'project') return
    changesHeard++
    if (change?.what === 'keys' && change.name !== null) kept.forgetKey(change.name)
    else if (change?.what === 'project' && change.projectId !== null) kept.forgetProject(change.projectId)
    else kept.forgetAll()
  })

  async function read(hash: string): Promise<KnownKey | null> {
    const heardBefore = changesHeard
    const known = await lookUp(hash)
    if (changesHeard === heardBefore) kept.keep(hash, known)
    return known
  }

  function usable(known: KnownKey | null): Caller | null {
    return known && isUsable(known, new Date(clock.now())) ? known.caller : null
  }

  return {
    find(secret) {
      const hash = hashInHex(secret)
      const known = changes.isTrusted(trustedMs) ? kept.find(hash) : undefined
      if (known !== undefined) return usable(known)
      return isWellFormedSecret(secret) ? read(hash).then(usable) : null
    },
  }
}

/** What the store sells, and the scope that each needs; the doors sell it under names of their own. */
export const scopeFor = {
  listPets: 'pets:read',
  exportPets: 'pets:read',
  getPet: 'pets:read',
  createPet: 'pets:write',
  importPets: 'pets:write',
  updatePet: 'pets:write',
  deletePet: 'pets:write',
  getInventory: 'pets:read',
  listCategories: 'pets:read',
  getCategory: 'pets:read',
  setCategory: 'pets:write',
  removeCategory: 'pets:write',
  listOrders: 'orders:read',
  getOrder: 'orders:read',
  placeOrder: 'orders:write',
  approveOrder: 'orders:write',
  deliverOrder: 'orders:write',
  cancelOrder: 'orders:write',
} as const satisfies Record<string, Scope>

export function holdsScope(caller: Caller, scope: Scope): boolean {
  return caller.key.scopes.includes(scope)
}

export function requireScope(caller: Caller, scope: Scope): void {
  if (holdsScope(caller, scope)) return
  throw new StoreError('insufficient_scope', `This API key lacks the scope ${scope}.`)
}

/** A key cannot give what it lacks itself. */
export function requireGrantable(caller: Caller, wanted: readonly string[]): void {
  const lacking = wanted.filter(scope => !caller.key.scopes.some(own => own === scope))
  if (lacking.length === 0) return
  throw new StoreError(
    'insufficient_scope',
    `This API key cannot grant ${lacking.join(', ')}: it lacks that itself.`,
  )
}
