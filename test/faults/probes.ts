import { setTimeout as pause } from 'node:timers/promises'
import { openClient } from './client.ts'
import type { Store } from './stores.ts'

const everyMs = 100
/** The default timeout of a Kubernetes probe. */
const livezPatienceMs = 1_000

type State = { status: string; fault?: string; limiter?: string }

/** Sends liveness and readiness probes to every process, as a platform does. */
export type Probes = {
  /** Processes that did not answer /livez in time, and how often. */
  dead(): Map<string, number>
  /** Answers of /readyz other than "ready", each once. */
  said(): string[]
  lastUnwellAt(): number
  stop(): Promise<void>
}

export function startProbes(stores: readonly Store[], busyMs: number, patience: number): Probes {
  const client = openClient(null)
  const dead = new Map<string, number>()
  const said = new Set<string>()
  let lastUnwellAt = 0
  let goesOn = true

  async function probe({ url, opsUrl }: Store): Promise<void> {
    while (goesOn) {
      const urls = [`${url}/livez`, `${url}/readyz`, `${opsUrl}/readyz`] as const
      const [livez, readyz, reasons] = await Promise.all([
        client.ask(urls[0]),
        client.ask(urls[1]),
        client.ask(urls[2]),
      ])
      if (livez.status !== 200 || livez.answeredAt - livez.sentAt > patience * (livezPatienceMs + busyMs)) {
        dead.set(url, (dead.get(url) ?? 0) + 1)
      }
      const words = wordsOf(readyz.status, reasons.text)
      if (words) said.add(words)
      if (readyz.status !== 200 || reasons.text.includes('counting in memory'))
        lastUnwellAt = performance.now()
      await pause(everyMs)
    }
  }

  const probing = stores.map(probe)
  return {
    dead: () => dead,
    said: () => [...said],
    lastUnwellAt: () => lastUnwellAt,
    async stop() {
      goesOn = false
      await Promise.all(probing)
      client.close()
    },
  }
}

function wordsOf(status: number | null, text: string): string | null {
  if (status !== 200 && status !== 503) return null
  const { fault, limiter } = text.startsWith('{') ? (JSON.parse(text) as State) : {}
  const isAlone = limiter?.startsWith('counting') ?? false
  if (status === 200 && !fault && !isAlone) return null
  return [status, fault, isAlone ? 'counts alone' : null].filter(Boolean).join(' ')
}
