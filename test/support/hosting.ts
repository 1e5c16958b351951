import { type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect, type PeerCertificate, type SecureVersion, type TLSSocket } from 'node:tls'
import type { CertificateState } from '../../src/core/certificates/certificates.ts'
import { certificateStateOf } from '../../src/core/certificates/certificates.ts'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { platformHostOf } from '../../src/core/hosts/platform-host.ts'
import { type NameServer, startNameServer } from '../../src/practice/name-server.ts'
import type { Clock } from '../../src/tools/clock.ts'
import { freshDatabase } from './databases.ts'
import { freePort } from './programs.ts'
import { type App, startApp, type TestProject } from './start-app.ts'

export type Instance = App & { port: number; httpsPort: number }
export type Platform = {
  /** One or two processes of the service on one database. */
  instances: Instance[]
  first: Instance
  dns: NameServer
  /** Sets further records, besides those that point all platform hosts at this machine. */
  setRecords(...lines: string[]): void
  stop(): Promise<void>
}

export type PlatformOptions = {
  processes?: number
  env?: Record<string, string>
  clock?: Clock
  ports?: number[]
}

/**
 * Loads the certificate modules in advance: loading them blocks the process, on busy cores longer than a statement
 * timeout.
 */
const certificatesLoaded = () =>
  Promise.all([import('../../src/jobs/issue-certificates.ts'), import('../../src/hosting/local-signing.ts')])

/** Starts the service with a name server that answers for all of DNS. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { processes = 1, env = {}, clock, ports = [] } = options
  await certificatesLoaded()
  const dns = await startNameServer()
  const database = await freshDatabase()
  if (processes > 1 && !database.env.DATABASE_URL) throw new Error('PostgreSQL is not installed')
  const instances: Instance[] = []
  for (let n = 0; n < processes; n++) {
    const [port, httpsPort] = [ports[n] ?? (await freePort()), await freePort()]
    const own = { PORT: String(port), HTTPS_PORT: String(httpsPort), DNS_SERVERS: dns.at }
    const secrets = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }
    const app = await startApp({
      env: { ...database.env, ...own, ...secrets, ...env },
      ...(clock && { clock }),
    })
    instances.push({ ...app, port, httpsPort })
  }
  const [first] = instances
  if (!first) throw new Error('no process was started')
  return {
    instances,
    first,
    dns,
    setRecords: (...lines) => dns.setZone(lines),
    async stop() {
      await Promise.all(instances.map(instance => instance.stop()))
      await dns.stop()
      await database.remove()
    },
  }
}

/** Makes a project that may have domains: on a paid plan, and deployed. */
export async function makeDeployed(
  { first }: Platform,
  plan = 'pro',
): Promise<TestProject & { target: string }> {
  const made = await first.makeProject({ plan })
  const { tools } = first
  await deploy(tools.db, tools.hosting, made.project, {})
  return { ...made, target: platformHostOf(made.project, tools.hosting.platformHost) }
}

export type Visit = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  certificate: PeerCertificate | null
}
export type Visitor = {
  headers?: Record<string, string>
  ca?: string
  method?: string
  body?: string
  agent?: import('node:http').Agent
  servername?: string
  /** The source address of the request (see freshAddress). */
  from?: string
}

/**
 * Sends a request for the address to this port of this machine. The request looks like the request of a browser to
 * which DNS gave this machine's IP address for the host name.
 */
export function visit(address: string, port: number, visitor: Visitor = {}): Promise<Visit> {
  const url = new URL(address)
  const secure = url.protocol === 'https:'
  const { method = 'GET', ca, agent, from } = visitor
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? requestHttps : requestHttp)(
      {
        host: '127.0.0.1',
        port,
        method,
        path: url.pathname + url.search,
        servername: visitor.servername ?? url.hostname,
        headers: { host: url.host, ...visitor.headers },
        agent: agent ?? false,
        localAddress: from,
        ...(ca && { ca }),
      },
      response => {
        const socket = response.socket as TLSSocket
        const certificate = secure ? socket.getPeerCertificate() : null
        let text = ''
        response.on('data', chunk => {
          text += chunk
        })
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, certificate }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(visitor.body)
  })
}

/** True if a handshake for this name succeeds, whichever authority signed the certificate. */
export function shakesHands(
  name: string,
  port: number,
  options: { minVersion?: SecureVersion; maxVersion?: SecureVersion; ciphers?: string } = {},
) {
  return new Promise<TLSSocket | null>(resolve => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername: name,
      rejectUnauthorized: false,
      ...options,
    })
    socket.on('secureConnect', () => resolve(socket))
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(null))
  })
}

/** Returns the alert that refuses a handshake for this name. */
export function refusalOf(name: string, port: number, maxVersion?: 'TLSv1.2'): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, servername: name, rejectUnauthorized: false }
    const socket = connect({ ...options, ...(maxVersion && { maxVersion }) })
    socket.on('secureConnect', () => {
      socket.destroy()
      reject(new Error(`the handshake for ${name} succeeded`))
    })
    socket.on('error', error => resolve('code' in error ? String(error.code) : error.message))
  })
}

/**
 * Polls until the answer is as expected. Polling is necessary because a process sends the test no message when the
 * process has changed something.
 */
export async function until<T>(
  ask: () => Promise<T>,
  wished: (answer: T) => boolean,
  mostMs = 30_000,
): Promise<T> {
  for (const giveUpAt = performance.now() + mostMs; ; ) {
    const answer = await ask()
    if (wished(answer)) return answer
    if (performance.now() > giveUpAt)
      throw new Error(
        `still ${JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value))?.slice(0, 500)}`,
      )
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

export async function certificateState({ tools }: App, name: string): Promise<CertificateState> {
  const { db, clock } = tools
  // Ignore the certificate of a name that has lost its owner.
  const isOwned = (await db.domain.count({ where: { ownedName: name } })) > 0
  return certificateStateOf(
    isOwned ? await db.certificate.findUnique({ where: { name } }) : null,
    clock.now(),
  )
}
