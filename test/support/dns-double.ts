import type { Dns } from '../../src/hosting/dns.ts'
import type { DnsRecord } from '../../src/hosting/dns-question.ts'

/** DNS with one name server, which answers with the test's records or an error. */
export function dnsThatAnswers(answer: (name: string) => DnsRecord[] | string): Dns {
  const ask = (name: string) => {
    const found = answer(name)
    return typeof found === 'string'
      ? { reached: false as const, why: found }
      : { reached: true as const, records: found }
  }
  const zone = { reached: true, name: null, exists: true, servers: null } as const
  return {
    startLookup: () => ({
      resolve: async name => ask(name),
      hasBrokenDnssec: async () => false,
      findZone: async () => zone,
      async askZone(name) {
        const found = ask(name)
        return found.reached
          ? { reached: true, zone, answers: [{ server: 'ns1', records: found.records }], silent: [] }
          : found
      },
    }),
  }
}
