import { isIP } from 'node:net'
import type { Request } from 'express'
import type { Config } from '../config.ts'

/** The host that a request names: lower case, without port and final dot; empty where it names none. */
export function hostNameOf(header = ''): string {
  // Most requests name the same host as the one before.
  if (header !== last.header) last = { header, name: readHostName(header) }
  return last.name
}

/** The address that a visitor of a project's host came by. */
export function addressOf({ protocol, headers }: Request, name: string): string {
  const port = /:\d{1,5}$/.exec(headers.host ?? '')?.[0] ?? ''
  return `${protocol}://${name}${port}`
}

/** The port that a Host header names. */
export function portOf(header = ''): number | null {
  const digits = /:(\d+)$/.exec(header)?.[1]
  return digits === undefined ? null : Number(digits)
}

let last = { header: '', name: '' }

/** The same of any text that names a host and perhaps a port. */
export function readHostName(header: string): string {
  const text = header.toLowerCase()
  const name = text.startsWith('[') ? text.replace(/\].*$/s, ']') : text.replace(/:\d*$/, '')
  return name.replace(/\.$/, '')
}

/** The service's own address, under which no single project is served; probes come by IP address. */
export function ownAddressTest({ publicUrl, stagingUrl, host }: Config): (name: string) => boolean {
  const names = new Set(['', 'localhost', host.toLowerCase(), hostNameOf(new URL(publicUrl).host)])
  if (stagingUrl) names.add(hostNameOf(new URL(stagingUrl).host))
  return name => names.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0
}
