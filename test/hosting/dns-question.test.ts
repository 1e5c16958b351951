import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import * as packet from 'dns-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askServer } from '../../src/hosting/dns-question.ts'

const question = { name: 'www.shop.test', type: 'CNAME', recursive: true } as const
let server: Socket
let answers: (query: packet.DecodedPacket) => packet.Packet[]

beforeAll(async () => {
  server = createSocket('udp4')
  server.on('message', (message, from) => {
    for (const answer of answers(packet.decode(message)))
      server.send(packet.encode(answer), from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const leadsTo = (
  data: string,
  query: packet.DecodedPacket,
  differs: Partial<packet.Packet> = {},
): packet.Packet => ({
  type: 'response',
  id: query.id ?? 0,
  questions: query.questions ?? [],
  answers: [{ type: 'CNAME', name: 'www.shop.test', ttl: 60, data }],
  ...differs,
})

test.each<[string, (query: packet.DecodedPacket) => Partial<packet.Packet>]>([
  ['with another id', query => ({ id: ((query.id ?? 0) + 1) % 0x10000 })],
  ['to a question for another name', () => ({ questions: [{ type: 'CNAME', name: 'www.zoo.test' }] })],
  ['to a question for another type', () => ({ questions: [{ type: 'A', name: 'www.shop.test' }] })],
  ['to no question', () => ({ questions: [] })],
  ['that is a question itself', () => ({ type: 'query' })],
])('a reply %s is ignored, and the right one after it is used', async (_, differs) => {
  answers = query => [leadsTo('evil.test', query, differs(query)), leadsTo('acme.animals.test', query)]

  const { address, port } = server.address()
  const { records } = await askServer({ address, port }, question, 5_000)

  expect(records).toEqual([{ name: 'www.shop.test', type: 'CNAME', value: 'acme.animals.test' }])
})

test('a query to a DNS server that cannot be reached fails without ending the process', async () => {
  // Connecting a socket to the broadcast address fails at once.
  const asked = askServer({ address: '255.255.255.255', port: 53 }, question, 5_000)

  await expect(asked).rejects.toMatchObject({ code: expect.stringMatching(/^(EACCES|ENETUNREACH)$/) })
})
