import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeListenerCertificate, type Pebble } from './pebble.ts'
import { freePort } from './programs.ts'

export type Kind =
  | 'directory'
  | 'newAccount'
  | 'newOrder'
  | 'authorization'
  | 'challenge'
  | 'finalize'
  | 'order'
  | 'certificate'
  | 'nonce'
  | 'renewalInfo'
  | 'other'
type Reply = { status: number; headers?: Record<string, string>; body?: unknown }

export type AuthorityProxy = {
  env: Record<string, string>
  /** Every request that the service sent, in order. */
  sent: { kind: Kind; at: number; name: string | null }[]
  /** If `name` is given, counts only orders for it. */
  count(kind: Kind, name?: string): number
  /** Sets a function that answers in place of the authority. If the function returns null, the authority answers. */
  instead(answer: (kind: Kind, path: string, name: string | null) => Reply | null): void
  /** Changes the content of the directory. */
  directory(change: (directory: Record<string, unknown>, url: string) => void): void
  /**
   * Resolves when a request of this kind arrives, and leaves the request unanswered. With 'passed', Pebble handles the
   * request first.
   */
  holdAt(kind: Kind, when: 'before' | 'passed'): Promise<void>
  release(): void
  stop(): Promise<void>
}

const kinds: [RegExp, Kind][] = [
  [/^\/dir/, 'directory'],
  [/^\/nonce/, 'nonce'],
  [/^\/sign-me-up/, 'newAccount'],
  [/^\/order-plz/, 'newOrder'],
  [/^\/authZ/, 'authorization'],
  [/^\/chalZ/, 'challenge'],
  [/^\/finalize-order/, 'finalize'],
  [/^\/my-order/, 'order'],
  [/^\/certZ/, 'certificate'],
  [/^\/renewal/, 'renewalInfo'],
]

/** Starts a proxy in front of Pebble. Tests use it to see, hold or answer requests, as a faulty authority would. */
export async function startAuthorityProxy(pebble: Pebble): Promise<AuthorityProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-authority-'))
  const ca = await makeListenerCertificate(folder)
  const trusted = readFileSync(pebble.env.ACME_CA_FILE ?? '', 'utf8')
  const target = new URL(pebble.env.ACME_DIRECTORY_URL ?? '')
  writeFileSync(join(folder, 'both.pem'), ca + trusted)
  const port = await freePort()
  const url = `https://localhost:${port}`
  const sent: AuthorityProxy['sent'] = []
  let answerInstead: Parameters<AuthorityProxy['instead']>[0] = () => null
  let changeDirectory: Parameters<AuthorityProxy['directory']>[0] = () => {}
  let hold: { kind: Kind; when: 'before' | 'passed'; reached: () => void } | null = null

  const server = createServer(
    { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) },
    async (incoming, reply) => {
      const kind = kinds.find(([path]) => path.test(incoming.url ?? ''))?.[1] ?? 'other'
      const at = Date.now()
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      const name = nameIn(Buffer.concat(chunks).toString())
      sent.push({ kind, at, name })
      if (hold?.kind === kind && hold.when === 'before') return hold.reached()
      const own = answerInstead(kind, incoming.url ?? '', name)
      if (own) return send(reply, own)
      const passed = await forward(incoming, Buffer.concat(chunks))
      if (hold?.kind === kind) return hold.reached()
      if (kind === 'directory') {
        const directory = JSON.parse(passed.body.toString())
        changeDirectory(directory, url)
        passed.body = Buffer.from(JSON.stringify(directory))
        delete passed.headers['content-length']
      }
      reply.writeHead(passed.status, passed.headers).end(passed.body)
    },
  )
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))

  function forward(incoming: IncomingMessage, body: Buffer) {
    type Passed = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }
    return new Promise<Passed>((resolve, reject) => {
      const options = {
        host: 'localhost',
        port: target.port,
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
        ca: trusted,
        agent: false as const,
      }
      const further = request(options, async response => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        resolve({
          status: response.statusCode ?? 0,
          headers: { ...response.headers },
          body: Buffer.concat(chunks),
        })
      })
      further.on('error', reject)
      further.end(body)
    })
  }

  return {
    env: { ...pebble.env, ACME_DIRECTORY_URL: `${url}/dir`, ACME_CA_FILE: join(folder, 'both.pem') },
    sent,
    count: (kind, name) => sent.filter(one => one.kind === kind && (!name || one.name === name)).length,
    instead: answer => {
      answerInstead = answer
    },
    directory: change => {
      changeDirectory = change
    },
    holdAt: (kind, when) =>
      new Promise(resolve => {
        hold = { kind, when, reached: resolve }
      }),
    release: () => {
      hold = null
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Returns the name for which a request orders a certificate; null if the request is not an order. The proxy can read
 * the name, because ACME requests are signed, but their content is not encrypted.
 */
function nameIn(body: string): string | null {
  if (!body.includes('"payload"')) return null
  const { payload } = JSON.parse(body) as { payload: string }
  const { identifiers } = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}')
  return identifiers?.[0]?.value ?? null
}

/** Answers an error in the format of Let's Encrypt. */
export function tooMany(detail: string, retryAfterSeconds = 3_600): Reply {
  return {
    status: 429,
    headers: { 'Retry-After': String(retryAfterSeconds) },
    body: { type: 'urn:ietf:params:acme:error:rateLimited', detail },
  }
}

function send(reply: ServerResponse, { status, headers, body }: Reply): void {
  reply.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body ?? {}))
}
