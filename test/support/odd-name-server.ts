import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import * as packet from 'dns-packet'
import type { OddBehaviour } from './dns-world.ts'

/** Starts a name server on port 53 with one fault, or with records that a correct server refuses to load. */
export async function startOddServer(address: string, how: OddBehaviour, lines: string[]): Promise<void> {
  const records = lines.map(line => {
    const [name = '', type = '', ...data] = line.split(' ')
    return { name, type, ttl: 60, data: data.join(' ') } as packet.Answer
  })
  const respond = (message: Buffer, overTcp: boolean): packet.Packet | null => {
    const query = packet.decode(message)
    const [question] = query.questions ?? []
    if (!question || how === 'silent') return null
    const repeated =
      how === 'upper-cases names' ? { ...question, name: question.name.toUpperCase() } : question
    const base = { type: 'response' as const, id: query.id ?? 0, questions: [repeated] }
    if (how === 'refused') return { ...base, flags: 5 }
    if (how === 'servfail') return { ...base, flags: 2 }
    const hasEdns = query.additionals?.some(({ type }) => type === 'OPT')
    if (how === 'rejects EDNS' && hasEdns) return { ...base, flags: 1 }
    if (how === 'answers over TCP only' && !overTcp) {
      return { ...base, flags: packet.AUTHORITATIVE_ANSWER | packet.TRUNCATED_RESPONSE }
    }
    const answers = records.filter(
      ({ name, type }) => name === question.name.toLowerCase() && type === question.type,
    )
    return {
      ...base,
      flags: how === 'not authoritative' ? 0 : packet.AUTHORITATIVE_ANSWER,
      answers:
        how === 'upper-cases names'
          ? answers.map(one => ({ ...one, name: one.name.toUpperCase() }))
          : answers,
    }
  }

  const udp = createSocket('udp4')
  udp.on('message', (message, from) => {
    const reply = respond(message, false)
    if (reply) udp.send(packet.encode(reply), from.port, from.address)
  })
  udp.bind(53, address)
  await once(udp, 'listening')
  const tcp = createServer(socket => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (data: Buffer) => {
      const reply = respond(data.subarray(2), true)
      if (reply) socket.end(packet.streamEncode(reply))
    })
  })
  tcp.listen(53, address)
  await once(tcp, 'listening')
}
