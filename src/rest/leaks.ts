import { type Request, type RequestHandler, type Response, Router } from 'express'
import { actAs, actAsSystem } from '../core/acts.ts'
import { invalidInput, StoreError } from '../core/errors.ts'
import { type FoundKey, handleLeak, revokeBySecret } from '../core/keys/leaks.ts'
import { anonymousCharge } from '../core/projects/limits.ts'
import { prefixOf } from '../core/secrets.ts'
import { toStorable } from '../core/text.ts'
import { actOf } from '../http/acts.ts'
import { answerJson } from '../http/answer.ts'
import { keepNowhere } from '../http/caching.ts'
import { chargeSubject } from '../http/charge.ts'
import { addHeader } from '../http/headers.ts'
import { readJsonBytes } from '../http/json-body.ts'
import { networkOf } from '../http/network.ts'
import { answerOptions } from '../http/options.ts'
import type { Tools } from '../tools.ts'
import { openGithubKeys } from './github-keys.ts'

/** The most keys in one request. GitHub allows as many. */
const mostKeys = 1_000
/** The largest report of GitHub. An entry with its token, its type and the URL of a commit takes about 250 bytes. */
const mostReportBytes = 1_000_000

/**
 * Accepts reports of leaked keys. The paths are not below /v1, because all operations of /v1 need a key, and the finder
 * of a leaked key may have none. Limited by address like any request without a key. Never logs more of a key than its
 * prefix.
 */
export function leakRouter(tools: Tools): Router {
  const router = Router({ strict: true, caseSensitive: true })
  router.all('/revocations', postOnly(tools, takeRevocations(tools)))
  const { githubLeakKeys } = tools.config
  if (githubLeakKeys !== null) router.all('/leaks/github', postOnly(tools, takeLeaks(tools, githubLeakKeys)))
  return router
}

type Route = (request: Request, response: Response) => Promise<void>

const allowed = 'POST, OPTIONS'

function postOnly(tools: Tools, answer: Route): RequestHandler {
  const answerPreflight = answerOptions(tools, allowed)
  return async (request, response, next) => {
    // On a project's own host, these paths belong to the project.
    if (response.locals.host) return next()
    response.locals.route = request.path
    // A preflight costs nothing and needs no key, so that a page of any origin can report a leaked key.
    if (request.method === 'OPTIONS') return answerPreflight(request, response, next)
    keepNowhere(response)
    await chargeSubject(tools, response, anonymousCharge(networkOf(request.ip)))
    if (request.method === 'POST') return answer(request, response)
    addHeader(response, 'Allow', allowed)
    throw new StoreError('method_not_allowed', `${request.method} is not allowed here; use ${allowed}.`)
  }
}

/** Revokes the keys. The answer is the same for real and for unknown keys. */
function takeRevocations({ database, clock, log, config }: Tools): Route {
  return async (request, response) => {
    const secrets = textsIn(parse(await readJsonBytes(request, response)), 'keys')
    const found = await actAs(
      () => actOf(config, request, response, 'rest'),
      () => revokeBySecret(database, clock, secrets),
    )
    noteKeys(log, response, found, null, 'API key revoked: someone handed it in')
    await answerJson(response, 202, JSON.stringify({ received: secrets.length }))
  }
}

/** Receives the reports of GitHub's secret scanning, and treats each leaked key as its project has chosen. */
function takeLeaks({ db, clock, log }: Tools, source: string): Route {
  const isSigned = openGithubKeys(source, clock)
  return async (request, response) => {
    const bytes = await readJsonBytes(request, response, mostReportBytes)
    const { 'github-public-key-identifier': id, 'github-public-key-signature': signature } = request.headers
    if (!(await isSigned(bytes, String(id), String(signature))))
      throw new StoreError('unauthorized', "The signature does not belong to GitHub's secret scanning.")
    const reports = parse(bytes)
    if (!Array.isArray(reports) || reports.length > mostKeys) throw notReports()
    for (const { token, url } of reports.map(Object)) {
      if (typeof token !== 'string') throw notReports()
      const place = placeOf(url, token)
      const found = await actAsSystem("GitHub's secret scanning", () => handleLeak(db, clock, token, place))
      noteKeys(log, response, found ? [found] : [], place, 'API key leaked: GitHub found it')
    }
    await answerJson(response, 200, '[]')
  }
}

/**
 * Returns the address at which the key was found. The key in it is shortened to its prefix, because the address is
 * logged and stored.
 */
function placeOf(url: unknown, token: string): string | null {
  if (typeof url !== 'string') return null
  const shown = token === '' ? url : url.replaceAll(token, prefixOf(token))
  return toStorable(shown.slice(0, 500))
}

const notReports = () =>
  invalidInput([{ field: 'body', message: `must be a list of up to ${mostKeys} objects with a token` }])

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new StoreError('malformed_request', 'The body is not valid JSON.')
  }
}

function textsIn(body: unknown, field: string): string[] {
  const list: unknown = Object(body)[field]
  if (Array.isArray(list) && list.length > 0 && list.length <= mostKeys && list.every(isText)) return list
  throw invalidInput([{ field, message: `must be a list of 1 to ${mostKeys} strings` }])
}

const isText = (value: unknown): value is string => typeof value === 'string'

function noteKeys(
  log: Tools['log'],
  { locals }: Response,
  found: readonly FoundKey[],
  url: string | null,
  message: string,
): void {
  const { requestId } = locals
  for (const { prefix, project, outcome } of found)
    log.warn({ requestId, project, key: prefix, outcome, ...(url && { url }) }, message)
}
