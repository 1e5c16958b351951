import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { ask } from './ask.ts'

export type Account = { email?: string; email_verified?: boolean; name?: string }

/** Settings of an identity provider for tests in which no person signs in at the provider. */
export const unusedIssuer = {
  OIDC_ISSUER: 'https://id.acme.example',
  OIDC_CLIENT_ID: 'animal-store',
  OIDC_CLIENT_SECRET: 'a secret of the client',
}

/**
 * Starts an identity provider for the service at this port. A person signs in with the subject as name, and any
 * password.
 */
export async function startIssuer(accounts: Record<string, Account>, appPort: number) {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = {
    OIDC_ISSUER: url,
    OIDC_CLIENT_ID: 'animal-store',
    OIDC_CLIENT_SECRET: 'a secret of the client',
  }
  const origins = ['localhost', '127.0.0.1'].map(host => `http://${host}:${appPort}`)
  const provider = new Provider(url, {
    clients: [
      {
        client_id: env.OIDC_CLIENT_ID,
        client_secret: env.OIDC_CLIENT_SECRET,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: origins.map(origin => `${origin}/session/issuer/callback`),
        post_logout_redirect_uris: origins.map(origin => `${origin}/dashboard/`),
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts[id] }),
    }),
  })
  server.on('request', provider.callback())
  return {
    url,
    env: { ...env, PORT: String(appPort) },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Signs in on the pages of the provider as a browser would. Returns the URL that leads back to the service. */
export async function signInAtIssuer(start: string, subject: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  let form: string | undefined
  for (let hop = 0; hop < 12; hop++) {
    const answer = await ask(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(form !== undefined && { body: form }),
    })
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const { location } = answer.headers
    if (location) {
      url = new URL(location, url).href
      form = undefined
      if (new URL(url).origin !== new URL(start).origin) return url
      continue
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(answer.text)?.[1]
    const action = /action="([^"]+)"/.exec(answer.text)?.[1]
    if (!prompt || !action)
      throw new Error(`The provider shows no form: ${answer.status} ${answer.text.slice(0, 500)}`)
    url = new URL(action, url).href
    form = new URLSearchParams({ prompt, login: subject, password: 'any' }).toString()
  }
  throw new Error('The provider did not finish.')
}
