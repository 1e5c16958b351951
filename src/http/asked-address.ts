import type { Request } from 'express'
import type { Config } from '../config.ts'
import { hostNameOf, readHostName } from './own-address.ts'

/**
 * The address that a request was sent to, as its client has it, for links that lead on from there. The public address
 * and that of staging are told as configured, since a proxy before them may speak HTTPS or take a part of the path.
 */
export function askedAddress({ publicUrl, stagingUrl }: Config, request: Request): string {
  const { host } = request.headers
  const name = request.res?.locals.host?.name ?? hostNameOf(host)
  if (name === '') return publicUrl
  const configured = [publicUrl, stagingUrl].find(url => url !== null && isAt(url, name, portOf(host)))
  if (configured) return configured
  const port = portOf(host)
  return `${request.protocol}://${name}${port && `:${port}`}`
}

function isAt(url: string, name: string, port: string): boolean {
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?#]+)/i.exec(url) ?? []
  const usual = scheme.toLowerCase() === 'https' ? '443' : '80'
  return readHostName(authority) === name && (portOf(authority) || usual) === (port || usual)
}

const portOf = (authority = '') => /:(\d{1,5})$/.exec(authority)?.[1] ?? ''
