import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import * as packet from 'dns-packet'

export type DnsServer = { address: string; port: number }
export type DnsType = 'A' | 'AAAA' | 'CNAME' | 'NS' | 'CAA' | 'TXT'
/** `unchecked`: a validating resolver shall answer even if the DNSSEC signatures are wrong. */
export type DnsQuestion = { name: string; type: DnsType; recursive: boolean; unchecked?: boolean }
/** A CAA record keeps its three fields; all other records are read as one text. */
export type DnsRecord = { name: string; type: string; value: string; caa?: CaaFields }
export type CaaFields = { critical: boolean; tag: string; value: string }
/** `authority`: NS records of a delegation, or the zone's SOA record. `additional`: the servers' addresses. */
export type DnsReply = {
  code: string
  authoritative: boolean
  records: DnsRecord[]
  authority: DnsRecord[]
  additional: DnsRecord[]
}

const sendAgainMs = 500

const acceptLargeAnswers: packet.OptAnswer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: 1232,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
}

/** Sends one question to one server by UDP, and again by TCP if the answer was truncated. Throws without an answer. */
export async function askServer(
  server: DnsServer,
  question: DnsQuestion,
  timeoutMs: number,
): Promise<DnsReply> {
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)))
  const reply = await askOnce(server, makeQuery(question, [acceptLargeAnswers]), signal)
  // A server without EDNS rejects a question that has an OPT record (RFC 6891, section 7). So ask the question again
  // without the OPT record.
  return rejectsEdns.has(reply.code) ? askOnce(server, makeQuery(question, []), signal) : reply
}

const rejectsEdns = new Set(['FORMERR', 'NOTIMP'])

function makeQuery(question: DnsQuestion, additionals: packet.Answer[]): packet.Packet {
  const { name, type, recursive, unchecked = false } = question
  return {
    type: 'query',
    // A random number and a fresh port for each question make answers hard to forge.
    id: randomInt(0x10000),
    flags: (recursive ? packet.RECURSION_DESIRED : 0) | (unchecked ? packet.CHECKING_DISABLED : 0),
    questions: [{ type, name }],
    additionals,
  }
}

async function askOnce(server: DnsServer, query: packet.Packet, signal: AbortSignal): Promise<DnsReply> {
  const short = await askByUdp(server, query, signal)
  return read(short.flag_tc ? await askByTcp(server, query, signal) : short)
}

function askByUdp(server: DnsServer, query: packet.Packet, signal: AbortSignal) {
  const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4')
  const send = () => socket.send(packet.encode(query))
  let sendingAgain: NodeJS.Timeout | undefined
  const answered = new Promise<packet.DecodedPacket>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('timed out')))
    socket.on('error', reject)
    socket.on('message', message => {
      const reply = readReply(message, query)
      if (reply) resolve(reply)
    })
    socket.once('connect', () => {
      send()
      // Datagrams may get lost, so send a second one.
      sendingAgain = setTimeout(send, sendAgainMs)
    })
    // A connected socket receives datagrams from this server only. Pass no callback: if the connection failed, Node.js
    // would call the callback instead of emitting 'error'.
    socket.connect(server.port, server.address)
  })
  return answered.finally(() => {
    clearTimeout(sendingAgain)
    socket.close()
  })
}

function askByTcp(server: DnsServer, query: packet.Packet, signal: AbortSignal) {
  const socket = connect({ host: server.address, port: server.port })
  const answered = new Promise<packet.DecodedPacket>((resolve, reject) => {
    let length: number | null = null
    signal.addEventListener('abort', () => reject(new Error('timed out')))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('closed the connection')))
    socket.on('readable', () => {
      length ??= (socket.read(2) as Buffer | null)?.readUInt16BE(0) ?? null
      const message: Buffer | null = length === null ? null : socket.read(length)
      // When the connection ends early, read() returns only part of the message.
      if (!message || message.length !== length) return
      const reply = readReply(message, query)
      if (reply) resolve(reply)
      else reject(new Error('answered with something that cannot be read'))
    })
    socket.on('connect', () => socket.write(packet.streamEncode(query)))
  })
  return answered.finally(() => socket.destroy())
}

/**
 * Longer than the records of any name that we query. Each record's name may be a chain of pointers through the rest of
 * the message, so decoding takes quadratic time: 3 ms for this length, 200 ms for the 64 KiB that TCP allows.
 */
const longestReply = 8 * 1024

/** Returns null if the message does not answer our query. */
export function readReply(message: Buffer, query: packet.Packet): packet.DecodedPacket | null {
  if (message.length > longestReply) return null
  try {
    const reply = packet.decode(message)
    const sent = query.questions?.[0]
    const repeated = reply.questions?.[0]
    const ours =
      reply.type === 'response' &&
      reply.id === query.id &&
      repeated?.type === sent?.type &&
      repeated?.name.toLowerCase() === sent?.name.toLowerCase()
    return ours ? reply : null
  } catch {
    // A datagram that cannot be parsed is no answer; the real answer may still come.
    return null
  }
}

function read(reply: packet.DecodedPacket): DnsReply {
  const code = (reply as packet.DecodedPacket & { rcode: string }).rcode
  const readAll = (answers: packet.Answer[] = []) => answers.flatMap(answer => readRecord(answer) ?? [])
  return {
    code,
    authoritative: reply.flag_aa,
    records: readAll(reply.answers),
    authority: readAll(reply.authorities),
    additional: readAll(reply.additionals),
  }
}

function readRecord(answer: packet.Answer): DnsRecord | null {
  const name = printable(answer.name).toLowerCase().replace(/\.$/, '')
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return { name, type: answer.type, value: answer.data }
    case 'CNAME':
    case 'NS':
      return { name, type: answer.type, value: printable(answer.data).toLowerCase().replace(/\.$/, '') }
    case 'SOA':
      return { name, type: 'SOA', value: printable(answer.data.mname).toLowerCase() }
    case 'TXT': {
      // One record may be cut into several strings of 255 bytes each (RFC 1035, 3.3.14).
      const text = Array.isArray(answer.data) ? answer.data.map(String).join('') : String(answer.data)
      return { name, type: 'TXT', value: printable(text) }
    }
    case 'CAA': {
      const { issuerCritical, tag, value } = answer.data
      const caa = { critical: issuerCritical ?? false, tag: printable(tag), value: printable(value) }
      return { name, type: 'CAA', value: `${caa.critical ? 128 : 0} ${caa.tag} "${caa.value}"`, caa }
    }
    default:
      return null
  }
}

// Makes text from a remote server safe to show and to store, whatever bytes it holds.
function printable(text: string): string {
  return text.slice(0, 255).replace(/[\p{Cc}\p{Cs}\ufffd]/gu, '?')
}
