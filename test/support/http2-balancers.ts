import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BalancerName, balancers, nameStores } from './balancers.ts'
import { makeListenerCertificate } from './pebble.ts'
import { freePort, type Program, recordUse, startProgram } from './programs.ts'

export type Http2Balancer = Program & { url: string; ca: string; caFile: string }

/**
 * Starts a balancer with its file in deploy/http2 and a certificate for localhost. Only addresses and paths are
 * changed.
 */
export async function startHttp2Balancer(name: BalancerName, stores: string[]): Promise<Http2Balancer> {
  recordUse(name)
  const balancer = balancers[name]
  const folder = mkdtempSync(join(tmpdir(), `animal-store-${name}-http2-`))
  // The workers of nginx run as another user and write large bodies to this folder.
  chmodSync(folder, 0o711)
  const at = (file: string) => join(folder, file)
  const ca = await makeListenerCertificate(folder)
  // HAProxy expects the key and the certificate in one file.
  writeFileSync(at('both.pem'), readFileSync(at('cert.pem'), 'utf8') + readFileSync(at('key.pem'), 'utf8'))
  const port = await freePort()
  const text = nameStores(readFileSync(`deploy/http2/${balancer.file}`, 'utf8'), stores)
    .replaceAll('store.example.com', 'localhost')
    .replaceAll('/etc/ssl/store.pem', at(name === 'haproxy' ? 'both.pem' : 'cert.pem'))
    .replaceAll('/etc/ssl/store.key', at('key.pem'))
    .replace(/^(\s*(?:bind|listen)? ?:?)443\b/gm, `$1${port}`)
  const own = at(balancer.file)
  writeFileSync(own, text)
  const file = 'around' in balancer ? at('around') : own
  if ('around' in balancer) writeFileSync(file, balancer.around(own, folder))

  execFileSync(name, balancer.check(file), { stdio: 'pipe' })
  const url = `https://localhost:${port}`
  const program = await startProgram({
    command: name,
    args: balancer.run(file),
    answers: () => untilReady(`${url}/readyz`, ca),
  })
  return {
    ...program,
    url,
    ca,
    caFile: at('ca.pem'),
    async stop() {
      await program.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

function untilReady(url: string, ca: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { ca, agent: false }, response => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`answered ${response.statusCode}`))
    })
      .on('error', reject)
      .end()
  })
}
