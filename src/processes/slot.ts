import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../tools/log.ts'
import { StartRefused } from '../tools/start-refused.ts'
import { type Child, startChild } from './child.ts'

/**
 * The slot of one serving process: starts another process when its process dies, and replaces its process without
 * losing a request.
 */
export type Slot = {
  start(): Child
  /** Starts another process, and ends the old one when the new one serves. Rejects if the new one does not serve. */
  replace(): Promise<void>
}

/**
 * In seconds: the wait before a restart. It is `firstWait` after the first death and doubles with each further death,
 * up to `longestWait`.
 */
const firstWait = 0.1
const longestWait = 10
/** A process that still runs this long after its idle connections timed out is killed. */
const mostEndingSeconds = 10
/** If a process served for this long, the next wait is `firstWait` again. */
const healthyMs = 60_000

type SlotTools = {
  log: Logger
  closing: AbortSignal
  idleSeconds: number
  onStart(child: Child): void
  onDeath(): void
}

export function openSlot({ log, closing, idleSeconds, onStart, onDeath }: SlotTools): Slot {
  let current: Child | null = null
  let deaths = 0
  let isReplacing = false

  function begin(): Child {
    const child = startChild(() => {
      if (child === current)
        replace().catch(error =>
          log.error(`process ${child.pid} was not replaced and continues to serve: ${error.message}`),
        )
    })
    onStart(child)
    return child
  }

  function start(): Child {
    const child = begin()
    keep(child)
    return child
  }

  function keep(child: Child): void {
    current = child
    child.ended.then(how => {
      if (!closing.aborted && !isReplacing) revive(child, how)
    })
  }

  async function revive(child: Child, how: string): Promise<void> {
    // Ignore the end of a process that was replaced: the slot has another process already.
    if (current !== child) return
    onDeath()
    deaths = child.servedMs() > healthyMs ? 1 : deaths + 1
    const seconds = Math.min(longestWait, firstWait * 2 ** (deaths - 1))
    const refusal = await child.up.then(() => null, toRefusal)
    log.error(`process ${child.pid} ended: ${refusal ?? how}; starting another in ${seconds} s`)
    await pause(seconds * 1000, undefined, { signal: closing }).catch(() => {})
    if (current === child && !closing.aborted && !isReplacing) start()
  }

  let turn = Promise.resolve()
  function replace(): Promise<void> {
    turn = turn.catch(() => {}).then(replaceCurrent)
    return turn
  }

  async function replaceCurrent(): Promise<void> {
    if (closing.aborted || !current) return
    isReplacing = true
    try {
      const next = begin()
      await next.up
      const old = current
      keep(next)
      old.give({ act: 'hand over', idleSeconds })
      // Kill a process that hangs: later replacements would wait for it.
      const late = setTimeout(() => old.kill(), (idleSeconds + mostEndingSeconds) * 1000)
      await old.ended
      clearTimeout(late)
    } catch (error) {
      if (!closing.aborted) throw error
    } finally {
      isReplacing = false
      // If the process died during the replacement, start another one now: `keep` ignored the death.
      if (current.isEnded() && !closing.aborted) revive(current, await current.ended)
    }
  }

  return { start, replace }
}

const toRefusal = (error: unknown) => (error instanceof StartRefused ? error.message : null)
