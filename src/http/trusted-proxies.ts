import { BlockList, isIPv6 } from 'node:net'
import type { Config } from '../config.ts'

/** The proxies before a listener that may name the client by X-Forwarded-For: their number, or their networks. */
export type TrustedProxies = number | string[]

export function trustedProxies({ trustProxy, proxyProtocol }: Config) {
  // A balancer that speaks the PROXY protocol is the first of the counted proxies. The balancer has already named its
  // client in the PROXY header. So the number of proxies that are trusted in X-Forwarded-For is one less.
  const behind = (proxies: TrustedProxies, isAnnounced: boolean) =>
    typeof proxies === 'number' && isAnnounced ? Math.max(0, proxies - 1) : proxies
  return {
    http: behind(trustProxy.http, proxyProtocol.http),
    https: behind(trustProxy.https, proxyProtocol.https),
  }
}

/** Returns a function that tells whether an address is one of the trusted proxies. */
export function trustTest(trusted: TrustedProxies): (address: string | undefined) => boolean {
  if (typeof trusted === 'number') return () => trusted > 0
  const list = new BlockList()
  const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
  for (const network of trusted) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (given = '') => {
    const address = given.replace(/^::ffff:(?=[\d.]+$)/, '')
    return list.check(address, familyOf(address))
  }
}
