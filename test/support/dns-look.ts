import type { DnsLook, DnsVerdict } from '../../src/core/hosts/dns-verdict.ts'

/** The result of a DNS check. Without a code, the record is right. */
export const dnsLook = (code: DnsVerdict['code'] = null, tokens: string[] | null = []): DnsLook => ({
  verdict: { code, message: '', found: [], expected: [], inTheWay: null },
  proof: { namesTarget: code === null, needsToken: false, tokens, partialTokens: [] },
  zone: null,
})
