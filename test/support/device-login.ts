import { type Answer, ask } from './ask.ts'

export type Asked = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

export type Collected = { access_token?: string; error?: string; name?: string; project?: string }

/** Sends a form as a terminal does. */
export const postForm = (
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })

/** Asks for a code, as a terminal does that wants to sign in. */
export async function askForCode(url: string, machine = 'laptop'): Promise<Asked> {
  return (await postForm(`${url}/session/device`, { machine })).json as Asked
}

/** Polls once for the key. */
export async function pollForKey(url: string, { device_code }: Asked): Promise<Collected> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  return (await postForm(`${url}/session/device/token`, { grant_type, device_code })).json as Collected
}
