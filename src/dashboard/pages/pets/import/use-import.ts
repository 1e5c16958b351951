import { useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import { now } from '../../../app/clock.ts'
import { SessionError } from '../../../app/person.ts'
import { RestError } from '../../../app/rest.ts'
import { useSession } from '../../../app/session.ts'
import { t } from '../../../texts/pages.ts'
import { useAnnounce } from '../../../ui/announce.tsx'
import { countAgain } from '../count-again.ts'
import { progressOf } from '../progress.ts'
import { stopped } from './import-failed.tsx'
import type { Attempt, Look } from './look-at-file.ts'
import { countPets } from './looked-at.tsx'
import { type Imported, sendPart } from './send-import.ts'

/** An import of several parts waits at most this long until the plan has requests again. */
const longestWaitMs = 120_000

/** Sends the parts of a file in order, and shows the progress. */
export function useImport(
  onImported: () => void,
  onClose: () => void,
  onProblem: (problem: RestError | null) => void,
) {
  const { key } = useSession()
  const announce = useAnnounce()
  const client = useClient()
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(0)
  const [progress, setProgress] = useState('')
  const [waitsUntil, setWaitsUntil] = useState<string | null>(null)
  const attempt = useRef<Attempt | null>(null)
  const stop = useRef(new AbortController())
  // Leaving the page stops the import.
  useEffect(() => () => stop.current.abort(), [])

  async function sendAll(look: Look, signal: AbortSignal): Promise<Imported> {
    const startedAt = performance.now()
    const before = countPets(look, done)
    let last: Imported = { imported: 0, lastId: undefined }
    for (let at = done; at < look.parts.length; ) {
      setProgress(progressOf(countPets(look, at), look.pets, performance.now() - startedAt, before))
      attempt.current = { look, done: at }
      const [part] = look.parts.slice(at)
      if (!part) break
      try {
        last = await sendPart(key, look, part, signal)
      } catch (error) {
        if (look.parts.length === 1 || !(await waitForPlan(error, signal))) throw error
        continue
      }
      setDone(++at)
    }
    return last
  }

  /**
   * Waits until the plan has requests again. Returns false at once if waiting would not help, or would take too long.
   */
  async function waitForPlan(error: unknown, signal: AbortSignal): Promise<boolean> {
    if (!(error instanceof RestError) || error.code !== 'rate_limited' || !error.retryAt) return false
    const ms = Date.parse(error.retryAt) - now()
    if (ms > longestWaitMs) return false
    setWaitsUntil(error.retryAt)
    await pause(ms, signal)
    setWaitsUntil(null)
    return true
  }

  const run = async (look: Look) => {
    setBusy(true)
    onProblem(null)
    stop.current = new AbortController()
    const { signal } = stop.current
    try {
      const { lastId } = await sendAll(look, signal)
      announce(t.pets.imported(t.pets.count(look.pets)), lastId)
      onImported()
      onClose()
    } catch (error) {
      onProblem(signal.aborted ? wasStopped() : restErrorOf(error))
      setBusy(false)
      setWaitsUntil(null)
    }
    countAgain(client)
  }
  return { run, stop: () => stop.current.abort(), attempt, busy, done, setDone, progress, waitsUntil }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

const wasStopped = () => new RestError({ code: stopped, message: t.pets.youStoppedImport })

/** An error without a code is a connection that broke before the answer. */
function restErrorOf(error: unknown): RestError {
  if (error instanceof RestError) return error
  // The service refused to renew a person's token.
  if (error instanceof SessionError) return new RestError(error)
  return new RestError({ code: 'offline', message: t.pets.answerOfStoreWasLost })
}
