import type { DnsLook, DnsVerdict } from '../../src/core/hosts/dns-verdict.ts'

/** What a look at DNS has seen: a name that leads here, unless a code says what is wrong with it. */
export const dnsLook = (code: DnsVerdict['code'] = null, tokens: string[] | null = []): DnsLook => ({
  verdict: { code, message: '', found: [], expected: [], inTheWay: null },
  proof: { namesTarget: code === null, tokens },
})
