import { readBase, requireKey } from './address.ts'
import { readAnswer, readStream } from './answer.ts'
import { attempt } from './attempt.ts'
import { StoreError } from './errors.ts'
import { openHold } from './hold.ts'
import type { Answered, Input, OperationId } from './operations.ts'
import type { ChangeOptions, CreateOptions, StoreOptions } from './options.ts'
import { mayRepeat, waitMs } from './repeat.ts'
import { composeRequest } from './request.ts'
import { pause, startDeadline } from './time.ts'

export type Answer<Id extends OperationId> = { body: Answered<Id>; headers: Headers }

/** Sends an operation of the contract, and retries it where that is safe. */
export type Send = <Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: CreateOptions & ChangeOptions & { accept?: string },
) => Promise<Answer<Id>>

/** Makes the function that sends. `learn` is called with each answer, also with refusals. */
export function openSend(store: StoreOptions, learn: (id: OperationId, answer: Response) => void): Send {
  const { key, fetch = globalThis.fetch } = store
  const base = readBase(store.url)
  requireKey(key)
  const inTurn = openHold()

  return async (id, input, { signal, idempotencyKey, ifMatch, accept, ...call }) => {
    const {
      deadlineMs = 120_000,
      attemptMs = usualAttemptMs(id),
      retries = 5,
    } = { ...given(store), ...given(call) }
    const request = composeRequest(base, key, id, input, { idempotencyKey, ifMatch, accept })
    const deadline = startDeadline(deadlineMs)
    const ask = async () => {
      const { response, text, stream } = await attempt(fetch, request, attemptMs, deadline, signal)
      learn(id, response)
      const isStreamed = request.streamed && response.ok
      const body = isStreamed ? readStream(response, stream) : readAnswer(response, text)
      return { body: body as Answered<typeof id>, headers: response.headers }
    }
    for (let repeats = 0; ; repeats++) {
      try {
        // Reading the limits is not charged to the budget of the other calls, so it need not wait.
        if (id === 'getRateLimit') return await ask()
        return await inTurn(deadline, signal, ask, { isStream: request.streamed || accept !== undefined })
      } catch (failure) {
        if (!(failure instanceof StoreError)) throw failure
        const ms = waitMs(failure, repeats)
        if (repeats >= retries || !mayRepeat(failure, request.safe) || ms >= deadline.leftMs()) throw failure
        await pause(ms, signal)
      }
    }
  }
}

/**
 * The store answers the test of a webhook only when the webhook's endpoint has answered, which may take 15 seconds. The
 * client therefore waits longer for this operation.
 */
const usualAttemptMs = (id: OperationId) => (id === 'testWebhook' ? 25_000 : 15_000)

/** Removes options whose value is undefined, so that the defaults apply. */
function given<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options
}
