import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster, Redis, Result } from 'ioredis'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takePlaces(keyCount: number, ...keysAndArguments: (string | number)[]): Result<number, Context>
  }
}

/** Limits how many places a subject holds at once, over all processes. A place is for example an open event stream. */
export type Places = {
  /** Takes a place and returns the function that gives it back; null if `most` places are taken. */
  take(subject: string, most: number): Promise<(() => void) | null>
  close(): void
}

const lua = readFileSync(new URL('./places.lua', import.meta.url), 'utf8')
/** The places of a killed process are free again after this time. */
const usualLeaseMs = 30_000
const timeoutMs = 500

const keyOf = (subject: string) => `animal-store:{${subject}}:places`

/** Without Redis, or during an outage, each process counts its own places. */
export function openPlaces(redis: Redis | Cluster | null, leaseMs = usualLeaseMs): Places {
  redis?.defineCommand('takePlaces', { lua })
  const own = new Map<string, Set<string>>()
  let renewing: NodeJS.Timeout | undefined

  async function ask(subject: string, most: number, ids: string[]): Promise<boolean> {
    if (redis?.status !== 'ready') return true
    const answer = redis.takePlaces(1, keyOf(subject), leaseMs, most, ...ids).catch(() => 1)
    return (await Promise.race([answer, pause(timeoutMs, 1, { ref: false })])) === 1
  }

  function renew(): void {
    for (const [subject, ids] of own) void ask(subject, 0, [...ids])
  }

  function giveBack(subject: string, id: string): void {
    const ids = own.get(subject)
    if (!ids?.delete(id)) return
    if (ids.size === 0) own.delete(subject)
    if (redis?.status === 'ready') redis.zrem(keyOf(subject), id).catch(() => {})
    if (own.size > 0) return
    clearInterval(renewing)
    renewing = undefined
  }

  return {
    async take(subject, most) {
      const ids = own.get(subject) ?? new Set()
      if (ids.size >= most) return null
      const id = randomUUID()
      // Count the place before Redis answers, so that concurrent requests do not share the last place.
      own.set(subject, ids.add(id))
      renewing ??= setInterval(renew, leaseMs / 3).unref()
      if (await ask(subject, most, [id])) return () => giveBack(subject, id)
      giveBack(subject, id)
      return null
    },
    close() {
      clearInterval(renewing)
    },
  }
}
