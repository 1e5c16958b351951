import type { Request, RequestHandler, Response } from 'express'
import { actAs } from '../../core/acts.ts'
import { StoreError } from '../../core/errors.ts'
import { askForCode } from '../../core/people/device-codes.ts'
import { collectKey, endOwnKey, type NoKey } from '../../core/people/machine-keys.ts'
import type { Tools } from '../../tools.ts'
import { actOf } from '../acts.ts'
import { answerJson } from '../answer.ts'
import { findCaller, refuseAnonymous } from '../authenticate.ts'
import { malformed, readBody } from '../body.ts'
import { chargeProject } from '../charge.ts'
import { shownAddress } from '../network.ts'
import { chargeAddress, readOrCharge } from './step.ts'

/** RFC 8628, 3.4. */
const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
const mostBytes = 2_000

const reasons: Record<NoKey, string> = {
  authorization_pending: 'Nobody has approved the code yet.',
  slow_down: 'Poll less often: wait five seconds longer from now on.',
  expired_token: 'The code was used or has expired.',
  access_denied: 'The code was denied.',
}

type TerminalCall = { request: Request; response: Response; form: URLSearchParams }
type TerminalStep = (call: TerminalCall) => Promise<{ status?: number; json: object }>

/**
 * The steps of a terminal that signs in by the device flow (RFC 8628). Parameters come as a form, and refusals have
 * the standard's error codes. Other errors are those of REST.
 */
export function terminalSteps(tools: Tools): Record<string, TerminalStep> {
  const { db, clock, config } = tools
  return {
    async '/device'({ request, response, form }) {
      await chargeAddress(tools, request, response)
      const address = shownAddress(request.ip, 'whole') ?? 'unknown'
      const machine = form.get('machine') ?? 'a terminal'
      const asked = await askForCode(db, clock, { machine, address })
      const page = `${config.publicUrl}/dashboard/device`
      return {
        json: {
          device_code: asked.deviceCode,
          user_code: asked.userCode,
          verification_uri: page,
          verification_uri_complete: `${page}?user_code=${asked.userCode}`,
          expires_in: asked.expiresInSeconds,
          interval: asked.intervalSeconds,
        },
      }
    },

    async '/device/token'({ request, response, form }) {
      await chargeAddress(tools, request, response)
      if (form.get('grant_type') !== grantType)
        return refused('unsupported_grant_type', `The grant_type must be ${grantType}.`)
      const collected = await collectKey(db, clock, form.get('device_code'))
      if (typeof collected === 'string') return refused(collected, reasons[collected])
      const { secret, apiKey, project } = collected
      const endsAt = apiKey.expiresAt?.getTime() ?? 0
      return {
        json: {
          ...{ access_token: secret, token_type: 'Bearer' },
          expires_in: Math.floor((endsAt - clock.now()) / 1000),
          ...{ expires_at: apiKey.expiresAt, name: apiKey.name, project },
        },
      }
    },

    /** Revokes the calling key if a terminal got the key by signing in. The key needs no scope for this. */
    async '/device/end'({ request, response }) {
      const caller = await findCaller(tools, request)
      if (!caller || caller.person) throw await refuseAnonymous(tools, request, response)
      response.locals.caller = caller
      await chargeProject(tools, response, caller, { store: 0, management: 1 })
      return { json: { ended: await endOwnKey(db, clock, caller.key.id) } }
    },
  }
}

const refused = (error: string, description: string) => ({
  status: 400,
  json: { error, error_description: description },
})

export function takeTerminalStep(tools: Tools, path: string, step: TerminalStep): RequestHandler {
  return async (request, response) => {
    response.locals.route = `/session${path}`
    refusePages(request)
    const form = await readOrCharge(tools, request, response, () => readForm(request, response))
    const act = () => actOf(tools.config, request, response)
    const { status = 200, json } = await actAs(act, () => step({ request, response, form }))
    await answerJson(response, status, JSON.stringify(json))
  }
}

/**
 * Refuses requests from web pages. Otherwise an attacker's page could request a code from the browser of a visitor. The
 * dashboard would then show the visitor's own IP address beside the attacker's code, so the visitor might approve the
 * code.
 */
function refusePages({ headers }: Request): void {
  if (headers.origin === undefined && headers['sec-fetch-site'] === undefined) return
  throw new StoreError('foreign_origin', 'Only programs may call this, not pages of a website.')
}

async function readForm(request: Request, response: Response): Promise<URLSearchParams> {
  const hasForm = request.is('application/x-www-form-urlencoded')
  if (hasForm === null) return new URLSearchParams()
  if (hasForm === false)
    throw new StoreError('unsupported_media_type', 'The body must be application/x-www-form-urlencoded.')
  const pieces: Buffer[] = []
  await readBody(request, response, mostBytes, piece => void pieces.push(piece))
  const form = new URLSearchParams(Buffer.concat(pieces).toString())
  // RFC 6749, 3.2: no parameter may be sent twice.
  if (new Set(form.keys()).size !== form.size) throw malformed('A parameter is sent twice.')
  return form
}
