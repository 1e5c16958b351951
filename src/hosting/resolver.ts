import { type Ask, type DnsAnswer, describeFailure, isAnswer, type Resolve } from './dns-answer.ts'
import type { DnsServer, DnsType } from './dns-question.ts'

export type Resolver = {
  resolve: Resolve
  /** True if the resolvers validate DNSSEC and reject the name for wrong signatures. */
  hasBrokenDnssec(name: string): Promise<boolean>
}

type Resolved = Extract<DnsAnswer, { reached: true }> | { reached: false; code: string | null; why: string }

/** Queries the operator's resolvers in turn. Answers never contain the resolvers' addresses. */
export function openResolver(resolvers: readonly DnsServer[], ask: Ask): Resolver {
  async function askResolvers(name: string, type: DnsType, unchecked: boolean): Promise<Resolved> {
    let failure: Resolved = { reached: false, code: null, why: 'there is no resolver to ask' }
    for (const resolver of resolvers) {
      try {
        const reply = await ask(resolver, { name, type, recursive: true, unchecked })
        if (isAnswer(reply)) return { reached: true, records: reply.records }
        failure = { reached: false, code: reply.code, why: `the resolver answered ${reply.code}` }
      } catch (error) {
        failure = { reached: false, code: null, why: `the resolver ${describeFailure(error)}` }
      }
    }
    return failure
  }

  return {
    async resolve(name, type) {
      const answer = await askResolvers(name, type, false)
      return answer.reached ? answer : { reached: false, why: answer.why }
    },
    async hasBrokenDnssec(name) {
      const checked = await askResolvers(name, 'CNAME', false)
      if (checked.reached || checked.code !== 'SERVFAIL') return false
      return (await askResolvers(name, 'CNAME', true)).reached
    },
  }
}
