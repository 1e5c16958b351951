import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type NumberedEvent = { id: string; number: number }

/**
 * The receiver works this long on an event that a test waits for, so that the test can kill the sender during this
 * time.
 */
const workMs = 500

/**
 * Starts a receiver of webhooks over HTTPS. A process trusts the receiver if the NODE_EXTRA_CA_CERTS of the process is
 * `cert`. If the sender breaks off before the answer, the receiver drops the event.
 */
export async function startHttpsReceiver() {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-receiver-'))
  const [key, cert] = ['key.pem', 'cert.pem'].map(name => join(folder, name)) as [string, string]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const subject = ['-subj', '/CN=receiver', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  const received: NumberedEvent[] = []
  const hanging = new Set<string>()
  let awaited: PromiseWithResolvers<number> | null = null
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    let body = ''
    request.on('data', part => {
      body += part
    })
    request.on('end', () => {
      if (hanging.has(request.url ?? '')) return
      const delayMs = awaited ? workMs : 0
      awaited?.resolve(request.socket.remotePort ?? 0)
      awaited = null
      setTimeout(() => {
        // `destroyed` is not enough: a sender that ends its side leaves the connection half open.
        if (request.socket.destroyed || !request.socket.writable || request.socket.readableEnded) return
        received.push(JSON.parse(body))
        response.writeHead(204).end()
      }, delayMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    cert,
    received,
    /** Resolves with the sender's port when the next event has arrived and is not answered yet. */
    nextBegins() {
      awaited = Promise.withResolvers()
      return awaited.promise
    },
    /** From now on, sends no answer to requests for this path. */
    hang: (path: string) => void hanging.add(path),
    stop() {
      server.close()
      server.closeAllConnections()
      rmSync(folder, { recursive: true })
    },
  }
}
