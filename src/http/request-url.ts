import type { Request } from 'express'
import type { Config } from '../config.ts'
import { hostNameOf, readHostName, schemeOf } from './host-name.ts'

/**
 * Returns the URL of the request, for links in the answer. The public and staging address are used as configured,
 * because a proxy in front may speak HTTPS or remove a part of the path.
 */
export function requestUrl({ publicUrl, stagingUrl }: Config, request: Request): string {
  const { host } = request.headers
  const name = request.res?.locals.host?.name ?? hostNameOf(host)
  if (name === '') return publicUrl
  const port = portOf(host)
  if (isAt(publicUrl, name, port)) return publicUrl
  if (stagingUrl !== null && isAt(stagingUrl, name, port)) return stagingUrl
  return `${schemeOf(request)}://${name}${port && `:${port}`}`
}

function isAt(url: string, name: string, port: string): boolean {
  const place = places.get(url) ?? readPlace(url)
  places.set(url, place)
  return place.name === name && place.port === (port || place.usualPort)
}

/** Caches the parsed addresses, because every page with a next link compares them with the host. */
const places = new Map<string, Place>()

type Place = { name: string; port: string; usualPort: string }

function readPlace(url: string): Place {
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?#]+)/i.exec(url) ?? []
  const usualPort = scheme.toLowerCase() === 'https' ? '443' : '80'
  return { name: readHostName(authority), port: portOf(authority) || usualPort, usualPort }
}

const portOf = (authority = '') => /:(\d{1,5})$/.exec(authority)?.[1] ?? ''
