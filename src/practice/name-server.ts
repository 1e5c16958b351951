import { createSocket } from 'node:dgram'
import { type AddressInfo, createServer } from 'node:net'
import * as packet from 'dns-packet'

/** One line of a zone file: `www.shop.test CNAME acme.animals.localhost`, also with final dots, TTL and class. */
export type ZoneLine = string
export type NameServer = {
  address: string
  port: number
  /** host:port, as in DNS_SERVERS. */
  at: string
  received: string[]
  setZone(lines: ZoneLine[]): void
  /** Makes the server answer questions about this name and the names below it with an error code, or not at all. */
  misbehave(name: string, how: string): void
  stop(): Promise<void>
}

/** Starts an authoritative name server on loopback. It answers from its lines, and with NXDOMAIN for other names. */
export async function startNameServer(
  lines: ZoneLine[] = [],
  port = 0,
  address = '127.0.0.1',
): Promise<NameServer> {
  const zone = new Map<string, packet.Answer[]>()
  const trouble = new Map<string, string>()
  const received: string[] = []

  function answer(message: Buffer, overTcp: boolean): packet.Packet | null {
    const query = readQuery(message)
    const question = query?.questions?.[0]
    if (!question) return null
    const name = question.name.toLowerCase()
    received.push(`${name} ${question.type}`)
    const how = [...trouble].find(([owner]) => name === owner || name.endsWith(`.${owner}`))?.[1]
    if (how === 'silence') return null
    const answers = how ? [] : lookUp(name, question.type)
    const known = recordsOf(name) !== undefined || [...zone.keys()].some(owner => owner.endsWith(`.${name}`))
    const rcode = how ? rcodes[how] : known ? 0 : 3
    const truncated = !overTcp && answers.length > 30
    const flags = packet.AUTHORITATIVE_ANSWER | (truncated ? packet.TRUNCATED_RESPONSE : 0) | (rcode ?? 0)
    return {
      type: 'response',
      id: query.id ?? 0,
      flags,
      questions: [question],
      answers: truncated ? [] : answers,
    }
  }

  /** Returns the name's records, or those of a matching wildcard line. */
  function recordsOf(name: string): packet.Answer[] | undefined {
    const above = name.slice(name.indexOf('.') + 1)
    return zone.get(name) ?? zone.get(`*.${above}`)?.map(record => ({ ...record, name }))
  }

  function lookUp(name: string, type: string, depth = 0): packet.Answer[] {
    const records = recordsOf(name) ?? []
    const alias = records.find(record => record.type === 'CNAME')
    const flattened = records.find(record => ['ALIAS', 'ANAME'].includes(record.type))
    // Answer an ALIAS with the addresses of its target.
    if (flattened && (type === 'A' || type === 'AAAA') && depth < 8) {
      const led = lookUp(dataOf(flattened), type, depth + 1)
      return led.filter(record => record.type === type).map(record => ({ ...record, name }))
    }
    if (!alias || type === 'CNAME') return records.filter(record => record.type === type)
    const further = depth < 8 ? lookUp(dataOf(alias), type, depth + 1) : []
    return [alias, ...records.filter(record => record.type === type), ...further]
  }

  const udp = createSocket('udp4')
  udp.on('message', (message, from) => {
    const reply = answer(message, false)
    if (reply) udp.send(encodeReply(reply, packet.encode), from.port, from.address)
  })
  const tcp = createServer(socket => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (data: Buffer) => {
      const reply = answer(data.subarray(2), true)
      if (reply) socket.end(encodeReply(reply, packet.streamEncode))
      else socket.destroy()
    })
  })
  await new Promise<void>(resolve => tcp.listen(port, address, resolve))
  const bound = (tcp.address() as AddressInfo).port
  await new Promise<void>(resolve => udp.bind(bound, address, resolve))

  function setZone(newLines: ZoneLine[]) {
    zone.clear()
    for (const line of newLines) {
      // The store shows records with final dots, TTL and class: `www.shop.test. 3600 IN CNAME acme.animals.localhost.`
      const [, owner = '', type = '', data = ''] = lineShape.exec(line.trim()) ?? []
      const name = withoutDot(owner.toLowerCase())
      zone.set(name, [...(zone.get(name) ?? []), readRecord(name, type, data.split(/\s+/))])
    }
  }
  setZone(lines)

  return {
    address,
    port: bound,
    at: `${address}:${bound}`,
    received,
    setZone,
    misbehave: (name, how) => void trouble.set(name, how),
    async stop() {
      udp.close()
      await new Promise(resolve => tcp.close(resolve))
    },
  }
}

/** Returns null for bytes that are no DNS message, which browsers and port scanners send. */
function readQuery(message: Buffer): packet.DecodedPacket | null {
  try {
    return packet.decode(message)
  } catch {
    return null
  }
}

/** Answers SERVFAIL for a line whose type or data this server cannot write. */
function encodeReply(reply: packet.Packet, encode: (reply: packet.Packet) => Buffer): Buffer {
  try {
    return encode(reply)
  } catch {
    return encode({
      ...reply,
      flags: packet.AUTHORITATIVE_ANSWER | (rcodes.SERVFAIL ?? 2),
      answers: [],
    })
  }
}

const withoutDot = (name: string) => name.replace(/\.$/, '')
const dataOf = (record: packet.Answer) =>
  'data' in record ? withoutDot(String(record.data).toLowerCase()) : ''

const rcodes: Record<string, number> = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }

/** Skips a TTL and a class. */
const lineShape = /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?(\S+)\s*(.*)$/

function readRecord(name: string, type: string, rest: string[]): packet.Answer {
  if (type !== 'CAA') return { name, type, ttl: 60, data: rest.join(' ') } as packet.Answer
  const [flags = '0', tag = 'issue', ...value] = rest
  const data = { issuerCritical: flags === '128', tag, value: value.join(' ').replaceAll('"', '') }
  return { name, type, ttl: 60, data } as packet.Answer
}
