import type { Request } from 'express'
import type { Config } from '../../config.ts'
import { StoreError } from '../../core/errors.ts'
import { requestUrl } from '../request-url.ts'

/**
 * Returns the origin of the calling page, which must be a page of this service: pages of other sites must not use the
 * cookie, and must not sign a visitor in as somebody else. Browsers send Origin with every POST, and Sec-Fetch-Site at
 * least over HTTPS and at localhost. If the service is public over HTTPS, a page over http is another site.
 */
export function ownOrigin(config: Config, request: Request): URL {
  const { origin, 'sec-fetch-site': site } = request.headers
  const own = originsOf(config, request).find(url => url.origin === origin)
  const isPublicSecure = config.publicUrl.startsWith('https:')
  const isDowngraded = isPublicSecure && own?.protocol === 'http:'
  if (own && !isDowngraded && isOfHost(own, request) && (site === undefined || site === 'same-origin'))
    return own
  throw new StoreError('foreign_origin', 'Only pages of this service may sign in here.')
}

/** Returns the origin of this service that a navigation was sent to. A navigation has no Origin header. */
export function askedOrigin(config: Config, request: Request): URL | undefined {
  return originsOf(config, request).find(url => isOfHost(url, request))
}

function originsOf(config: Config, request: Request): URL[] {
  const urls = [config.publicUrl, config.stagingUrl, requestUrl(config, request)]
  return urls.flatMap(url => (url === null ? [] : [new URL(url)]))
}

/** A page of the staging address must not use a session of the public address, or the other way round. */
function isOfHost(origin: URL, request: Request): boolean {
  const host = (request.headers.host ?? '').toLowerCase()
  return host === origin.host || host === `${origin.hostname}:${origin.protocol === 'https:' ? 443 : 80}`
}
