import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import acme from 'acme-client'
import { openLocalCa } from '../../src/hosting/local-ca.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { findProgram, freePort, type Program, recordUse, startProgram } from './programs.ts'

export type Pebble = Program & {
  /** Settings for the service. */
  env: Record<string, string>
  /** Returns the root that visitors have to trust. Each start makes a new one. */
  root(): Promise<string>
}

export const isPebbleInstalled = () => findProgram('pebble') !== null

/** Starts Let's Encrypt's test authority, which validates names at the service's HTTP port. */
export async function startPebble(options: {
  dns: string
  httpPort: number
  nonceReject?: number
  /** The HMAC key of each key id. If this is given, every account must be bound to one of these keys. */
  externalAccounts?: Record<string, string>
}): Promise<Pebble> {
  const command = findProgram('pebble')
  if (!command) throw new Error('pebble is not installed')
  recordUse('pebble')
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-pebble-'))
  const [port, managementPort] = [await freePort(), await freePort()]
  const ca = await makeListenerCertificate(folder)
  const configuration = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: join(folder, 'cert.pem'),
    privateKey: join(folder, 'key.pem'),
    httpPort: options.httpPort,
    tlsPort: 1,
    ocspResponderURL: '',
    externalAccountBindingRequired: options.externalAccounts !== undefined,
    externalAccountMACKeys: options.externalAccounts ?? {},
  }
  writeFileSync(join(folder, 'pebble.json'), JSON.stringify({ pebble: configuration }))
  const get = (url: string) => fetchText(url, ca)
  const program = await startProgram({
    command,
    args: ['-strict', '-config', join(folder, 'pebble.json'), '-dnsserver', options.dns],
    env: {
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_WFE_NONCEREJECT: String(options.nonceReject ?? 0),
      PEBBLE_AUTHZREUSE: '0',
    },
    answers: () => get(`https://localhost:${port}/dir`),
  })
  return {
    ...program,
    env: {
      ACME_DIRECTORY_URL: `https://localhost:${port}/dir`,
      ACME_CA_FILE: join(folder, 'ca.pem'),
      ACME_EMAIL: 'ops@shop.test',
    },
    root: () => get(`https://localhost:${managementPort}/roots/0`),
    async stop() {
      await program.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function makeListenerCertificate(folder: string): Promise<string> {
  const authority = openLocalCa(make => make(), 'localhost', systemClock)
  const key = await acme.crypto.createPrivateEcdsaKey()
  const [, csr] = await acme.crypto.createCsr({ altNames: ['localhost'] }, key)
  const step = await authority.advance('localhost', 'local:localhost', csr, async () => false)
  const ca = (await authority.root?.()) ?? ''
  writeFileSync(join(folder, 'key.pem'), key)
  writeFileSync(join(folder, 'cert.pem'), step.outcome === 'issued' ? step.chain : '')
  writeFileSync(join(folder, 'ca.pem'), ca)
  return ca
}

function fetchText(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ca, agent: false }, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve(text))
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
