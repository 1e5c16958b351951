import { Cluster, type Redis } from 'ioredis'

/** Tells the other processes to look now. It may be missed, so whoever listens also looks from time to time. */
export type Bell = {
  ring(): void
  onRing(listener: () => void): void
  close(): void
}

const channel = 'animal-store:hosts'

/** Without a Redis there is nobody to tell, or nobody who could be told. */
export function openBell(redis: Redis | Cluster | null): Bell {
  if (!redis) return { ring() {}, onRing() {}, close() {} }
  const listeners: (() => void)[] = []
  // A connection that listens can do nothing else. The library subscribes again after an outage.
  const ear = redis instanceof Cluster ? redis.duplicate() : redis.duplicate()
  ear.on('error', () => {})
  ear.on('ready', () => ear.subscribe(channel).catch(() => {}))
  ear.on('message', () => {
    for (const listener of listeners) listener()
  })
  return {
    ring: () => void redis.publish(channel, '').catch(() => {}),
    onRing: listener => void listeners.push(listener),
    close: () => ear.disconnect(),
  }
}
