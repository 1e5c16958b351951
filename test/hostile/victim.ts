import { Agent, request } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, openClient, type Question } from '../faults/client.ts'
import { domain, type Ground, pendingName, pendingToken } from './ground.ts'

/** The answers that the victim's clients and a probe saw during a period. */
export type Seen = {
  /** Milliseconds of each answer, sorted. */
  times: number[]
  /** Each distinct wrong answer, and how often it came. */
  wrong: string[]
  longestLivezMs: number
  /** How often /livez did not answer 200. */
  livezFaults: number
}
export type Victim = {
  /** Returns all that was seen since the last call. An open request counts with the time that it has taken so far. */
  take(): Seen
  stop(): Promise<void>
}

const paceMs = 40
/**
 * The pause between two requests for the pending challenge, in milliseconds. The service does not know the host of
 * these requests, so each request is charged to the IP address. With this pause, the requests of a minute stay below
 * the limit of the IP address.
 */
const challengePaceMs = 2_500
const livezPaceMs = 50

/**
 * Starts the victim: clients that steadily read and write a project over REST, GraphQL and its own domain, and a probe
 * of /livez like a platform's.
 */
export function startVictim({ victim }: Ground): Victim {
  const { urls, httpsPorts, secret, ca, petId } = victim
  const client = openClient(secret)
  const stranger = openClient(null)
  const agent = new Agent({ keepAlive: true })
  const underWay = new Set<number>()
  const probing = new Set<number>()
  let seen = nothing()
  let goesOn = true

  const post = (body: object): Question => ({ method: 'POST', body })
  const query = '{ pets(first: 20) { nodes { id name } } }'
  const mutation = `mutation ($name: String!) { updatePet(petId: "${petId}", input: { name: $name }) { name } }`
  const create = (i: number) => post({ name: `victim-${i}`, categoryId: 1 })
  const asks: ((url: string, i: number) => Promise<Answer>)[] = [
    url => client.ask(`${url}/v1/pets?limit=20`),
    url => client.ask(`${url}/v1/pets/${petId}`),
    url => client.ask(`${url}/graphql`, post({ query })),
    (url, i) => client.ask(`${url}/v1/pets`, create(i)),
    (url, i) => client.ask(`${url}/graphql`, post({ query: mutation, variables: { name: `victim-${i}` } })),
    (_url, i) => visit(agent, httpsPorts[i % httpsPorts.length] ?? 0, ca, secret),
  ]

  async function keepAsking(ask: (url: string, i: number) => Promise<Answer>): Promise<void> {
    for (let i = 0; goesOn; i++) {
      const since = performance.now()
      underWay.add(since)
      const answer = await ask(urls[i % urls.length] ?? '', i)
      underWay.delete(since)
      seen.times.push(performance.now() - since)
      note(answer, answer.status === 200 || answer.status === 201, isOwn(answer.text))
      await pause(paceMs)
    }
  }

  async function keepProving(): Promise<void> {
    for (let i = 0; goesOn; i++) {
      const question = { headers: { host: pendingName } }
      const path = `/.well-known/acme-challenge/${pendingToken}`
      const answer = await stranger.ask(`${urls[i % urls.length]}${path}`, question)
      note(answer, answer.status === 200, answer.text.startsWith(pendingToken))
      await pause(challengePaceMs)
    }
  }

  async function keepProbing(url: string): Promise<void> {
    while (goesOn) {
      const since = performance.now()
      probing.add(since)
      const { status } = await stranger.ask(`${url}/livez`)
      probing.delete(since)
      if (status !== 200) seen.livezFaults++
      seen.longestLivezMs = Math.max(seen.longestLivezMs, performance.now() - since)
      await pause(livezPaceMs)
    }
  }

  function note({ what, status, text }: Answer, isRight: boolean, isOwn: boolean): void {
    if (isRight && isOwn) return
    seen.wrong.push(`${what}: ${isRight ? `not its own: ${text.slice(0, 80)}` : status}`)
  }

  const running = [...asks.map(keepAsking), keepProving(), ...urls.map(keepProbing)]
  return {
    take() {
      const now = performance.now()
      const { times, wrong, longestLivezMs, livezFaults } = seen
      seen = nothing()
      const counted = Map.groupBy(wrong, what => what)
      return {
        times: [...times, ...[...underWay].map(since => now - since)].sort((a, b) => a - b),
        wrong: [...counted].map(([what, all]) => `${all.length} × ${what}`),
        longestLivezMs: Math.max(longestLivezMs, ...[...probing].map(since => now - since)),
        livezFaults,
      }
    },
    async stop() {
      goesOn = false
      await Promise.all(running)
      client.close()
      stranger.close()
      agent.destroy()
    },
  }
}

const nothing = (): Seen => ({ times: [], wrong: [], longestLivezMs: 0, livezFaults: 0 })

/** True if the text contains only the victim's pets, whose names begin alike. */
const isOwn = (text: string) =>
  [...text.matchAll(/"name":"([^"]*)"/g)].every(([, name]) => name?.startsWith('victim-'))

function visit(agent: Agent, port: number, ca: string, secret: string): Promise<Answer> {
  const sentAt = performance.now()
  return new Promise(resolve => {
    const end = (status: number | null, text = '') =>
      resolve({ what: `GET ${domain}`, sentAt, answeredAt: performance.now(), status, headers: {}, text })
    const headers = { host: `${domain}:${port}`, authorization: `Bearer ${secret}` }
    const to = { host: '127.0.0.1', port, path: '/v1/pets?limit=20', servername: domain, ca, agent, headers }
    const outgoing = request({ ...to, signal: AbortSignal.timeout(15_000) }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      response.on('end', () => end(response.statusCode ?? 0, text)).on('error', () => end(0))
    })
    outgoing.on('error', ({ name }) => end(name === 'TimeoutError' || name === 'AbortError' ? null : 0))
    outgoing.end()
  })
}
