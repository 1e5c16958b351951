import { registeredName } from '../core/hosts/names.ts'
import { isPublicAddress } from './addresses.ts'
import { type Ask, describeFailure, isAnswer, type Resolve, type Unreached } from './dns-answer.ts'
import type { DnsRecord, DnsReply, DnsServer } from './dns-question.ts'

/** The zone that holds a name, and its name servers. */
export type Zone = {
  reached: true
  /** Null if only the resolvers know the name, as in a private network. */
  name: string | null
  /** False if the name's registered domain is unknown to its registry. */
  exists: boolean
  /** Null if the zone must be queried through the resolvers. */
  servers: ZoneServer[] | null
}
type ZoneServer = { name: string; addresses: DnsServer[] }
type ServedZone = Zone & { name: string; servers: ZoneServer[] }

/** `delegatedTo` has the zone's known name servers, none of which answers. */
export type UnreachedZone = Unreached & { delegatedTo: string[] }
export type ZoneFinder = { findZone(name: string): Promise<Zone | UnreachedZone> }

type Tools = {
  resolvers: readonly DnsServer[]
  ownSuffixes: readonly string[]
  ask: Ask
  resolve: Resolve
}

const mostServers = 13
const addressesOfServer = 2
const mostZonesDown = 10
const mostLabels = 8
const serversAtFirst = 4

/**
 * Finds the zone of a name as resolvers do: begins at the registry, and follows the delegations of the parent zones'
 * servers. Asks a resolver for the NS records of the name itself only as the last choice, because the resolver would
 * follow the name's CNAME, so that the result would depend on the CNAME's target.
 */
export function openZoneFinder({ resolvers, ownSuffixes, ask, resolve }: Tools): ZoneFinder {
  const found = new Map<string, Promise<Zone | UnreachedZone>>()
  const delegated: ServedZone[] = []

  async function find(name: string): Promise<Zone | UnreachedZone> {
    const known = delegated.filter(zone => isWithin(name, zone.name)).sort(deepestFirst)[0]
    if (known) return goDown(known, name)
    let unreached: UnreachedZone | null = null
    for (const start of namesToStartAt(name, ownSuffixes)) {
      const zone = await findByResolver(start)
      if (zone?.reached) {
        const reply = zone.name === name ? null : await firstReply(zone, name)
        if (reply === null) return zone
        if (!('why' in reply)) return goDown(zone, name, reply)
        // If the registry does not answer, continue: the resolvers may know the delegation.
        unreached ??= reply
      } else if (zone) unreached ??= zone
    }
    return unreached ?? { reached: true, name: null, exists: true, servers: null }
  }

  async function findByResolver(name: string): Promise<ServedZone | UnreachedZone | null> {
    const answer = await resolve(name, 'NS')
    if (!answer.reached) return { ...answer, delegatedTo: [] }
    const hosts = answer.records.filter(record => record.type === 'NS' && record.name === name)
    return hosts.length > 0 ? serve(name, hosts, []) : null
  }

  /** Follows delegations from a zone to the deepest zone that holds the name. */
  async function goDown(top: ServedZone, name: string, first?: DnsReply): Promise<Zone | UnreachedZone> {
    let zone = top
    for (let step = 0; step < mostZonesDown && zone.name !== name; step++) {
      const reply: DnsReply | UnreachedZone = (step === 0 && first) || (await firstReply(zone, name))
      if ('why' in reply) return reply
      const cut = delegationIn(reply, zone.name, name)
      if (!cut) return describeZone(zone, reply, name)
      const next = await serve(cut.name, cut.hosts, reply.additional)
      if (!next.reached) return next
      delegated.push(next)
      zone = next
    }
    return zone
  }

  /** Returns the first useful answer about the name's zone. Queries four servers at once, because some may be down. */
  async function firstReply(
    { name: zone, servers }: ServedZone,
    name: string,
  ): Promise<DnsReply | UnreachedZone> {
    const whys: string[] = []
    const askOne = async ({ name: server, addresses }: ZoneServer): Promise<DnsReply> => {
      let why = 'has no public address to query'
      for (const address of addresses) {
        try {
          const reply = await ask(address, { name, type: 'NS', recursive: false })
          if (!isAnswer(reply)) why = `answered ${reply.code}`
          else if (reply.authoritative || delegationIn(reply, zone, name)) return reply
          else why = 'is not authoritative for the zone'
        } catch (error) {
          why = describeFailure(error)
        }
      }
      whys.push(`${server} ${why}`)
      throw new Error(why)
    }
    for (const some of [servers.slice(0, serversAtFirst), servers.slice(serversAtFirst)]) {
      const reply = await Promise.any(some.map(askOne)).catch(() => null)
      if (reply) return reply
    }
    const delegatedTo = servers.map(server => server.name)
    return { reached: false, why: whys.slice(0, serversAtFirst).join(', '), delegatedTo }
  }

  async function serve(
    name: string,
    hosts: DnsRecord[],
    glue: DnsRecord[],
  ): Promise<ServedZone | UnreachedZone> {
    const names = [...new Set(hosts.map(host => host.value))].toSorted().slice(0, mostServers)
    let hasPrivate = false
    const servers = await Promise.all(
      names.map(async server => {
        const addresses = await addressesOf(server, name, glue)
        const allowed = addresses.flatMap(address => allowedServer(address) ?? [])
        hasPrivate ||= allowed.length < addresses.length
        return { name: server, addresses: allowed.slice(0, addressesOfServer) }
      }),
    )
    if (servers.some(({ addresses }) => addresses.length > 0))
      return { reached: true, name, exists: true, servers }
    const list = names.slice(0, serversAtFirst).join(', ')
    const fault = hasPrivate ? 'have addresses that are not public' : 'have no address'
    const why = `the name servers of ${name} (${list}) ${fault}`
    return { reached: false, why, delegatedTo: names }
  }

  /**
   * Returns a name server's addresses. Servers inside the zone need glue: their addresses cannot be found otherwise.
   */
  async function addressesOf(server: string, zone: string, glue: DnsRecord[]): Promise<string[]> {
    const given = glue.filter(one => isAddress(one) && one.name === server && isWithin(server, zone))
    if (given.length > 0) return given.map(one => one.value)
    for (const type of ['A', 'AAAA'] as const) {
      const answer = await resolve(server, type)
      const addresses = answer.reached ? answer.records.filter(isAddress) : []
      if (addresses.length > 0) return addresses.map(one => one.value)
    }
    return []
  }

  /** Allows only public addresses for name servers chosen by a customer, unless the operator has configured them. */
  function allowedServer(address: string): DnsServer | undefined {
    const configured = resolvers.find(server => server.address === address)
    return configured ?? (isPublicAddress(address) ? { address, port: 53 } : undefined)
  }

  return {
    findZone(name) {
      const finding = found.get(name) ?? find(name)
      found.set(name, finding)
      return finding
    },
  }
}

