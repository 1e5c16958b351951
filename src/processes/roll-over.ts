import { readConfig } from '../config.ts'
import type { Logger } from '../tools/log.ts'
import { readSettings } from '../tools/settings.ts'
import type { Slot } from './slot.ts'

/**
 * Handles SIGHUP of the parent: replaces the processes one after the other. The new processes read .env, the secrets'
 * files and the source again, but inherit the parent's environment. If a new process cannot serve, the old processes
 * that are not yet replaced stay.
 */
export function openRollOver(slots: readonly Slot[], log: Logger): () => void {
  let running = Promise.resolve()
  let isWaiting = false

  async function rollOver(): Promise<void> {
    isWaiting = false
    try {
      readConfig(readSettings())
      for (const slot of slots) await slot.replace()
      log.info({ processes: slots.length }, 'SIGHUP: the processes were replaced')
    } catch (error) {
      log.error(`SIGHUP: ${(error as Error).message} The old processes continue to serve.`)
    }
  }

  return () => {
    // After a signal during a roll-over, one more roll-over follows, which reads the latest changes.
    if (isWaiting) return
    isWaiting = true
    running = running.then(rollOver)
  }
}
