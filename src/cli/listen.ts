import { Command } from 'commander'
import { writeExactJson } from '../../clients/typescript/src/exact-json.ts'
import type { StoreEvent } from '../../clients/typescript/src/index.ts'
import { withTimer } from '../../clients/typescript/src/time.ts'
import { makeSigningSecret, signedHeaders } from '../core/events/signature.ts'
import { type CommandContext, toJson, wantsJson } from './command-context.ts'
import { exitCodes, Refused } from './exit.ts'
import { printable } from './printable.ts'
import { openRestClient, withCommandErrors } from './rest-client.ts'
import { stoppable } from './stop-signal.ts'

type Options = { forwardTo: string; type?: string; after?: string; secret?: string }
type Outcome = { event: string; type: string; status: number | null; ms: number; problem?: string }

const timeoutMs = 15_000

export function listenCommand(shop: CommandContext): Command {
  return new Command('listen')
    .description('send events to a program on this machine while they happen, signed as webhooks are')
    .requiredOption('--forward-to <address>', 'where the program listens, such as localhost:3000/hooks')
    .option('--type <types>', 'only events of these types, such as pet.created,order.placed')
    .option('--after <event>', 'begin after the event with this id instead of now')
    .option('--secret <secret>', 'sign with this secret (whsec_...) instead of a new one')
    .action(async ({ forwardTo, secret = makeSigningSecret(), ...query }: Options, command: Command) => {
      const url = addressOf(forwardTo)
      if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret))
        throw new Refused('--secret must be whsec_ and a secret in base64.', exitCodes.wrongInput)
      const { events } = openRestClient(shop.connect('owner'))
      process.stderr.write(`Events go to ${url}, signed with the secret ${secret}\nCtrl-C ends this.\n`)
      await stoppable(async signal => {
        const following = events.follow(query, { signal })
        for (;;) {
          const { value: event, done } = await withCommandErrors(following.next()).catch(error => {
            if (signal.aborted) return { value: undefined, done: true as const }
            throw error
          })
          if (done || !event) return
          const outcome = await forward(url, event, secret, signal)
          shop.output.write(`${wantsJson(command) ? toJson(outcome, 0) : lineOf(outcome)}\n`)
        }
      })
    })
}

/**
 * Sends one event as the store would. If sending fails, the command only prints the failure and goes on with the next
 * event. The failed event is not lost, because the store's log keeps all events.
 */
async function forward(
  url: string,
  event: StoreEvent,
  secret: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const body = writeExactJson(event)
  const begun = performance.now()
  const outcome = { event: event.id, type: event.type }
  const took = () => Math.round(performance.now() - begun)
  try {
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders(event.id, Date.now(), body, [secret]),
    }
    const status = await withTimer(timeoutMs, signal, async ended => {
      const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: ended })
      await answer.arrayBuffer()
      return answer.status
    })
    return { ...outcome, status, ms: took() }
  } catch (error) {
    const { name, message, cause } = error as Error
    const isLate = name === 'AbortError' && !signal.aborted
    const cut = isLate ? `it took longer than ${timeoutMs / 1000} s` : message
    const problem = cause instanceof Error ? cause.message || 'no connection' : cut
    return { ...outcome, status: null, ms: took(), problem }
  }
}

function addressOf(text: string): string {
  const hasScheme = /^[a-z]+:\/\//i.test(text)
  const url = hasScheme ? text : `http://${/^\d+$/.test(text) ? `localhost:${text}` : text}`
  if (URL.canParse(url) && /^https?:/i.test(url)) return new URL(url).href
  throw new Refused('--forward-to must be an http address, such as localhost:3000.', exitCodes.wrongInput)
}

const lineOf = ({ event, type, status, problem, ms }: Outcome) =>
  printable(`${event}  ${type}  ${status ?? `no answer: ${problem}`}  ${ms} ms`)
