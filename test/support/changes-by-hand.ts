import type { Change, Changes, Listener } from '../../src/database/changes.ts'

/** A log of changes that tells what the test says, when it says so. */
export function changesByHand() {
  const listeners: Listener[] = []
  let isTrusted = true
  let look = async () => {}
  const tell = (change: (Partial<Change> & Pick<Change, 'what'>) | null) => {
    const whole = change && { projectId: null, leastId: null, name: null, ...change }
    for (const listener of listeners) listener(whole)
  }
  const changes: Changes = {
    follow: listener => void listeners.push(listener),
    isTrusted: () => isTrusted,
    look: () => look(),
    start() {},
    async close() {},
  }
  return {
    ...changes,
    tell,
    distrust() {
      isTrusted = false
    },
    failLooks() {
      look = () => Promise.reject(new Error('The log cannot be read.'))
    },
    hangLooks() {
      look = () => new Promise(() => {})
    },
    tellWithNextLook(change: Parameters<typeof tell>[0]) {
      look = async () => tell(change)
    },
  }
}
