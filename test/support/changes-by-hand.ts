import type { Change, Changes, Listener } from '../../src/database/changes.ts'

/** A double of the log of changes. The test decides when the double announces a change to the listeners. */
export function changesByHand() {
  const listeners: Listener[] = []
  let lookedAgoMs = 0
  let look = async () => {}
  const announce = (change: (Partial<Change> & Pick<Change, 'what'>) | null) => {
    const whole = change && { projectId: null, leastId: null, name: null, ...change }
    for (const listener of listeners) listener(whole)
  }
  const changes: Changes = {
    follow: listener => void listeners.push(listener),
    isTrusted: withinMs => lookedAgoMs < withinMs,
    read: () => look(),
    start() {},
    async close() {},
  }
  return {
    ...changes,
    announce,
    lookedAgo(ms: number) {
      lookedAgoMs = ms
    },
    distrust() {
      lookedAgoMs = Number.POSITIVE_INFINITY
    },
    failLooks() {
      look = () => Promise.reject(new Error('The log cannot be read.'))
    },
    hangLooks() {
      look = () => new Promise(() => {})
    },
    changeAtNextRead(change: Parameters<typeof announce>[0]) {
      look = async () => announce(change)
    },
  }
}
