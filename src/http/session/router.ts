import { type Request, type RequestHandler, type Response, Router } from 'express'
import { LRUCache } from 'lru-cache'
import { actAs } from '../../core/acts.ts'
import { StoreError } from '../../core/errors.ts'
import { issueAccess } from '../../core/people/access.ts'
import { showInvitation } from '../../core/people/invitations.ts'
import { acceptInvitation } from '../../core/people/joining.ts'
import { listMemberships } from '../../core/people/members.ts'
import { issueOperatorAccess, operatorRightsOf } from '../../core/people/operators.ts'
import { canSignIn, countIssuedKeys, exportPerson } from '../../core/people/people.ts'
import { endSession, findSession } from '../../core/people/sessions.ts'
import { personCharge } from '../../core/projects/limits.ts'
import { hashSecret } from '../../core/secrets.ts'
import type { Tools } from '../../tools.ts'
import { actOf } from '../acts.ts'
import { answerJson } from '../answer.ts'
import { refuseAnonymous } from '../authenticate.ts'
import { keepNowhere } from '../caching.ts'
import { chargeSubject } from '../charge.ts'
import { answerErrors } from '../errors.ts'
import { addHeader, removeHeader } from '../headers.ts'
import { readJsonBytes } from '../json-body.ts'
import type { Ending } from '../streams.ts'
import { readCookie, setCookie } from './cookie.ts'
import { deviceOf } from './device.ts'
import { deviceCodeSteps } from './device-code.ts'
import { openIssuer } from './issuer.ts'
import { finishAtIssuer, issuerSteps } from './issuer-steps.ts'
import { ownOrigin } from './origin.ts'
import { passkeySteps } from './passkeys.ts'
import {
  chargeAddress,
  findCallingPerson,
  readOrCharge,
  requirePerson,
  type Step,
  signInAgain,
} from './step.ts'
import { takeTerminalStep, terminalSteps } from './terminal.ts'
import { watchToken } from './watch.ts'

/**
 * The price of a bearer token, in requests. Creating a token takes eight SQL statements, so a token costs more than one
 * request.
 */
const requestsOfToken = 5
/** An export costs one request more for each of these, because a person may have issued thousands of keys. */
const keysOfRequest = 100
const mostPersons = 10_000

/**
 * Makes the /session router: signing in, and exchanging the session's cookie for a bearer token. Only `/session/token`
 * reads the session's cookie. /v1, /graphql and /mcp read no cookie, so any origin may call these paths. Each step is a
 * POST that only pages of this service may send, so a program that opens a link for a preview does not use up the link.
 * Two kinds of requests may come from elsewhere: the navigation back from the identity provider, and the steps of
 * terminals.
 */
