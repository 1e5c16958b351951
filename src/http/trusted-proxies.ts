import type { Config } from '../config.ts'

/** The number of proxies before a listener that may name the client by X-Forwarded-For, or their networks. */
export type TrustedProxies = number | string[]

export function trustedProxies({ trustProxy, proxyProtocol }: Config) {
  // A balancer that speaks the PROXY protocol counts as the first proxy, whose header was read already.
  const behind = (proxies: TrustedProxies, isAnnounced: boolean) =>
    typeof proxies === 'number' && isAnnounced ? Math.max(0, proxies - 1) : proxies
  return {
    http: behind(trustProxy.http, proxyProtocol.http),
    https: behind(trustProxy.https, proxyProtocol.https),
  }
}
