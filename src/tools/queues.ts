type Go = () => void
/** `begun` counts the tasks since the queue was last empty. */
type Queue = { running: number; begun: number; waiting: Go[] }

/** Bounds how many tasks run at once for each key. The other tasks of the key wait in the order of their calls. */
export function openQueues<Key>() {
  const queues = new Map<Key, Queue>()

  return {
    /**
     * Calls `go` at once if fewer than `most` tasks of the key run, and returns null. Otherwise calls `go` in its turn, and
     * returns a function that stops waiting. Call `end` once for each `go` that was called.
     */
    ask(key: Key, most: number, go: Go): (() => void) | null {
      const queue = queues.get(key) ?? { running: 0, begun: 0, waiting: [] }
      queues.set(key, queue)
      if (queue.running < most) {
        queue.running++
        queue.begun++
        go()
        return null
      }
      queue.waiting.push(go)
      return () => {
        const place = queue.waiting.indexOf(go)
        if (place >= 0) queue.waiting.splice(place, 1)
      }
    },
    end(key: Key): void {
      const queue = queues.get(key)
      if (!queue) return
      const next = queue.waiting.shift()
      // If a task waits, the waiting task takes the place of the ended task, so `running` stays unchanged.
      if (next) {
        queue.begun++
        next()
      } else if (--queue.running === 0) queues.delete(key)
    },
    /** Returns how many tasks of the key have begun since its queue was last empty. */
    begunInARow: (key: Key): number => queues.get(key)?.begun ?? 0,
  }
}

export type Queues<Key> = ReturnType<typeof openQueues<Key>>
