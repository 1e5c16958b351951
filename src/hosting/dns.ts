import { isPublicAddress } from './addresses.ts'
import { askServer, type DnsRecord, type DnsReply, type DnsServer, type DnsType } from './dns-question.ts'

/** "Could not ask" is not "asked, and there is nothing". */
export type DnsAnswer = { reached: true; records: DnsRecord[] } | { reached: false; why: string }

export type Dns = {
  /** Asks the configured resolvers, who may answer from their memory. */
  resolve(name: string, type: DnsType, deadline: number): Promise<DnsAnswer>
  /** Asks the zone's own name servers, so that no stale "no" is believed. */
  askZone(name: string, types: DnsType[], deadline: number): Promise<DnsAnswer>
  /** The zone's name servers by name; none where they cannot be found. */
  findNameServers(name: string, deadline: number): Promise<string[]>
}

const questionTimeoutMs = 1_200
const nameServersAsked = 3
const questionsAtOnce = 100

/** Deadlines are moments of performance.now(), so that no clock that is set disturbs them. */
export function openDns(resolvers: DnsServer[]): Dns {
  const ask = limitParallel(questionsAtOnce, askServer)

  async function askAny(
    servers: DnsServer[],
    name: string,
    type: DnsType,
    recursive: boolean,
    deadline: number,
  ) {
    let why = 'there is no name server to ask'
    for (const server of servers) {
      const left = deadline - performance.now()
      if (left <= 0) return { reached: false as const, why: 'the name servers did not answer in time' }
      try {
        const reply = await ask(server, { name, type, recursive }, Math.min(left, questionTimeoutMs))
        const trouble = troubleOf(reply, recursive)
        if (!trouble) return { reached: true as const, records: reply.records }
        why = `${server.address} ${trouble}`
      } catch (error) {
        why = `${server.address} ${describe(error)}`
      }
    }
    return { reached: false as const, why }
  }

  const resolve: Dns['resolve'] = (name, type, deadline) => askAny(resolvers, name, type, true, deadline)

  /** The zone's name servers, or why they cannot be asked for; null where the name lies in no zone that can be found. */
  async function findHosts(name: string, deadline: number): Promise<string[] | string | null> {
    const answers = await Promise.all(
      zonesAbove(name).map(async zone => ({ zone, answer: await resolve(zone, 'NS', deadline) })),
    )
    for (const { zone, answer } of answers) {
      // A zone whose delegation cannot be read must not be mistaken for its parent.
      if (!answer.reached) return answer.why
      const hosts = answer.records.filter(record => record.type === 'NS' && record.name === zone)
      if (hosts.length > 0) return hosts.map(record => record.value)
    }
    return null
  }

  async function findServers(name: string, deadline: number): Promise<DnsServer[] | string | null> {
    const hosts = await findHosts(name, deadline)
    return Array.isArray(hosts) ? addressesOf(hosts, deadline) : hosts
  }

  async function addressesOf(hosts: string[], deadline: number): Promise<DnsServer[] | string> {
    const some = hosts.toSorted().slice(0, nameServersAsked)
    const answers = await Promise.all(
      some.flatMap(host => [resolve(host, 'A', deadline), resolve(host, 'AAAA', deadline)]),
    )
    const addresses = answers
      .flatMap(answer => (answer.reached ? answer.records : []))
      .filter(record => record.type === 'A' || record.type === 'AAAA')
      .map(record => record.value)
    const servers = addresses.flatMap(address => allowedServer(address) ?? [])
    if (servers.length > 0) return servers.slice(0, nameServersAsked)
    return addresses.length > 0
      ? `its name servers ${some.join(', ')} lie on addresses that are not public`
      : `its name servers ${some.join(', ')} have no address`
  }

  /** What a customer's zone names as its server is asked only on a public address, or where the operator says so. */
  function allowedServer(address: string): DnsServer | undefined {
    const configured = resolvers.find(server => server.address === address)
    return configured ?? (isPublicAddress(address) ? { address, port: 53 } : undefined)
  }

  return {
    resolve,
    async findNameServers(name, deadline) {
      const hosts = await findHosts(name, deadline)
      return Array.isArray(hosts) ? hosts : []
    },
    async askZone(name, types, deadline) {
      const servers = await findServers(name, deadline)
      if (typeof servers === 'string') return { reached: false, why: servers }
      const answers = await Promise.all(
        types.map(type =>
          servers ? askAny(servers, name, type, false, deadline) : resolve(name, type, deadline),
        ),
      )
      const unreached = answers.find(answer => !answer.reached)
      return (
        unreached ?? {
          reached: true,
          records: answers.flatMap(answer => (answer.reached ? answer.records : [])),
        }
      )
    },
  }
}

function zonesAbove(name: string): string[] {
  const labels = name.split('.')
  return labels
    .slice(0, -1)
    .map((_, index) => labels.slice(index).join('.'))
    .slice(-8)
}

function troubleOf(reply: DnsReply, recursive: boolean): string | null {
  if (reply.code !== 'NOERROR' && reply.code !== 'NXDOMAIN') return `answered ${reply.code}`
  // A server that is not in charge of the zone cannot say that something is missing in it.
  if (!recursive && !reply.authoritative) return 'is not in charge of the zone'
  return null
}

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code) return `cannot be reached (${code})`
  return error instanceof Error && error.message === 'timed out'
    ? 'did not answer in time'
    : 'gave no readable answer'
}

function limitParallel<A extends unknown[], R>(most: number, run: (...args: A) => Promise<R>) {
  let running = 0
  const waiting: (() => void)[] = []
  return async (...args: A): Promise<R> => {
    if (running >= most) await new Promise<void>(resolve => waiting.push(resolve))
    else running++
    try {
      return await run(...args)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
