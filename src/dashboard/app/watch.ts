import type { PersonCredential } from './credential.ts'

const pauseMs = 5_000

/**
 * Calls `onEnd` within a second after the session or the membership ends. To learn of the end, keeps a request open
 * while the tab is visible. Stops when the signal is aborted.
 */
export function watchAccess(credential: PersonCredential, stop: AbortSignal, onEnd: () => void): void {
  let leave = new AbortController()
  const watch = () => {
    leave.abort()
    if (document.visibilityState !== 'visible') return
    leave = new AbortController()
    const signal = AbortSignal.any([leave.signal, stop])
    inTurn(`animal-store.watch.${credential.access.project}`, signal, () =>
      untilEnd(credential, signal, onEnd),
    ).catch(() => {})
  }
  watch()
  document.addEventListener('visibilitychange', watch, { signal: stop })
}

/**
 * Lets one tab of each project watch at a time, because browsers open at most six connections to one host. When the
 * session ends, the watching tab signs out; the next tab then watches and signs out too. Browsers have locks only over
 * HTTPS and at localhost; elsewhere, every tab watches.
 */
async function inTurn(name: string, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(name, { signal }, run)
  else await run()
}

async function untilEnd(credential: PersonCredential, signal: AbortSignal, onEnd: () => void): Promise<void> {
  while (!signal.aborted) {
    try {
      const headers = { Authorization: `Bearer ${await credential.bearer()}` }
      const answer = await fetch('/session/watch', { method: 'POST', headers, signal })
      if (answer.status === 401) return onEnd()
      // The stream ends when the token expires. The next request uses a new token, or gets a 401 if the service issues
      // no new token.
      if (answer.ok && (await answer.text()) !== '') continue
    } catch {
      // The tab is hidden, or the service cannot be reached.
    }
    if (!signal.aborted) await new Promise(done => setTimeout(done, pauseMs))
  }
}
