import { randomUUID } from 'node:crypto'
import { Cluster, type Redis } from 'ioredis'
import type { Clock } from '../tools/clock.ts'
import type { Charge } from './charge.ts'
import type { Circuit } from './circuit.ts'
import { type Decision, makeDecision } from './decision.ts'
import { outageOr } from './outage.ts'
import { defineScript, readCounts, type Spelled, spell, spellRenewal } from './script.ts'

/** So few that Redis decides the first while this process still reads the requests of the others. */
const mostTogether = 12

type Batch = { keys: string[]; values: (string | number)[]; answer: Promise<string[]>; send(): void }

/**
 * Has the script decide all charges of one turn of the event loop in a few calls, and renew versions on the way: one call a
 * charge costs 1.4 to 1.7 times the CPU of a whole request.
 */
export function openBatches(
  redis: Redis | Cluster,
  circuit: Circuit,
  clock: Clock,
  time: (seconds: number) => void,
) {
  defineScript(redis)
  const open = new Map<string, Batch>()
  const versionPrefix = randomUUID()
  let versions = 0

  return {
    async decide(act: 'charge' | 'peek', charge: Charge): Promise<Decision> {
      const { answer, index } = join(charge.subject, spell(charge, act))
      const texts = await answer
      return makeDecision(charge, readCounts(texts[0], texts[index]))
    },
    renewVersion: (subject: string): Promise<unknown> => join(subject, spellRenewal(subject)).answer,
  }

  /** Where in the answer of which batch a question's own stands. */
  function join(subject: string, { keys, values }: Spelled): { answer: Promise<string[]>; index: number } {
    // A cluster takes only what lies on one node.
    const place = redis instanceof Cluster ? subject : ''
    const batch = open.get(place) ?? openBatch(place)
    batch.keys.push(...keys)
    batch.values.push(...values)
    const index = batch.keys.length / 2
    if (index === mostTogether) batch.send()
    return { answer: batch.answer, index }
  }

  function openBatch(place: string): Batch {
    const { promise: answer, resolve, reject } = Promise.withResolvers<string[]>()
    const batch: Batch = {
      keys: [],
      values: [clock.aheadMs(), `${versionPrefix}.${++versions}`],
      answer,
      send() {
        clearImmediate(atTurnsEnd)
        open.delete(place)
        const { keys, values } = batch
        const sentAt = performance.now()
        circuit
          .run(redis.decideCharges(keys.length, ...keys, ...values).catch(outageOr))
          .finally(() => time((performance.now() - sentAt) / 1000))
          .then(resolve, reject)
      },
    }
    const atTurnsEnd = setImmediate(batch.send)
    open.set(place, batch)
    return batch
  }
}
