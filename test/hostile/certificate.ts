import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Certificate = { key: string; cert: string }

/** Makes a certificate for 127.0.0.1. `file` holds the certificate until `remove`. */
export function makeCertificate(): { certificate: Certificate; file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-receiver-'))
  const key = join(folder, 'key.pem')
  const file = join(folder, 'cert.pem')
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const name = ['-subj', '/CN=receiver', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...ec, ...name, '-keyout', key, '-out', file], { stdio: 'ignore' })
  const read = (path: string) => readFileSync(path, 'utf8')
  return {
    certificate: { key: read(key), cert: read(file) },
    file,
    remove: () => rmSync(folder, { recursive: true }),
  }
}
