import type { Config } from '../config.ts'

/** How many before a listener are believed when they tell by X-Forwarded-For whom they pass on, or which. */
export type TrustedProxies = number | string[]

export function trustedProxies({ trustProxy, proxyProtocol }: Config) {
  // One that tells by the PROXY protocol is the first of them, and has been believed already.
  const behind = (proxies: TrustedProxies, isTold: boolean) =>
    typeof proxies === 'number' && isTold ? Math.max(0, proxies - 1) : proxies
  return {
    http: behind(trustProxy.http, proxyProtocol.http),
    https: behind(trustProxy.https, proxyProtocol.https),
  }
}
