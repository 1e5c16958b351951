import { useEffect, useEffectEvent } from 'react'
import type { Scope } from '../../generated/contract.ts'
import { passing } from './client.ts'
import { now } from './clock.ts'
import type { Credential } from './credential.ts'
import { parseExactly } from './exact-json.ts'
import { askRest, RestError } from './rest.ts'
import { useMissing, useSession } from './session.ts'

export type StreamedEvent = {
  id: string
  type: string
  subject?: string
  data: Record<string, unknown>
}

export type Followed = {
  /** Runs when the page or the tab becomes visible, and some time before the stream opens. */
  onVisible?(): void
  onOpen?(): void
  onEvent(event: StreamedEvent): void
}

/** Open the stream only after this time: a reader who leaves the page at once needs none. */
const waitMs = 2_000
const pauseMs = 5_000
/**
 * Each attempt may cost one request, so wait longer after a refusal, and twice as long after each refusal by a limit,
 * because all streams of the key may be open for hours.
 */
const refusedMs = { first: 60_000, longest: 3_600_000 }

/**
 * Follows the events that the filter selects, for example `subject=pet:7`, while the tab is visible. Does nothing for a
 * key without `scope`, and for an operator, because the stream is of one project.
 */
export function useEvents(scope: Scope, filter: string, followed: Followed): void {
  const { key, operator } = useSession()
  const isMissing = useMissing(scope) !== null || operator
  const onVisible = useEffectEvent(() => followed.onVisible?.())
  const onOpen = useEffectEvent(() => followed.onOpen?.())
  const onEvent = useEffectEvent((event: StreamedEvent) => followed.onEvent(event))
  useEffect(() => {
    if (isMissing) return
    let leave = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      leave.abort()
      clearTimeout(timer)
      if (document.visibilityState !== 'visible') return
      onVisible()
      leave = new AbortController()
      const { signal } = leave
      timer = setTimeout(() => void followEvents(key, filter, signal, { onOpen, onEvent }), waitMs)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      clearTimeout(timer)
      leave.abort()
    }
  }, [key, isMissing, filter])
}

/**
 * Follows events until `signal` is aborted. Reconnects when the stream ends, and after temporary errors. Stops
 * silently if the store refuses the stream for good, because the page works without the stream.
 */
async function followEvents(
  credential: Credential,
  filter: string,
  signal: AbortSignal,
  { onOpen, onEvent }: Required<Pick<Followed, 'onOpen' | 'onEvent'>>,
): Promise<void> {
  let last = ''
  let afterRefusalMs = refusedMs.first
  while (!signal.aborted) {
    let nextMs = pauseMs
    try {
      const headers = { Accept: 'text/event-stream', ...(last && { 'Last-Event-ID': last }) }
      const answer = await askRest(credential, `/v1/events?${filter}`, { headers, signal })
      if (!answer.body) return
      afterRefusalMs = refusedMs.first
      onOpen()
      for await (const frame of framesOf(answer.body)) {
        if (frame.id) last = frame.id
        if (frame.data) onEvent(parseExactly(frame.data))
      }
    } catch (error) {
      if (error instanceof RestError && error.code !== 'offline') {
        if (!passing.includes(error.code)) return
        const untilRetryMs = error.retryAt === null ? 0 : Date.parse(error.retryAt) - now()
        nextMs = Math.max(afterRefusalMs, untilRetryMs)
        if (error.code === 'rate_limited') afterRefusalMs = Math.min(2 * afterRefusalMs, refusedMs.longest)
      }
    }
    if (!signal.aborted) await new Promise(done => setTimeout(done, nextMs))
  }
}

/**
 * Parses server-sent events. Each line of an event is one field with a name and a value. An empty line ends the event.
 */
async function* framesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    text += value
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      // A name in the data may contain U+2028, which a dot matches only with the flag s.
      const lines = frame.split('\n').map(line => /^(\w+): ?(.*)$/s.exec(line) ?? [])
      yield Object.fromEntries(lines.map(([, name, value]) => [name, value])) as {
        id?: string
        data?: string
      }
    }
  }
}
