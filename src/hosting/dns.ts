import {
  type Ask,
  type DnsAnswer,
  describeFailure,
  isAnswer,
  tooManyQuestions,
  type Unreached,
} from './dns-answer.ts'
import { askServer, type DnsRecord, type DnsServer, type DnsType } from './dns-question.ts'
import { openFairTurns } from './fair-queue.ts'
import { openResolver, type Resolver } from './resolver.ts'
import { openZoneFinder, type Zone, type ZoneFinder } from './zones.ts'

/** The answers of all name servers of a zone. `silent` has the names of the servers that did not answer. */
export type ZoneAnswer =
  | { reached: true; zone: Zone; answers: { server: string; records: DnsRecord[] }[]; silent: string[] }
  | Unreached

export type Dns = {
  /** `deadline` is a time of performance.now() in milliseconds, so setting the clock does not affect it. */
  startLookup(deadline: number): Lookup
}

/** A group of questions with one deadline, one fair share of the sockets, and one cache of found zones. */
export type Lookup = Resolver &
  ZoneFinder & {
    /** Queries all name servers of the name's zone, so that a resolver's cached negative answer does not count. */
    askZone(name: string, types: DnsType[]): Promise<ZoneAnswer>
  }

const serverTimeoutMs = 1_200
/** In milliseconds: a resolver may have to try several servers. */
const resolverTimeoutMs = 2_000
const questionsAtOnce = 500
/** The customer's zone decides how many questions a lookup needs. Zones with 13 name servers need about 200. */
const questionsOfLookup = 300
const whysShown = 4

/**
 * `ownSuffixes` are the domain suffixes of the operator's own network. The public DNS may not contain the delegations
 * of these suffixes, so that only the configured resolvers know the delegations.
 */
export function openDns(resolvers: DnsServer[], ownSuffixes: readonly string[] = []): Dns {
  const turns = openFairTurns(questionsAtOnce)

  function startLookup(deadline: number): Lookup {
    const turn = turns.join()
    let asked = 0
    const ask: Ask = async (server, question) => {
      if (++asked > questionsOfLookup) throw new Error(tooManyQuestions)
      return turn(deadline, () => {
        const left = deadline - performance.now()
        if (left <= 0) throw new Error('timed out')
        return askServer(
          server,
          question,
          Math.min(left, question.recursive ? resolverTimeoutMs : serverTimeoutMs),
        )
      })
    }
    const { resolve, hasBrokenDnssec } = openResolver(resolvers, ask)
    const { findZone } = openZoneFinder({ resolvers, ownSuffixes, ask, resolve })

    async function askZone(name: string, types: DnsType[]): Promise<ZoneAnswer> {
      const zone = await findZone(name)
      if (!zone.reached) return { reached: false, why: zone.why }
      if (!zone.exists) return { reached: true, zone, answers: [], silent: [] }
      const replies = await Promise.all(
        zone.servers
          ? zone.servers.map(async ({ name: server, addresses }) => ({
              server,
              answer: await askAnyAddress(addresses, name, types),
            }))
          : [{ server: 'the resolver', answer: await resolveAll(name, types) }],
      )
      const answers = replies.flatMap(({ server, answer }) =>
        answer.reached ? [{ server, records: answer.records }] : [],
      )
      const failures = replies.flatMap(({ server, answer }) =>
        answer.reached ? [] : [{ server, ...answer }],
      )
      if (answers.length > 0) return { reached: true, zone, answers, silent: failures.map(one => one.server) }
      const whys = failures.map(({ server, why }) => (zone.servers ? `${server} ${why}` : why))
      return { reached: false, why: whys.slice(0, whysShown).join(', ') }
    }

    async function resolveAll(name: string, types: DnsType[]): Promise<DnsAnswer> {
      return allOf(await Promise.all(types.map(type => resolve(name, type))))
    }

    async function askAnyAddress(addresses: DnsServer[], name: string, types: DnsType[]): Promise<DnsAnswer> {
      let answer: DnsAnswer = { reached: false, why: 'has no public address to query' }
      for (const address of addresses) {
        answer = allOf(await Promise.all(types.map(type => askInCharge(address, name, type))))
        if (answer.reached) break
      }
      return answer
    }

    async function askInCharge(server: DnsServer, name: string, type: DnsType): Promise<DnsAnswer> {
      try {
        const reply = await ask(server, { name, type, recursive: false })
        if (!isAnswer(reply)) return { reached: false, why: `answered ${reply.code}` }
        // Only an authoritative server can say that a record does not exist.
        if (!reply.authoritative) return { reached: false, why: 'is not authoritative for the zone' }
        return { reached: true, records: reply.records }
      } catch (error) {
        return { reached: false, why: describeFailure(error) }
      }
    }

    return { resolve, findZone, askZone, hasBrokenDnssec }
  }

  return { startLookup }
}

/** Returns the records of all types, or the failure if one type failed, since the verdict needs all types. */
function allOf(answers: DnsAnswer[]): DnsAnswer {
  const unreached = answers.find(answer => !answer.reached)
  if (unreached) return unreached
  return { reached: true, records: answers.flatMap(answer => (answer.reached ? answer.records : [])) }
}
