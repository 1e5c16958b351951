import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type Socket as Connection, createServer } from 'node:net'
import * as packet from 'dns-packet'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { askServer } from '../../src/hosting/dns-question.ts'

const name = 'www.shop.test'
const question = { name, type: 'TXT', recursive: true } as const
let server: Socket
let received: packet.DecodedPacket[]
let answers: packet.Answer[]
/** The name that the reply repeats from the question. */
let repeated: string

beforeAll(async () => {
  server = createSocket('udp4')
  server.on('message', (message, from) => {
    const query = packet.decode(message)
    received.push(query)
    const questions = (query.questions ?? []).map(one => ({ ...one, name: repeated }))
    const reply: packet.Packet = { type: 'response', id: query.id ?? 0, questions, answers }
    server.send('no answer at all', from.port, from.address)
    server.send(packet.encode(reply), from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())
beforeEach(() => {
  ;[received, answers, repeated] = [[], [], name]
})

const ask = (more: Partial<Parameters<typeof askServer>[1]> = {}) => {
  const { address, port } = server.address()
  return askServer({ address, port }, { ...question, ...more }, 5_000)
}
const openSockets = () => process.getActiveResourcesInfo().filter(one => one === 'UDPWrap').length

test('DNS queries have unpredictable ids and leave no socket open', async () => {
  const before = openSockets()

  for (let n = 0; n < 12; n++) await ask()

  expect(new Set(received.map(({ id }) => id)).size).toBeGreaterThan(6)
  await expect.poll(openSockets).toBeLessThanOrEqual(before)
})

test('DNS queries request recursion from resolvers only, and allow every server replies of up to 1,232 bytes', async () => {
  await ask({ recursive: true })
  await ask({ recursive: false })

  expect(received.map(query => query.flag_rd)).toEqual([true, false])
  for (const { additionals } of received)
    expect(additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232 }])
})

test('a DNS reply may repeat the name of the query in any case', async () => {
  repeated = 'WWW.Shop.TEST'
  answers = [{ type: 'TXT', name, data: 'x' }]

  expect((await ask()).records).toHaveLength(1)
})

test('DNS records are converted to one spelling, and records of other types are skipped', async () => {
  answers = [
    { type: 'A', name: 'WWW.Shop.Test', data: '93.184.216.7' },
    { type: 'AAAA', name, data: '2606:2800::ABCD' },
    { type: 'CNAME', name, data: 'Other.Example' },
    { type: 'NS', name, data: 'NS1.Example' },
    { type: 'TXT', name, data: ['One ', 'Two'] },
    {
      type: 'CAA',
      name,
      data: { issuerCritical: true, tag: 'issue', value: 'CA.example' } as packet.CaaData,
    },
    { type: 'CAA', name, data: { tag: 'iodef', value: 'x' } as packet.CaaData },
    { type: 'MX', name, data: { preference: 10, exchange: 'mail.shop.test' } },
  ]

  const { records } = await ask()

  expect(records).toEqual([
    { name, type: 'A', value: '93.184.216.7' },
    { name, type: 'AAAA', value: '2606:2800::abcd' },
    { name, type: 'CNAME', value: 'other.example' },
    { name, type: 'NS', value: 'ns1.example' },
    { name, type: 'TXT', value: 'One Two' },
    {
      ...{ name, type: 'CAA', value: '128 issue "CA.example"' },
      caa: { critical: true, tag: 'issue', value: 'CA.example' },
    },
    { ...{ name, type: 'CAA', value: '0 iodef "x"' }, caa: { critical: false, tag: 'iodef', value: 'x' } },
  ])
})

test('text from a remote server is shortened and loses its control characters', async () => {
  const odd = 'a\u0007b\u001b[31m\ufffdc'
  answers = [
    { type: 'TXT', name, data: odd },
    { type: 'TXT', name, data: ['x'.repeat(200), 'y'.repeat(200)] },
    { type: 'CAA', name, data: { tag: 'issue', value: odd } as packet.CaaData },
  ]

  const values = (await ask()).records.map(({ value }) => value)

  expect(values).toEqual(['a?b?[31m?c', `${'x'.repeat(200)}${'y'.repeat(55)}`, '0 issue "a?b?[31m?c"'])
})

test('a name server with an IPv6 address is queried', async ({ skip }) => {
  const six = createSocket('udp6')
  onTestFinished(() => void six.close())
  six.on('message', (message, { port, address }) => {
    const { id, questions } = packet.decode(message)
    const reply: packet.Packet = { type: 'response', id: id ?? 0, questions: questions ?? [], answers }
    six.send(packet.encode(reply), port, address)
  })
  const bound = once(six, 'listening')
  six.bind(0, '::1')
  if (!(await bound.then(() => true).catch(() => false))) return skip('This machine has no IPv6.')
  answers = [{ type: 'TXT', name, data: 'six' }]

  const { records } = await askServer({ address: '::1', port: six.address().port }, question, 5_000)

  expect(records).toEqual([{ name, type: 'TXT', value: 'six' }])
})

/** Starts a server that answers "truncated" over UDP. Over TCP, `send` answers the question. */
async function startLarge(send: (socket: Connection, query: packet.DecodedPacket) => void) {
  const ended = Promise.withResolvers<void>()
  const tcp = createServer(socket => {
    socket.on('error', () => {}).on('close', () => ended.resolve())
    socket.once('data', (data: Buffer) => send(socket, packet.streamDecode(data) as packet.DecodedPacket))
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as { port: number }
  const udp = createSocket('udp4')
  udp.on('message', (message, from) => {
    const { id = 0, questions = [] } = packet.decode(message)
    const cut: packet.Packet = { type: 'response', id, questions, flags: packet.TRUNCATED_RESPONSE }
    udp.send(packet.encode(cut), from.port, from.address)
  })
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  onTestFinished(() => {
    udp.close()
    tcp.close()
  })
  return { server: { address: '127.0.0.1', port }, ended: ended.promise }
}

test('the TCP connection is closed once the large reply is read', async () => {
  const { server, ended } = await startLarge((socket, { id = 0, questions = [] }) => {
    socket.write(packet.streamEncode({ type: 'response', id, questions, answers: [] }))
  })

  await askServer(server, question, 5_000)

  await ended
})

test('a server that is silent over TCP is waited for until the timeout', async () => {
  const { server } = await startLarge(() => {})

  await expect(askServer(server, question, 300)).rejects.toThrow('timed out')
})
