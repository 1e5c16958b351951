import type { Request, RequestHandler, Response } from 'express'
import { actAs } from '../../core/acts.ts'
import { invalidInput, StoreError } from '../../core/errors.ts'
import { type Challenges, openChallenges } from '../../core/people/challenges.ts'
import { showInvitation } from '../../core/people/invitations.ts'
import { joinByDomain } from '../../core/people/join-domains.ts'
import { acceptInvitation } from '../../core/people/joining.ts'
import { findPersonOfIssuer } from '../../core/people/people.ts'
import { type BegunSession, beginSession } from '../../core/people/sessions.ts'
import { hashInHex } from '../../core/secrets.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Tools } from '../../tools.ts'
import { actOf } from '../acts.ts'
import { addHeader, sendHead } from '../headers.ts'
import { readCookie, setCookie } from './cookie.ts'
import { deviceOf } from './device.ts'
import { type Identified, identifyAtIssuer, SignInRefused } from './identify.ts'
import { type Issuer, loadClient } from './issuer.ts'
import { askedOrigin } from './origin.ts'
import { chargeAddress, type Step } from './step.ts'

/** Kept in the database while the person is at the issuer. */
export type Started = {
  verifier: string
  nonce: string
  origin: string
  returnTo: string
  /** The hash of an invitation's secret, if the person joins by an invitation. */
  invitation: string | null
  /** The slug of a project, if the person joins it by the domain of the e-mail address. */
  join?: string | null
}

const callbackAt = (origin: string) => `${origin}/session/issuer/callback`

/** The steps before the identity provider's page (OpenID Connect Core, 3.1.2.1, with PKCE). */
export function issuerSteps(tools: Tools, issuer: Issuer): Record<string, Step> {
  const { db, clock, config } = tools
  const challenges = openChallenges(db, clock)
  return {
    async '/issuer/show'({ request, response }) {
      await chargeAddress(tools, request, response)
      return { host: config.oidc && new URL(config.oidc.issuer).host }
    },

    async '/issuer'({ request, response, origin, body }) {
      await chargeAddress(tools, request, response)
      const returnTo = readReturn(body.returnTo, origin)
      if (body.invitation !== undefined) await showInvitation(db, clock, body.invitation)
      const configuration = await issuer.discover()
      const client = await loadClient()
      const started: Started = {
        ...{ verifier: client.randomPKCECodeVerifier(), nonce: client.randomNonce() },
        ...{ origin: origin.origin, returnTo },
        invitation: typeof body.invitation === 'string' ? hashInHex(body.invitation) : null,
        join: readJoin(body.join),
      }
      const state = (await challenges.make('sign-in at the issuer', null, started)).toString('base64url')
      setCookie(response, origin, state, 'issuer')
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackAt(origin.origin),
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(started.verifier),
        code_challenge_method: 'S256',
        ...{ state, nonce: started.nonce },
      })
      return { url: url.href }
    },
  }
}

/** Parses the slug, but does not check whether the project exists, because the answer would reveal it. */
function readJoin(slug: unknown): string | null {
  if (slug === undefined) return null
  if (typeof slug === 'string' && /^[a-z0-9-]{3,40}$/.test(slug)) return slug
  throw invalidInput([{ field: 'join', message: 'must be the slug of a project' }])
}

/** Accepts only paths of the dashboard. Another page could belong to an attacker. */
function readReturn(given: unknown, { origin }: URL): string {
  const path = given ?? '/dashboard/'
  const url = typeof path === 'string' && URL.canParse(path, origin) ? new URL(path, origin) : null
  if (url?.origin === origin && /^\/dashboard(?:\/|$)/.test(url.pathname)) return url.pathname + url.search
  throw invalidInput([{ field: 'returnTo', message: 'must be the path of a page of the dashboard' }])
}

/**
 * Takes the browser that comes back from the identity provider, and sends it to the dashboard. The cookie with the
 * state binds the sign-in to the browser that began it, so an attacker cannot sign a victim's browser in as the
 * attacker.
 */
export function finishAtIssuer(tools: Tools, issuer: Issuer): RequestHandler {
  const challenges = openChallenges(tools.db, tools.clock)
  return async (request, response) => {
    response.locals.route = '/session/issuer/callback'
    await chargeAddress(tools, request, response)
    const origin = askedOrigin(tools.config, request)
    if (!origin || !tools.config.oidc) throw new StoreError('not_found', 'There is nothing at this address.')
    const state = readCookie(request, origin, 'issuer')
    setCookie(response, origin, null, 'issuer')
    let refusedAt = '/dashboard/'
    try {
      const started = await takeStarted(challenges, request, origin, state)
      // The invitation is not used up, so the person can try again there.
      if (started.invitation !== null) refusedAt = '/dashboard/invitation'
      const found = await identifyAtIssuer(
        tools,
        await issuer.discover(),
        new URL(request.originalUrl, origin),
        {
          ...started,
          state: state ?? '',
        },
      )
      const act = () => actOf(tools.config, request, response)
      const device = deviceOf(request.headers['user-agent'])
      const enter = () => actAs(act, () => admit(tools, found, started, device))
      // If a concurrent first sign-in has created the person, the second try finds the person.
      const { secret, session } = await enter().catch(error => {
        if (isNewTwice(error)) return enter()
        throw error
      })
      response.locals.person = session.personId
      setCookie(response, origin, secret)
      redirect(response, `${origin.origin}${started.returnTo}#signed-in`)
    } catch (error) {
      const reason = error instanceof SignInRefused ? error.reason : reasonOf(error)
      redirect(response, `${origin.origin}${refusedAt}#refused:${reason}`)
    }
  }
}

/** The sign-in page explains these refusals of the store. All other errors get the usual answer. */
function reasonOf(error: unknown): string {
  if (
    error instanceof StoreError &&
    ['unavailable', 'invitation_not_found', 'too_many_members'].includes(error.code)
  )
    return error.code
  throw error
}

/** True if a concurrent sign-in of the same person has created the person. */
const isNewTwice = (error: unknown) =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'

async function takeStarted(
  challenges: Challenges,
  request: Request,
  origin: URL,
  state: string | null,
): Promise<Started> {
  if (state === null || request.query.state !== state) throw new SignInRefused('expired')
  const taken = await challenges.take('sign-in at the issuer', state)
  const started = taken?.data as Started | null | undefined
  if (started?.origin !== origin.origin) throw new SignInRefused('expired')
  return started
}

/**
 * Begins a session of the person with this issuer and subject, or of a new person who joins by an invitation or by the
 * domain of the e-mail address.
 */
async function admit(
  { db, clock, config }: Tools,
  found: Identified,
  { invitation, join }: Pick<Started, 'invitation' | 'join'>,
  device: string,
): Promise<BegunSession> {
  if (join) {
    const begun = config.oidc && (await joinByDomain(db, clock, join, found, config.oidc.issuer, device))
    if (begun) return begun
    throw new SignInRefused('not_admitted')
  }
  const { identity, name } = found
  const known = await findPersonOfIssuer(db, identity)
  if (invitation !== null) {
    const joining = known ? { personId: known.id } : { name, identity }
    const link = Buffer.from(invitation, 'hex')
    const { begun } = await acceptInvitation(db, clock, link, joining, { signIn: { device, byIssuer: true } })
    if (begun) return begun
  }
  if (known) return beginSession(db, clock, known.id, device, { byIssuer: true })
  throw new SignInRefused('stranger')
}

function redirect(response: Response, url: string): void {
  addHeader(response, 'Location', url)
  sendHead(response, 303)
  response.end()
}
