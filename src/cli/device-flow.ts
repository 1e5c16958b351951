import { setTimeout as wait } from 'node:timers/promises'
import { exitCodeOf, exitCodes, Refused } from './exit.ts'
import { noAnswer } from './no-answer.ts'
import type { Profile } from './profiles.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
const timeoutMs = 30_000
const longestWaitMs = 60_000

/** The part of a sign-in that the person must see to approve it. */
export type ShownCode = { userCode: string; page: string; pageWithCode: string; expiresInSeconds: number }
/** A sign-in that has begun, with the secret that this machine keeps. */
type Asked = { shown: ShownCode; deviceCode: string; intervalSeconds: number }

type Answer = { status: number; retryAfterSeconds: number; json: Record<string, unknown> }

/** Begins a sign-in by a code (RFC 8628, 3.1). */
export async function askForCode(url: string, machine: string): Promise<Asked> {
  const answer = await post(url, '/session/device', { machine })
  const { status, json } = answer
  if (status === 404)
    throw new Refused(`${url} does not offer sign-in by a code: use login --with-key.`, exitCodes.failed)
  if (status !== 200) throw refusal(answer, `${url} returned no code.`)
  return {
    shown: {
      userCode: textOf(json.user_code),
      page: textOf(json.verification_uri),
      pageWithCode: textOf(json.verification_uri_complete),
      expiresInSeconds: Number(json.expires_in),
    },
    deviceCode: textOf(json.device_code),
    intervalSeconds: Number(json.interval ?? 5),
  }
}

/** Polls until the code is approved, denied or expired (RFC 8628, 3.4 and 3.5). */
export async function waitForKey(
  url: string,
  { shown: { expiresInSeconds }, deviceCode, intervalSeconds }: Asked,
): Promise<{ key: string; expiresAt: string }> {
  const endsAtMs = performance.now() + expiresInSeconds * 1000
  let intervalMs = intervalSeconds * 1000
  let nextMs = intervalMs
  while (performance.now() + nextMs < endsAtMs) {
    await wait(nextMs)
    const form = { grant_type: grantType, device_code: deviceCode }
    const answer = await post(url, '/session/device/token', form).catch(() => null)
    const failsForNow = !answer || answer.status >= 500
    // The service may be restarting. The code stays valid, so keep polling.
    nextMs = failsForNow ? Math.min(nextMs * 2, longestWaitMs) : intervalMs
    if (failsForNow) continue
    const { status, json, retryAfterSeconds } = answer
    if (status === 200) return { key: textOf(json.access_token), expiresAt: textOf(json.expires_at) }
    if (json.error === 'slow_down') {
      intervalMs += 5_000
      nextMs = intervalMs
    } else if (status === 429) nextMs = Math.max(intervalMs, retryAfterSeconds * 1000)
    else if (json.error === 'access_denied')
      throw new Refused('The sign-in was denied.', exitCodes.notAllowed, 'access_denied')
    else if (json.error === 'expired_token') break
    else if (json.error !== 'authorization_pending') throw refusal(answer, 'The sign-in failed.')
  }
  throw new Refused(
    'The code has expired, or was used up. Run animal-store login again.',
    exitCodes.notAllowed,
    'expired_token',
  )
}

/** Ends the key of a profile. It is no failure if the key has already ended. */
export async function endKey({ url, key }: Profile): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await post(url, '/session/device/end', {}, headers).catch(stillWorks)
  if (answer.status !== 200 && answer.status !== 401)
    stillWorks(refusal(answer, `${url} did not end the key.`))
}

function stillWorks({ message, exitCode }: Refused): never {
  throw new Refused(
    `${message} The key still works, so the profile was kept: try again, or add --keep-key.`,
    exitCode,
  )
}

/** Throws `Refused` if no answer comes, or if the answer is not JSON. */
async function post(
  url: string,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  try {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const json = (await answer.json()) as Answer['json']
    return { status: answer.status, retryAfterSeconds: Number(answer.headers.get('retry-after')), json }
  } catch (failure) {
    throw noAnswer(url, failure)
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function refusal({ status, json }: Answer, otherwise: string): Refused {
  const said = textOf(json.message) || textOf(json.error_description)
  return new Refused(said || otherwise, exitCodeOf(status), textOf(json.code) || undefined)
}
