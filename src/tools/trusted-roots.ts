import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { StartRefused } from './start-refused.ts'

/** Reads the certificates to trust from the file that a setting names. Node.js ignores a file without certificates. */
export function readTrustedRoots(name: string, file: string): string {
  const text = readText(name, file)
  const blocks = text.split(/(?=-----BEGIN )/).filter(block => /^-----BEGIN .*CERTIFICATE-----/.test(block))
  if (blocks.length > 0 && blocks.every(isCertificate)) return text
  throw new StartRefused(`${name} must be a PEM file of certificates, which ${file} is not.`)
}

function readText(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartRefused(`${name} cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}
