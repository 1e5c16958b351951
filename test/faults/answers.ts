import type { Answer } from './client.ts'

/** Records the answers to clients, by sender, and the time of the last bad one. */
export type Answers = {
  /** `url` is who was asked; what is `right` beside a 2xx the one who asks knows. */
  note(url: string, answer: Answer, right?: number[]): boolean
  count(status: number | null): number
  /** How many connections were cut or refused. */
  cut(): { atProcess: number; atBalancer: number }
  total(): number
  slowest(): { ms: number; what: string }
  /** The slowest so far, of which nothing counts any more: it was before the fault. */
  calm(): number
  /** Everything that no document promises, each once. */
  wrong(): string[]
  lastBadAt(): number
}

export function openAnswers(balancerUrl: string): Answers {
  const counts = new Map<number | null, number>()
  const wrong = new Map<string, number>()
  let slowest = { ms: 0, what: '' }
  const cut = { atProcess: 0, atBalancer: 0 }
  let lastBadAt = 0

  return {
    note(url, answer, right = []) {
      const { status, askedAt, answeredAt } = answer
      counts.set(status, (counts.get(status) ?? 0) + 1)
      if (isCut(answer)) cut[url === balancerUrl ? 'atBalancer' : 'atProcess']++
      const who = url === balancerUrl ? 'behind the balancer' : 'at a process'
      const ms = answeredAt - askedAt
      if (ms > slowest.ms) slowest = { ms, what: `${answer.what} ${who}: ${status}` }
      const isRight = status !== null && ((status >= 200 && status < 300) || right.includes(status))
      if (isRight) return true
      lastBadAt = performance.now()
      const why = whatIsWrong(answer)
      if (why) wrong.set(`${why} ${who}`, (wrong.get(`${why} ${who}`) ?? 0) + 1)
      return false
    },
    count: status => counts.get(status) ?? 0,
    total: () => counts.values().reduce((sum, count) => sum + count, 0),
    slowest: () => slowest,
    calm() {
      const { ms } = slowest
      slowest = { ms: 0, what: '' }
      return ms
    },
    wrong: () => [...wrong].map(([why, count]) => `${count} × ${why}`),
    cut: () => cut,
    lastBadAt: () => lastBadAt,
  }
}

/** A refusal is a 503 in the store's words, with the time to come back; a connection that is cut is judged by who was killed. */
function whatIsWrong(answer: Answer): string | null {
  const { status, headers, text } = answer
  if (isCut(answer)) return null
  if (status === null) return 'no answer within 15 s'
  if (status !== 503) return `${status} ${codeOf(text) ?? 'without a code'}`
  if (codeOf(text) !== 'unavailable') return '503 that is no Error'
  return headers['retry-after'] === undefined ? '503 without Retry-After' : null
}

function codeOf(text: string): string | null {
  try {
    const json = JSON.parse(text) as {
      code?: string
      errors?: { extensions?: { code?: string } }[]
    }
    return json.code ?? json.errors?.[0]?.extensions?.code ?? null
  } catch {
    return null
  }
}

/** A 502 is how a balancer says that a connection was cut behind it. */
const isCut = ({ status, text }: Answer) => status === 0 || (status === 502 && codeOf(text) === null)
