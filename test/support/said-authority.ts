import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
import { openAcme } from '../../src/hosting/acme.ts'
import type { ExternalAccount } from '../../src/hosting/acme-account.ts'
import { openSeal } from '../../src/hosting/seal-claim.ts'
import { givenKeys } from '../../src/hosting/secrets-key.ts'
import type { Clock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'

/** `kid` is the account that signs, if there is one. */
type AcmeRequest = { path: string; payload: Record<string, unknown> | null; kid: string | null }
export type Reply = { status: number; headers?: Record<string, string>; body?: unknown }
type Instead = (requests: AcmeRequest) => Reply | null | Promise<Reply | null>

export type SaidAuthority = {
  url: string
  directoryUrl: string
  /** Requests since the array was last emptied. */
  requests: AcmeRequest[]
  count(path: string): number
  /** Sets a function that answers requests. If the function returns null, the authority gives its usual answer. */
  instead(reply: Instead): void
  stop(): void
}

export const refused = (type: string, status = 400): Reply => ({
  status,
  body: { type: `urn:ietf:params:acme:error:${type}` },
})

/** An authority that accepts every order, and gives the answers that the test sets. */
export async function startSaidAuthority(): Promise<SaidAuthority> {
  let instead: Instead = () => null
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const one = { path: request.url ?? '', ...readJws(Buffer.concat(chunks).toString()) }
    authority.requests.push(one)
    const { status, headers, body } = (await instead(one)) ?? usual(one.path)
    response.writeHead(status, { 'content-type': 'application/json', 'replay-nonce': 'nonce', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const usual = (path: string): Reply => {
    const meta = { caaIdentities: ['CA.test'] }
    const at = { newNonce: `${url}/nonce`, newAccount: `${url}/account`, newOrder: `${url}/order` }
    if (path === '/dir') return { status: 200, body: { ...at, renewalInfo: `${url}/renewal`, meta } }
    if (path === '/account')
      return { status: 201, headers: { location: `${url}/account/1` }, body: { status: 'valid' } }
    if (path === '/order')
      return { status: 201, headers: { location: `${url}/order/1` }, body: { status: 'pending' } }
    return { status: 200 }
  }

  const authority: SaidAuthority = {
    url,
    directoryUrl: `${url}/dir`,
    requests: [],
    count: path => authority.requests.filter(one => one.path === path).length,
    instead(reply) {
      instead = reply
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return authority
}

/** Returns the client with which a process uses the authority. */
export function openAuthority(
  { directoryUrl }: SaidAuthority,
  tools: { db: PrismaClient; clock: Clock },
  settings: { email?: string; externalAccount?: ExternalAccount; caaIdentities?: string[] } = {},
) {
  const seal = openSeal(
    tools.db,
    givenKeys(() => [Buffer.alloc(32, 7)]),
    openLog('silent'),
  )
  // Do not copy the settings, because they may change while the process runs.
  const all = Object.assign(settings, { directoryUrl, email: settings.email ?? null })
  return openAcme(all, { trustedRoots: null, seal, ...tools })
}

function readJws(text: string): Omit<AcmeRequest, 'path'> {
  if (!text.includes('"payload"')) return { payload: null, kid: null }
  const parts = JSON.parse(text) as { payload: string; protected: string }
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}')
  return { payload: read(parts.payload), kid: read(parts.protected).kid ?? null }
}
