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
  const port = portOf(host)
  if (isAt(publicUrl, name, port)) return publicUrl
  if (stagingUrl !== null && isAt(stagingUrl, name, port)) return stagingUrl
  return `${request.protocol}://${name}${port && `:${port}`}`
}

function isAt(url: string, name: string, port: string): boolean {
  const place = places.get(url) ?? readPlace(url)
  places.set(url, place)
  return place.name === name && place.port === (port || place.usualPort)
}

/** Of the configured addresses, which every page with a further one is held against. */
const places = new Map<string, Place>()

type Place = { name: string; port: string; usualPort: string }

function readPlace(url: string): Place {
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?#]+)/i.exec(url) ?? []
  const usualPort = scheme.toLowerCase() === 'https' ? '443' : '80'
  return { name: readHostName(authority), port: portOf(authority) || usualPort, usualPort }
}

const portOf = (authority = '') => /:(\d{1,5})$/.exec(authority)?.[1] ?? ''
