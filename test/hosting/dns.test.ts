import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import * as packet from 'dns-packet'
import { expect, onTestFinished, test } from 'vitest'
import { openDns } from '../../src/hosting/dns.ts'
import { askServer } from '../../src/hosting/dns-question.ts'
import { startNameServer } from '../../src/practice/name-server.ts'
import { freePort } from '../support/programs.ts'

const soon = () => performance.now() + 4_500
const found = { reached: true, records: [{ name: 'www.shop.test', type: 'A', value: '93.184.216.7' }] }

test('DNS lookups still work after very many failed questions at once', async () => {
  const port = await freePort()
  const dns = openDns([{ address: '127.0.0.1', port }])
  const ask = () => dns.startLookup(soon()).resolve('www.shop.test', 'A')

  const answers = await Promise.all(Array.from({ length: 250 }, ask))
  const back = await startNameServer(['www.shop.test A 93.184.216.7'], port)
  onTestFinished(() => back.stop())

  expect(answers.filter(({ reached }) => reached)).toEqual([])
  expect(await ask()).toEqual(found)
})

test('a silent DNS server leaves time to query the next server', async () => {
  const silent = await startNameServer([], 0, '127.0.0.2')
  silent.misbehave('shop.test', 'silence')
  const next = await startNameServer(['www.shop.test A 93.184.216.7'])
  onTestFinished(async () => void (await Promise.all([silent.stop(), next.stop()])))

  const dns = openDns([silent, next])

  expect(await dns.startLookup(soon()).resolve('www.shop.test', 'A')).toEqual(found)
})

test('a server that is not authoritative cannot prove that a record does not exist', async () => {
  const lame = createSocket('udp4')
  lame.on('message', (message, { port, address }) => {
    const { id, questions } = packet.decode(message)
    lame.send(packet.encode({ type: 'response', id: id ?? 0, questions: questions ?? [] }), port, address)
  })
  lame.bind(0, '127.0.0.3')
  await once(lame, 'listening')
  const zone = ['shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.3']
  const resolver = await startNameServer(zone)
  onTestFinished(async () => {
    lame.close()
    await resolver.stop()
  })

  const dns = openDns([resolver, lame.address()])

  expect(await dns.startLookup(soon()).askZone('www.shop.test', ['CNAME'])).toEqual({
    reached: false,
    why: 'ns1.shop.test is not authoritative for the zone',
  })
})

/** Starts a server that answers "truncated" over UDP. Over TCP, `send` writes the bytes of the reply to the socket. */
async function startLargeServer(send: (socket: Socket, bytes: Buffer) => void) {
  const answerTo = ({ id, questions }: packet.Packet, more: Partial<packet.Packet>): packet.Packet => ({
    ...{ type: 'response', id: id ?? 0, questions: questions ?? [] },
    ...more,
  })
  const tcp = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', (data: Buffer) => {
      const answers = [{ type: 'A', name: 'www.shop.test', ttl: 60, data: '93.184.216.7' }] as packet.Answer[]
      send(socket, packet.streamEncode(answerTo(packet.streamDecode(data), { answers })))
    })
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as { port: number }
  const udp = createSocket('udp4')
  udp.on('message', (message, from) => {
    const cut = answerTo(packet.decode(message), { flags: packet.TRUNCATED_RESPONSE })
    udp.send(packet.encode(cut), from.port, from.address)
  })
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  onTestFinished(() => {
    udp.close()
    tcp.close()
  })
  return { address: '127.0.0.1', port }
}

test.each<[string, (socket: Socket, bytes: Buffer) => void | Promise<void>]>([
  ['in one piece', (socket, bytes) => void socket.write(bytes)],
  [
    'in several pieces',
    async (socket, bytes) => {
      socket.setNoDelay(true)
      for (const byte of bytes) {
        socket.write(Buffer.from([byte]))
        await setTimeout(1)
      }
    },
  ],
])('a truncated reply is read again over TCP, %s', async (_, send) => {
  const server = await startLargeServer(send)

  const reply = await askServer(server, { name: 'www.shop.test', type: 'A', recursive: true }, 4_000)

  expect(reply.records).toEqual(found.records)
})

test.each<[string, (socket: Socket, bytes: Buffer) => void, string]>([
  ['breaks off', (socket, bytes) => void socket.end(bytes.subarray(0, 20)), 'closed the connection'],
  [
    'cannot be read',
    (socket, bytes) =>
      void socket.write(Buffer.concat([bytes.subarray(0, 2), Buffer.alloc(bytes.length - 2)])),
    'cannot be read',
  ],
])('a TCP reply that %s counts as no answer', async (_, send, why) => {
  const server = await startLargeServer(send)

  const asking = askServer(server, { name: 'www.shop.test', type: 'A', recursive: true }, 4_000)

  await expect(asking).rejects.toThrow(why)
  expect(await openDns([server]).startLookup(soon()).resolve('www.shop.test', 'A')).toEqual({
    reached: false,
    why: 'the resolver gave no readable answer',
  })
})
