import { setTimeout as pause } from 'node:timers/promises'

const mostMs = 120_000

export async function until(isThere: () => boolean, what: string): Promise<void> {
  const giveUpAt = performance.now() + mostMs
  while (!isThere()) {
    if (performance.now() > giveUpAt) throw new Error(`${what} took longer than ${mostMs / 1000} s.`)
    await pause(5)
  }
}
