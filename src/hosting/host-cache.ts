import { LRUCache } from 'lru-cache'
import type { OwnedName } from '../core/domains/served-hosts.ts'
import type { Change } from '../database/changes.ts'
import { maxEntries } from '../tools/max-entries.ts'

/**
 * A change in the log. It names a project, a host or both. A change that names neither, or a null change, affects all
 * hosts.
 */
export type HostChange = Pick<Change, 'projectId' | 'name'> | null

/** Caches the owners of a limited number of names until a change invalidates them. */
export type HostCache = {
  /** Returns null if the name has no owner, and undefined if it is not cached. */
  get(name: string): OwnedName | null | undefined
  /** True if the name had an owner at the last look-up, which may be outdated. */
  wasOwned(name: string): boolean
  set(name: string, owned: OwnedName | null): void
  forget(change: HostChange): void
}

/** `holds` is true until a change invalidates the entry. */
type Entry = { found: OwnedName; holds: boolean }

const mostOwned = 20_000
const mostUnknown = 10_000

export function makeHostCache(platformHost: string): HostCache {
  const namesOf = new Map<number, Set<string>>()
  const owned = new LRUCache<string, Entry>({
    ...maxEntries(mostOwned),
    dispose({ found: { projectId } }, name) {
      const names = namesOf.get(projectId)
      names?.delete(name)
      if (names?.size === 0) namesOf.delete(projectId)
    },
  })
  // Names without an owner are cached separately, so that a flood of them evicts no hosts.
  const unknown = new LRUCache<string, true>(maxEntries(mostUnknown))

  return {
    get(name) {
      const entry = owned.get(name)
      if (entry) return entry.holds ? entry.found : undefined
      return unknown.has(name) ? null : undefined
    },

    wasOwned: name => owned.has(name),

    set(name, found) {
      if (!found) {
        owned.delete(name)
        unknown.set(name, true)
        return
      }
      owned.set(name, { found, holds: true })
      unknown.delete(name)
      const names = namesOf.get(found.projectId) ?? new Set()
      namesOf.set(found.projectId, names.add(name))
    },

    forget(change) {
      if (isOfAll(change)) {
        for (const entry of owned.values()) entry.holds = false
        unknown.clear()
        return
      }
      const { projectId, name } = change
      const ofProject = projectId === null ? [] : (namesOf.get(projectId) ?? [])
      for (const one of [...ofProject, ...(name === null ? [] : hostsNamed(name, platformHost))]) {
        const entry = owned.peek(one)
        if (entry) entry.holds = false
        unknown.delete(one)
      }
    },
  }
}

/**
 * True if the change affects the name. `found` is the owner of the name that a query read. If the change came while the
 * query ran, `found` may be older than the change.
 */
export function concerns(
  change: HostChange,
  name: string,
  found: OwnedName | null,
  platformHost: string,
): boolean {
  if (isOfAll(change)) return true
  const { projectId, name: changed } = change
  if (projectId !== null && projectId === found?.projectId) return true
  return changed !== null && hostsNamed(changed, platformHost).includes(name)
}

/** The hosts that a change of this name may concern: a custom domain, or the platform host of the project with this slug. */
const hostsNamed = (name: string, platformHost: string) => [name, `${name}.${platformHost}`]

export function isOfAll(change: HostChange): change is { projectId: null; name: null } | null {
  return change === null || (change.projectId === null && change.name === null)
}
