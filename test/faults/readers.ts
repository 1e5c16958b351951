import { setTimeout as pause } from 'node:timers/promises'
import type { Answer } from './client.ts'
import type { Desk } from './writers.ts'

const paceMs = 15
const query = '{ pets(first: 100) { nodes { id name } } }'

export type Reading = { judged: number; old: string[] }

/**
 * Reads the watched pets of one process over REST and GraphQL in turn. Checks that no answer is older than an
 * acknowledged change.
 */
export async function keepReading(desk: Desk, url: string, reading: Reading): Promise<void> {
  for (let i = 0; desk.goesOn(); i++) {
    const answer = await readBy[i % readBy.length]?.(desk, url)
    // Skip answers of the balancer itself, and GraphQL answers with errors.
    if (answer && desk.note(url, answer) && answer.status === 200) judge(desk, url, answer, reading)
    await pause(paceMs)
  }
}

const readBy: ((desk: Desk, url: string) => Promise<Answer>)[] = [
  ({ client }, url) => client.ask(`${url}/v1/pets?limit=100`),
  ({ client }, url) => client.ask(`${url}/graphql`, { method: 'POST', body: { query } }),
  ({ client, ledger }, url) => client.ask(`${url}/v1/pets/${[...ledger.watched.keys()][0]}`),
]

function judge({ ledger }: Desk, url: string, { sentAt, text }: Answer, reading: Reading): void {
  for (const { id, name } of petsIn(JSON.parse(text))) {
    const versions = ledger.watched.get(Number(id))
    if (!versions) continue
    const version = Number(name.split('-v')[1])
    const wrong = versions.judge(version, sentAt)
    if (wrong) reading.old.push(`${(sentAt / 1000).toFixed(1)} s: ${url} showed ${wrong}`)
    versions.see(version)
    reading.judged++
  }
}

type Shown = { id: number | string; name: string }

function petsIn(json: Shown | Shown[] | { data?: { pets?: { nodes: Shown[] } } }): Shown[] {
  if (Array.isArray(json)) return json
  if ('name' in json) return [json]
  return 'data' in json ? (json.data?.pets?.nodes ?? []) : []
}
