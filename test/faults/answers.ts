import type { Answer } from './client.ts'

/** Records the answers to clients, by sender, and the time of the last bad one. */
export type Answers = {
  /**
   * Records an answer. `url` is the process or balancer that was asked; `right` lists further statuses that are right
   * for this request.
   */
  note(url: string, answer: Answer, right?: number[]): boolean
  count(status: number | null): number
  /** Number of connections that were cut or refused. */
  cut(): { atProcess: number; atBalancer: number }
  total(): number
  slowest(): { ms: number; what: string }
  /**
   * Returns how many milliseconds the slowest answer so far took, and forgets this answer. So answers before the fault
   * do not count as answers during the fault.
   */
  calm(): number
  /** Answers that no document promises, each once. */
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
      const { status, sentAt, answeredAt } = answer
      counts.set(status, (counts.get(status) ?? 0) + 1)
      if (isCut(answer)) cut[url === balancerUrl ? 'atBalancer' : 'atProcess']++
      const who = url === balancerUrl ? 'behind the balancer' : 'at a process'
      const ms = answeredAt - sentAt
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

/**
 * Returns what is wrong with an answer. A refusal must be a 503 with code `unavailable` and Retry-After. Cut
 * connections are counted separately, because their number depends on the fault.
 */
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

/** With a 502 a balancer says that the connection behind it was cut. */
const isCut = ({ status, text }: Answer) => status === 0 || (status === 502 && codeOf(text) === null)
