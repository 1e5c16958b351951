import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { holdsScope } from '../core/keys/caller.ts'
import { openPageCache, versionForPages } from '../core/pets/page-cache.ts'
import { weightOf } from '../http/packing.ts'
import type { Decision } from '../limiter/decision.ts'
import { maxEntries } from '../tools/max-entries.ts'
import type { Tools } from '../tools.ts'
import type { Answer } from './answer.ts'
import { charge } from './charge.ts'
import type { Context } from './context.ts'
import { explainCostHeader } from './explain-cost.ts'
import { idempotencyHeader } from './idempotency-key.ts'
import type { Lasting } from './operation.ts'

/** `bytes` is null if the answer must not be cached. page-cache.ts explains `lastId`. */
type CachedAnswer = Answer & { bytes: number | null; lastId: bigint | null }

const cacheBytes = 4_000_000
const schemaBytes = 4_000_000
const knownBytes = 1_000_000
const longestSpelling = 4096
const mostRequestedBefore = 20_000

/**
 * Caches answers to operations that read only pets or only the schema. A cached answer is found before Apollo runs,
 * because Apollo costs several times as much as finding a list. Requests go through Apollo until the same bytes have
 * come twice; for operations on the schema, once is enough. From then on the cost and the question of the operation
 * (media type, operation name, variables and text) are known, so later requests with the same bytes need no parsing.
 * Requests with different bytes but the same question share an answer.
 */
export function openAnswerCache(tools: Tools, run: (context: Context) => Promise<Answer>) {
  /** Checksums of requests that have come once. Two requests with the same checksum only cause a needless entry. */
  const requestedBefore = new LRUCache<number, true>(maxEntries(mostRequestedBefore))
  const known = new LRUCache<string, Lasting>({
    maxSize: knownBytes,
    sizeCalculation: ({ question }, spelling) => 100 + spelling.length + question.length,
  })
  const ofPets = openPageCache<CachedAnswer>(
    tools.changes,
    cacheBytes,
    ['pets', 'categories', 'orders'],
    tools.metrics.pages,
  )
  // The schema does not change while the service runs.
  const ofSchema = new LRUCache<string, Answer>({
    maxSize: schemaBytes,
    sizeCalculation: ({ body }, question) => 500 + question.length + weightOf(body),
  })

  /**
   * Introspection takes tens of milliseconds of CPU, so requests with the same bytes wait for the answer to the first
   * one.
   */
  const underWay = new Map<string, Promise<Answer>>()

  return async (context: Context): Promise<Answer> => {
    const spelling = spellingOf(context)
    if (spelling === null) return run(context)
    const lasting = known.get(spelling)
    return lasting ? find(context, spelling, lasting) : runOrShare(context, spelling)
  }

  async function runOrShare(context: Context, spelling: string): Promise<Answer> {
    if (!isAboutSchema(spelling)) {
      return isRequestedAgain(spelling) ? runAndKeep(context, spelling) : run(context)
    }
    const first = underWay.get(spelling)
    if (first) {
      await first.catch(() => {})
      const lasting = known.get(spelling)
      return lasting ? find(context, spelling, lasting) : runAndKeep(context, spelling)
    }
    const running = runAndKeep(context, spelling).finally(() => underWay.delete(spelling))
    underWay.set(spelling, running)
    return running
  }

  /** Store nothing about a request that comes only once, because storing takes time and memory. */
  function isRequestedAgain(spelling: string): boolean {
    const checksum = crc32(spelling)
    const isKnown = requestedBefore.has(checksum)
    requestedBefore.set(checksum, true)
    return isKnown
  }

  async function runAndKeep(context: Context, spelling: string): Promise<Answer> {
    const answer = await run(context)
    const { lasting } = context.operation
    if (lasting) known.set(spelling, lasting)
    if (lasting?.of === 'schema') {
      ofSchema.set(lasting.question, answer)
      tools.metrics.pages.misses++
    }
    return answer
  }

  async function find(context: Context, spelling: string, lasting: Lasting): Promise<Answer> {
    const decision = await charge(context, lasting.price)
    if (lasting.of === 'pets') return findPets(context, lasting.question, decision)
    const cached = ofSchema.get(lasting.question)
    if (!cached) return runOrShare(context, spelling)
    tools.metrics.pages.hits++
    return cached
  }

  async function findPets(context: Context, question: string, decision: Decision | null): Promise<Answer> {
    const { identity } = context
    if (identity.kind !== 'caller' || !holdsScope(identity.caller, 'pets:read')) return run(context)
    let isMine = false
    const { project, key } = identity.caller
    const version = versionForPages(identity.caller, decision)
    // The scopes are part of the cache key, so that no API key gets an answer that its scopes forbid.
    const cacheKey = `${project.id} ${key.scopes} ${question}`
    const answer = await ofPets.find(project.id, version, cacheKey, () => {
      isMine = true
      return runToKeep(context)
    })
    // A request may have waited for a run that another request began. If the answer of that run must not be cached, for
    // example because the run failed, the waiting request runs its operation itself.
    return isMine || answer.bytes !== null ? answer : run(context)
  }

  async function runToKeep(context: Context): Promise<CachedAnswer> {
    const answer = await run(context)
    const { lasting, lastId = null } = context.operation
    return { ...answer, bytes: lasting ? weightOf(answer.body) : null, lastId }
  }
}

const isAboutSchema = (spelling: string) => /__(schema|type)\b/.test(spelling)

/** Requests with these headers are never cached: the headers change the answer. */
const changing = [explainCostHeader, idempotencyHeader]

/** Returns the bytes of a request that determine its answer; null if the answer must not be cached. */
function spellingOf({ request, identity, operation }: Context): string | null {
  const { accept = '', 'content-type': type } = request.headers
  if (accept.length > longestSpelling || changing.some(name => name in request.headers)) return null
  if (request.method === 'GET') {
    // Do not cache anonymous GET requests: without a key, further headers decide whether a page of another origin may
    // send the request.
    const isUsual =
      identity.kind !== 'anonymous' && type === undefined && request.url.length <= longestSpelling
    return isUsual ? `GET ${accept}\n${request.url}` : null
  }
  const { body } = operation
  return body && body.length <= longestSpelling ? `POST ${accept}\n${body.toString('latin1')}` : null
}