export function sessionRouter(tools: Tools, drain: Ending): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const { db, clock, config } = tools
  /**
   * Caches the person of each session by the session's hash, so that a person over the limit is refused without a
   * query.
   */
  const persons = new LRUCache<string, string>({ max: mostPersons })
  const chargePerson = async (response: Response, personId: string, requests = requestsOfToken) => {
    response.locals.person = personId
    await chargeSubject(tools, response, personCharge(personId, requests))
  }
  const issuer = openIssuer(tools)

  const steps: Record<string, Step> = {
    async '/token'({ request, response, origin, body }) {
      const secret = readCookie(request, origin) ?? ''
      const name = hashSecret(secret).toString('base64')
      const known = persons.get(name)
      if (known) await chargePerson(response, known)
      const session = await findSession(db, clock, secret)
      if (!session) {
        persons.delete(name)
        throw await refuseAnonymous(tools, request, response, signInAgain)
      }
      const { personId } = session
      if (!known) await chargePerson(response, personId)
      persons.set(name, personId)
      const slug = typeof body.project === 'string' ? body.project : null
      const access = body.operator
        ? { ...(await issueOperatorAccess(db, clock, session)), project: null, role: null }
        : await issueAccess(db, clock, session, slug)
      const memberships = await listMemberships(db, personId)
      return {
        ...access,
        projects: memberships.map(({ project, role }) => ({ ...project, role })),
        operator: await operatorRightsOf(db, session),
      }
    },

    async '/invitation/show'({ request, response, body }) {
      await chargeAddress(tools, request, response)
      const signedIn = await findCallingPerson(tools, request)
      return showInvitation(db, clock, body.secret, signedIn?.id)
    },

    /**
     * Accepts an invitation. A signed-in person sends a bearer token of any of the person's projects, and joins as that
     * person.
     */
    async '/invitation'({ request, response, origin, body }) {
      await chargeAddress(tools, request, response)
      const { secret, name, attempt } = body
      const signedIn = await findCallingPerson(tools, request)
      const joined = signedIn
        ? await acceptInvitation(db, clock, secret, { personId: signedIn.id }, { attempt })
        : await acceptInvitation(
            db,
            clock,
            secret,
            { name },
            { attempt, signIn: { device: deviceOf(request.headers['user-agent']) } },
          )
      response.locals.person = joined.personId
      if (joined.begun) setCookie(response, origin, joined.begun.secret)
      return { project: joined.project }
    },

    /**
     * Ends the session of the bearer token. If the session began at the identity provider, returns where to sign out of
     * the provider. With `ask`, does not end the session of a person who could not sign in again by themselves, and
     * returns `mustAsk` instead.
     */
    async '/end'(call) {
      const { id, sessionId } = await requirePerson(tools, call).catch(refusal => {
        // The token has ended, for example with the membership. The session's cookie must not outlive the sign-out.
        if (refusal instanceof StoreError && refusal.code === 'unauthorized')
          setCookie(call.response, call.origin, null)
        throw refusal
      })
      if (call.body.ask === true && !(await canSignIn(db, id, config.oidc?.issuer ?? null)))
        return { mustAsk: true }
      setCookie(call.response, call.origin, null)
      const { byIssuer } = await endSession(db, id, sessionId)
      return { signOutAt: byIssuer ? await issuer.signOutUrl(call.origin) : null }
    },

    /** Returns everything that the store has about the calling person. */
    async '/export'(call) {
      const { id } = await requirePerson(tools, call)
      const more = Math.floor((await countIssuedKeys(db, id)) / keysOfRequest)
      if (more > 0) await chargePerson(call.response, id, more)
      return exportPerson(db, clock, id)
    },

    ...passkeySteps(tools),
    ...deviceCodeSteps(tools),
    ...issuerSteps(tools, issuer),
  }

  router.use(nameRoute, refuseAtProjectHosts)
  for (const [path, step] of Object.entries(steps)) router.post(path, takeStep(tools, path, step))
  for (const [path, step] of Object.entries(terminalSteps(tools)))
    router.post(path, takeTerminalStep(tools, path, step))
  router.post('/watch', watchToken(tools, drain))
  router.get('/issuer/callback', finishAtIssuer(tools, issuer))
  router.use(refuseOthers, answerErrors(tools))
  return router
}

function takeStep(tools: Tools, path: string, step: Step): RequestHandler {
  return async (request, response) => {
    response.locals.route = `/session${path}`
    const origin = ownOrigin(tools.config, request)
    const body = await readOrCharge(tools, request, response, () => readObject(request, response))
    const act = () => actOf(tools.config, request, response)
    const answer = await actAs(act, () => step({ request, response, origin, body }))
    await answerJson(response, 200, JSON.stringify(answer))
  }
}

async function readObject(request: Request, response: Response): Promise<Record<string, unknown>> {
  const bytes = await readJsonBytes(request, response)
  try {
    const body: unknown = JSON.parse(bytes.toString())
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  } catch {
    // Invalid JSON gets the same error as JSON that is not an object.
  }
  throw new StoreError('malformed_request', 'The body is not a JSON object.')
}

const nameRoute: RequestHandler = (_request, response, next) => {
  response.locals.route = '/session'
  keepNowhere(response)
  // No page of another origin may read these answers.
  removeHeader(response, 'Access-Control-Allow-Origin')
  next()
}

/** Project hosts have no sign-in: their pages belong to the project, not to the service. */
const refuseAtProjectHosts: RequestHandler = (_request, response, next) => {
  if (response.locals.host) throw new StoreError('not_found', 'There is nothing at this address.')
  next()
}

const refuseOthers: RequestHandler = (request, response) => {
  if (request.method === 'POST') throw new StoreError('not_found', 'There is nothing at this address.')
  addHeader(response, 'Allow', 'POST')
  throw new StoreError('method_not_allowed', `${request.method} is not allowed here; use POST.`)
}
