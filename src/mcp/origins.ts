import type { Request } from 'express'
import type { Config } from '../config.ts'
import { StoreError } from '../core/errors.ts'
import { requestUrl } from '../http/request-url.ts'

/**
 * Refuses pages of other websites. The protocol requires this, because such a page could reach a local store by a host
 * name of its own (DNS rebinding). Programs send no Origin.
 */
export function refuseForeignOrigin(config: Config, request: Request): void {
  const { origin } = request.headers
  if (origin === undefined) return
  const urls = [config.publicUrl, config.stagingUrl, requestUrl(config, request)]
  if (urls.some(url => url !== null && new URL(url).origin === origin)) return
  throw new StoreError('foreign_origin', 'Pages of other websites may not call the tools here.')
}
