import type { Config } from '../config.ts'

/** How many proxies before a listener may name the client by X-Forwarded-For, or the networks of those proxies. */
export type TrustedProxies = number | string[]

export function trustedProxies({ trustProxy, proxyProtocol }: Config) {
  // A balancer that speaks the PROXY protocol is the first of these proxies, and its header was read already.
  const behind = (proxies: TrustedProxies, isTold: boolean) =>
    typeof proxies === 'number' && isTold ? Math.max(0, proxies - 1) : proxies
  return {
    http: behind(trustProxy.http, proxyProtocol.http),
    https: behind(trustProxy.https, proxyProtocol.https),
  }
}
