import { setTimeout as pause } from 'node:timers/promises'
import { AnimalStore } from '../../clients/typescript/src/index.ts'
import type { NumberedEvent } from './https-receiver.ts'

type Store = { url: string; key: string; fetch: typeof fetch }
/** Follows the events after `after` over broken connections until the signal aborts. */
type Follow = (
  store: Store,
  after: string,
  see: (event: NumberedEvent) => void,
  signal: AbortSignal,
) => Promise<void>

const againMs = 100
const numbered = ({ id, number }: { id: string; number: bigint | number | string }): NumberedEvent => ({
  id,
  number: Number(number),
})

/** The ways to read events, except webhooks. */
export const followers: Record<'list' | 'stream' | 'subscription', Follow> = {
  async list({ url, key, fetch }, after, see, signal) {
    const { events } = new AnimalStore({ url, key, fetch })
    let last = after
    while (!signal.aborted) {
      try {
        for await (const event of events.list({ after: last })) {
          see(numbered(event))
          last = event.id
        }
      } catch {
        // The process was killed: read on from the last event.
      }
      await pause(againMs)
    }
  },

  async stream({ url, key, fetch }, after, see, signal) {
    const { events } = new AnimalStore({ url, key, fetch })
    try {
      for await (const event of events.follow({ after }, { signal })) see(numbered(event))
    } catch (error) {
      if (!signal.aborted) throw error
    }
  },

  async subscription({ url, key, fetch }, after, see, signal) {
    const query = 'subscription ($after: String) { events(after: $after) { id number } }'
    let last = after
    while (!signal.aborted) {
      try {
        const answer = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: {
            accept: 'text/event-stream',
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ query, variables: { after: last } }),
          signal,
        })
        let rest = ''
        for await (const bytes of answer.body ?? []) {
          const frames = (rest + Buffer.from(bytes).toString('latin1')).split('\n\n')
          rest = frames.pop() ?? ''
          for (const frame of frames) {
            const [, json] = /^event: next\ndata: (.*)$/.exec(frame) ?? []
            const event = json && JSON.parse(json).data?.events
            if (!event) continue
            see(numbered(event))
            last = event.id
          }
        }
      } catch {
        // The process was killed: subscribe again after the last event.
      }
      await pause(againMs)
    }
  },
}
