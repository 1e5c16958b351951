import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { Request } from 'express'
import type { Config } from '../config.ts'

/** Returns the host name of a Host header in lower case, without port and final dot; '' without a header. */
export function hostNameOf(header = ''): string {
  // Most requests name the same host as the request before, so keep the last result.
  if (header !== last.header) last = { header, name: readHostName(header) }
  return last.name
}

/**
 * Returns the base URL of this request at a project's host. The URL contains the port of the request only if the port
 * is the port of this process or the port of `publicUrl`. A client may send any port in the Host header, and answers
 * with this URL are cached, so a wrong port must not get into an answer.
 */
export function urlOfHost(request: Request, name: string, publicUrl: string): string {
  const { headers, socket } = request
  const port = portOf(headers.host)
  const isOurs = port !== null && (port === socket.localPort || port === Number(new URL(publicUrl).port))
  return `${schemeOf(request)}://${name}${isOurs ? `:${port}` : ''}`
}

/** Express takes `request.protocol` from a trusted proxy unchecked, and some proxies pass on what the client sent. */
export const schemeOf = ({ secure }: Request) => (secure ? 'https' : 'http')

/** Returns the port of a Host header. */
export function portOf(header = ''): number | null {
  const digits = /:(\d+)$/.exec(header)?.[1]
  return digits === undefined ? null : Number(digits)
}

let last = { header: '', name: '' }

/** Returns the host name of a text like host or host:port. */
export function readHostName(header: string): string {
  const text = header.toLowerCase()
  const name = text.startsWith('[') ? text.replace(/\].*$/s, ']') : text.replace(/:\d*$/, '')
  return name.replace(/\.$/, '')
}

/**
 * Makes a function that recognises the service's own addresses, at which no project is served. All IP addresses count
 * as own, because probes use them. A name that cannot be the host of a URL never counts as own, because URLs in answers
 * have the host of the request.
 */
export function serviceAddressTest({ publicUrl, stagingUrl, host }: Config): (name: string) => boolean {
  const names = new Set(['', 'localhost', hostNameOf(new URL(publicUrl).host)])
  if (isIP(host) === 0) names.add(host.toLowerCase())
  if (stagingUrl) names.add(hostNameOf(new URL(stagingUrl).host))
  return name => names.has(name) || isIPv4(name) || isBracketedIPv6(name)
}

/** Without a zone, such as `%eth0`, which is not allowed in a URL. */
const isBracketedIPv6 = (name: string) => /^\[[\da-f:.]+\]$/.test(name) && isIPv6(name.slice(1, -1))
