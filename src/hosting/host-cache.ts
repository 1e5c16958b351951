import { LRUCache } from 'lru-cache'
import type { OwnedName } from '../core/domains/served-hosts.ts'
import type { Change } from '../database/changes.ts'
import { growsTo } from '../tools/grows-to.ts'

/** A line of the log about hosts: of one project, of one name, or where it tells neither, of all; so is null. */
export type HostChange = Pick<Change, 'projectId' | 'name'> | null

/** What is known of names, bounded, until a change concerns it. */
export type HostCache = {
  /** Null where nobody owns the name, undefined where it is not kept. */
  get(name: string): OwnedName | null | undefined
  /** Whether somebody owned the name when it was looked up last, though that may have changed since. */
  wasOwned(name: string): boolean
  set(name: string, owned: OwnedName | null): void
  forget(change: HostChange): void
}

/** `holds` until a change concerns it. */
type Entry = { found: OwnedName; holds: boolean }

const mostOwned = 20_000
const mostUnknown = 10_000

export function makeHostCache(platformHost: string): HostCache {
  const namesOf = new Map<number, Set<string>>()
  const owned = new LRUCache<string, Entry>({
    ...growsTo(mostOwned),
    dispose({ found: { projectId } }, name) {
      const names = namesOf.get(projectId)
      names?.delete(name)
      if (names?.size === 0) namesOf.delete(projectId)
    },
  })
  // Names that nobody owns wait apart, so that a flood of them drives out no host.
  const unknown = new LRUCache<string, true>(growsTo(mostUnknown))

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

/** Whether what was read of a name while the change came in may be from before it. */
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

/** The log calls a project's platform host by its slug. */
const hostsNamed = (name: string, platformHost: string) => [name, `${name}.${platformHost}`]

export function isOfAll(change: HostChange): change is { projectId: null; name: null } | null {
  return change === null || (change.projectId === null && change.name === null)
}