/**
 * Lists the names at which the search for a zone may start, the shortest name first. The first name is the operator's
 * own suffix if `name` ends with an own suffix. Otherwise the first name is the registry's suffix, for example `com`.
 * The last name is `name` itself, unless the list reaches `mostLabels`.
 */
function namesToStartAt(name: string, ownSuffixes: readonly string[]): string[] {
  const labels = name.split('.')
  const all = labels.map((_, index) => labels.slice(index).join('.'))
  const own = ownSuffixes.filter(suffix => isWithin(name, suffix)).sort((a, b) => b.length - a.length)[0]
  const registered = registeredName(name)
  const top = own ?? registered.slice(registered.indexOf('.') + 1)
  return all
    .filter(one => isWithin(one, top))
    .reverse()
    .slice(0, mostLabels)
}

/** Returns the next zone between `zone` and `name`, if the reply delegates to one. */
function delegationIn({ records, authority }: DnsReply, zone: string, name: string) {
  const below = [...authority, ...records].filter(
    record =>
      record.type === 'NS' &&
      record.name !== zone &&
      isWithin(record.name, zone) &&
      isWithin(name, record.name),
  )
  const [first] = below
  return first ? { name: first.name, hosts: below.filter(record => record.name === first.name) } : null
}

/**
 * The servers of the delegated zone may also serve a zone below it. The SOA record of the reply then names the lower
 * zone.
 */
function describeZone(zone: ServedZone, reply: DnsReply, name: string): Zone {
  const soa = reply.authority.find(
    one => one.type === 'SOA' && isWithin(name, one.name) && isWithin(one.name, zone.name),
  )
  const isRegistry = !isWithin(zone.name, registeredName(name))
  return { ...zone, name: soa?.name ?? zone.name, exists: !(isRegistry && reply.code === 'NXDOMAIN') }
}

const isAddress = ({ type }: DnsRecord) => type === 'A' || type === 'AAAA'
const isWithin = (name: string, above: string) => name === above || name.endsWith(`.${above}`)
const deepestFirst = (one: ServedZone, other: ServedZone) => other.name.length - one.name.length
