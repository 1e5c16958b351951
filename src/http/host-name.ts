import { isIP } from 'node:net'
import type { Request } from 'express'
import type { Config } from '../config.ts'

/** The host name of a Host header: lower case, without port and final dot; empty without a header. */
export function hostNameOf(header = ''): string {
  // Most requests name the same host as the previous one.
  if (header !== last.header) last = { header, name: readHostName(header) }
  return last.name
}

/** The base address of this request at a project's host. */
export function urlOfHost({ protocol, headers }: Request, name: string): string {
  const port = /:\d{1,5}$/.exec(headers.host ?? '')?.[0] ?? ''
  return `${protocol}://${name}${port}`
}

/** The port of a Host header. */
export function portOf(header = ''): number | null {
  const digits = /:(\d+)$/.exec(header)?.[1]
  return digits === undefined ? null : Number(digits)
}

let last = { header: '', name: '' }

/** The host name in any text of the form host or host:port. */
export function readHostName(header: string): string {
  const text = header.toLowerCase()
  const name = text.startsWith('[') ? text.replace(/\].*$/s, ']') : text.replace(/:\d*$/, '')
  return name.replace(/\.$/, '')
}

/**
 * Tests whether a name is the service's own address, where no project is served. IP addresses count, since probes use
 * them.
 */
export function serviceAddressTest({ publicUrl, stagingUrl, host }: Config): (name: string) => boolean {
  const names = new Set(['', 'localhost', host.toLowerCase(), hostNameOf(new URL(publicUrl).host)])
  if (stagingUrl) names.add(hostNameOf(new URL(stagingUrl).host))
  return name => names.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0
}
