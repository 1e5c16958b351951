import { setTimeout as pause } from 'node:timers/promises'

const windowMs = 100
/** More refusals in a window are a flood, and more of other answers are somebody to be kept from it. */
const calm = 20
const holdMs = 20

export type Brake = {
  noteAnswer(status: number, at: number): void
  /** To be awaited before a refusal goes out; null where nobody is the better for it. */
  hold(at: number): Promise<void> | null
}

/**
 * Whoever floods asks again as soon as it is refused. Where others are served meanwhile, its refusals leave some
 * milliseconds later and together: that slows down nobody else, and leaves them the time.
 */
export function openBrake(): Brake {
  let window = 0
  let refused = 0
  let served = 0
  let wasFlood = false
  let leaving: Promise<void> | null = null

  const isFlood = () => refused >= calm && served >= calm

  function lookAt(at: number): void {
    const now = Math.floor(at / windowMs)
    if (now === window) return
    wasFlood = now === window + 1 && isFlood()
    window = now
    refused = served = 0
  }

  return {
    noteAnswer(status, at) {
      lookAt(at)
      if (status === 401 || status === 429) refused++
      else served++
    },
    hold(at) {
      lookAt(at)
      if (!wasFlood && !isFlood()) return null
      leaving ??= pause(holdMs).then(() => {
        leaving = null
      })
      return leaving
    },
  }
}
