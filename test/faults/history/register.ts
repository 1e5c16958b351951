/**
 * A read may return a name that is out of date by up to this many milliseconds. But a read never misses a change over
 * the API that was acknowledged before the read.
 */
export const lateMs = 250

/** One call about a pet's name. Times are of the monotonic clock of the clients. */
export type Call = {
  /** The client, its door and the process that it asked. */
  by: string
  /** `change` has the condition If-Match. `set` has no condition: it is SQL by hand, or a restore. */
  act: 'read' | 'change' | 'set'
  /** For a change: the name of the pet at the version whose tag the change sent. */
  expected?: string
  /** The name that was read, or that was to be written. */
  name: string
  sentAt: number
  /** Infinity if no answer came. */
  answeredAt: number
  /** `refused`: the condition was not met. `unknown`: the call may have had its effect, or may still have it. */
  outcome: 'done' | 'refused' | 'unknown'
}

/**
 * After this number of attempts the search gives up and reports the history as broken, because no valid order was
 * found.
 */
const mostTried = 20_000

type Step = Call & { from: number; to: number }

/**
 * Looks for an order of all calls in which each call has its effect between its request and its answer, and each read
 * returns the latest name (linearizability). Returns null if such an order exists, and otherwise a text about the call
 * that fits nowhere. A read may be `lateMs` late, but never misses a change that was acknowledged before the read.
 *
 * This is the search of Wing and Gong with Lowe's cache of tried states, as in Porcupine.
 */
export function findContradiction(first: string, calls: readonly Call[]): string | null {
  const names = new Set(calls.flatMap(({ act, name, expected }) => [act === 'read' ? name : expected]))
  // Search first without the writes whose outcome is unknown and whose name no call has seen. Most histories have a
  // valid order without these writes, and each of them makes the search longer.
  const seen = calls.filter(({ outcome, name }) => outcome !== 'unknown' || names.has(name))
  const contradiction = search(first, seen)
  if (contradiction === null || seen.length === calls.length) return contradiction
  return search(first, calls) === null ? null : contradiction
}

function search(first: string, calls: readonly Call[]): string | null {
  const steps = calls.map(call => toStep(call, calls))
  const required = steps.filter(({ outcome }) => outcome !== 'unknown').length
  const list = linkTimes(steps)
  const taken: { entry: Entry; state: string }[] = []
  const tried = new Set<string>()
  let state = first
  let done = 0n
  let isDone = 0
  let farthest: Step | null = null
  let entry = list.next
  while (isDone < required) {
    if (entry && !entry.isEnd) {
      const next = effectOf(entry.step, state)
      if (next === null || !isNew(entry, next)) {
        entry = entry.next
        continue
      }
      taken.push({ entry, state })
      lift(entry)
      if (entry.step.outcome !== 'unknown') isDone++
      done |= 1n << BigInt(entry.index)
      state = next
      entry = list.next
      continue
    }
    // This call has ended without a place in the order, so the order is impossible: try another one.
    if (entry && entry.step.to > (farthest?.to ?? Number.NEGATIVE_INFINITY)) farthest = entry.step
    if (tried.size > mostTried) return 'too many orders are possible to try them all'
    let after = state
    for (;;) {
      const last = taken.pop()
      if (!last) return farthest ? describe(farthest, steps) : 'no order fits'
      putBack(last.entry)
      if (last.entry.step.outcome !== 'unknown') isDone--
      done ^= 1n << BigInt(last.entry.index)
      state = last.state
      entry = last.entry.next
      // Take back calls, the last one first, up to and including a call that changed the name. Do not try another place
      // for a call that left the name unchanged, because the earliest possible place is the best place for such a call.
      if (state !== after) break
      after = state
    }
  }
  return null

  /** Returns false if the search has already tried this set of placed calls with the same resulting name. */
  function isNew(entry: Entry, next: string): boolean {
    if (next === state) return true
    const key = `${(done | (1n << BigInt(entry.index))).toString(36)} ${next}`
    if (tried.has(key)) return false
    tried.add(key)
    return true
  }
}

/**
 * A read may take effect up to `lateMs` before its request, but not before the latest change that was acknowledged
 * before the request.
 */
function toStep(call: Call, calls: readonly Call[]): Step {
  const to = call.outcome === 'unknown' ? Number.POSITIVE_INFINITY : call.answeredAt
  if (call.act !== 'read') return { ...call, from: call.sentAt, to }
  const acknowledged = calls.filter(
    ({ act, outcome, answeredAt }) => act === 'change' && outcome === 'done' && answeredAt < call.sentAt,
  )
  const from = Math.max(call.sentAt - lateMs, ...acknowledged.map(({ answeredAt }) => answeredAt))
  return { ...call, from, to }
}

/** Returns the name after the call, or null if the call cannot have happened now. */
function effectOf({ act, outcome, expected, name }: Step, state: string): string | null {
  if (act === 'read') return state === name ? state : null
  if (act === 'set') return name
  if (outcome === 'refused') return state === expected ? null : state
  return state === expected ? name : null
}

type Entry = {
  step: Step
  index: number
  isEnd: boolean
  end?: Entry
  next: Entry | null
  previous: Entry | null
}

/** Links the starts and ends of all calls in order of time. Unknown calls have no end. */
function linkTimes(steps: readonly Step[]): Entry {
  const begins = steps.map((step, index): Entry => {
    const begin: Entry = { step, index, isEnd: false, next: null, previous: null }
    if (step.outcome !== 'unknown') begin.end = { ...begin, isEnd: true }
    return begin
  })
  const timed = begins.flatMap(begin => [
    { at: begin.step.from, entry: begin },
    ...(begin.end ? [{ at: begin.step.to, entry: begin.end }] : []),
  ])
  timed.sort((one, other) => one.at - other.at || Number(other.entry.isEnd) - Number(one.entry.isEnd))
  const head = { step: steps[0], index: -1, isEnd: false, next: null, previous: null } as unknown as Entry
  let last = head
  for (const { entry } of timed) {
    last.next = entry
    entry.previous = last
    last = entry
  }
  return head
}

function lift(begin: Entry): void {
  unlink(begin)
  if (begin.end) unlink(begin.end)
}

function putBack(begin: Entry): void {
  if (begin.end) link(begin.end)
  link(begin)
}

function unlink({ next, previous }: Entry): void {
  if (previous) previous.next = next
  if (next) next.previous = previous
}

function link(entry: Entry): void {
  if (entry.previous) entry.previous.next = entry
  if (entry.next) entry.next.previous = entry
}

/** Describes the call and the writes around it, to help find the cause. */
function describe(call: Step, steps: readonly Step[]): string {
  const near = steps.filter(
    step => step !== call && step.act !== 'read' && step.to > call.from - 1_000 && step.from < call.to,
  )
  return [call, ...near.slice(-4)].map(say).join('; ')
}

function say({ by, act, name, expected, outcome, sentAt, answeredAt }: Step): string {
  const what = act === 'change' ? `changed ${expected} to ${name}` : `${act} ${name}`
  const until = outcome === 'unknown' ? 'unknown' : `${outcome}, ${seconds(answeredAt)}`
  return `${by} ${what} (${seconds(sentAt)} to ${until})`
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(3)} s`
