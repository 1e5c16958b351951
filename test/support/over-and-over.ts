import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { TestProject } from './start-app.ts'

/** An answer, where it came from, and when its request was sent. */
export type Seen = { sentAt: number; what: string; status: number; text: string }
type Questions = { store: TestProject; urls: readonly string[]; paths: readonly string[] }

const query = JSON.stringify({ query: '{ pets(first: 100) { nodes { name } } }' })

export async function askOnce(url: string, path: string, { secret }: TestProject): Promise<Seen> {
  const sentAt = performance.now()
  const what = `${url}${path}`
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const question = path === '/graphql' ? { method: 'POST', headers, body: query } : { headers }
  try {
    const answer = await fetch(what, question)
    return { sentAt, what, status: answer.status, text: await answer.text() }
  } catch (error) {
    return { sentAt, what, status: 0, text: String(error) }
  }
}

/** Sends each request several times to every process, so that every process has cached the answer. */
export async function waitUntilCached({ store, urls, paths }: Questions): Promise<void> {
  for (let time = 0; time < 4; time++) {
    for (const url of urls) {
      for (const path of paths) expect(await askOnce(url, path, store)).toMatchObject({ status: 200 })
    }
  }
}

const judgedAfterMs = 250
const patienceMs = 20_000

/**
 * Repeats the requests to every process for `forMs`. Repeats a request for longer, up to 20 seconds in all, until the
 * request has got one answer that `expectNoOldAnswer` can judge: an answer with status 200 to a request that was sent
 * late enough.
 */
export async function askOverAndOver({ store, urls, paths }: Questions, forMs: number): Promise<Seen[]> {
  const seen: Seen[] = []
  const began = performance.now()
  const ask = async (url: string, path: string) => {
    for (let isJudged = false; ; ) {
      const passedMs = performance.now() - began
      if (passedMs > patienceMs || (passedMs > forMs && isJudged)) return
      const answer = await askOnce(url, path, store)
      isJudged ||= answer.status === 200 && answer.sentAt > began + judgedAfterMs
      seen.push(answer)
      await pause(5)
    }
  }
  await Promise.all(urls.flatMap(url => paths.map(path => ask(url, path))))
  return seen
}

/** Fails if a request sent 250 ms after `since` or later got an old answer, or if too few answers came. */
export function expectNoOldAnswer(seen: Seen[], since: number, isOld: (text: string) => boolean): void {
  const judged = seen.filter(({ status, sentAt }) => status === 200 && sentAt > since + judgedAfterMs)
  const oldest = new Map(
    judged
      .filter(({ text }) => isOld(text))
      .map(({ what, sentAt }) => [what, `${Math.round(sentAt - since)} ms later`]),
  )
  expect(Object.fromEntries(oldest)).toEqual({})
  expect(new Set(judged.map(({ what }) => what))).toEqual(new Set(seen.map(({ what }) => what)))
}
