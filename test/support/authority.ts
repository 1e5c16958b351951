import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './programs.ts'

/**
 * Makes a certificate authority, and a certificate that the authority has signed. Only `account` may read the key of
 * the certificate.
 */
export function makeAuthority(account: Account, name = 'DNS:localhost') {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-authority-'))
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const newKey = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', at(name)]
  openssl('req', '-x509', ...newKey('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=An authority of the tests')
  const names = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${name}`]
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-addext', 'basicConstraints=CA:FALSE']
  openssl('req', '-x509', ...newKey('key.pem'), '-out', at('certificate.pem'), ...names, ...signed)
  if (account) for (const name of ['', 'key.pem']) chownSync(at(name), account.uid, account.gid)
  return { folder, ca: at('ca.pem'), certificate: at('certificate.pem'), key: at('key.pem') }
}
