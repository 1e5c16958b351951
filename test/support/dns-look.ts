import type { DnsLook, DnsVerdict } from '../../src/core/hosts/dns-verdict.ts'

/** The result of a DNS check: a name that points here, unless a code says what is wrong with it. */
export const dnsLook = (code: DnsVerdict['code'] = null, tokens: string[] | null = []): DnsLook => ({
  verdict: { code, message: '', found: [], expected: [], inTheWay: null },
  proof: { namesTarget: code === null, needsToken: false, tokens, partialTokens: [] },
  zone: null,
})
