import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import * as packet from 'dns-packet'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDns } from '../../src/hosting/dns.ts'
import { askServer, type DnsServer } from '../../src/hosting/dns-question.ts'
import { startNameServer } from '../../src/practice/name-server.ts'

const name = 'www.shop.test'
const soon = () => performance.now() + 4_500

type Saying = { name: string; type: string }
/**
 * Starts a server that answers as `answer` says, or not at all if `answer` returns null. The answers are not
 * authoritative unless `answer` says so.
 */
async function startServer(answer: (question: Saying, received: Saying[]) => Partial<packet.Packet> | null) {
  const socket = createSocket('udp4')
  const received: Saying[] = []
  socket.on('message', (message, { port, address }) => {
    const { id = 0, questions = [] } = packet.decode(message)
    const [question = { name: '', type: 'A' }] = questions
    received.push({ name: question.name, type: question.type })
    const reply = answer(question, received)
    if (reply) socket.send(packet.encode({ type: 'response', id, questions, ...reply }), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { ...(socket.address() as DnsServer), received }
}
const record = (line: string) => {
  const [name = '', type = '', data = ''] = line.split(' ')
  return { name, type, ttl: 60, data } as packet.Answer
}
const SERVFAIL = { flags: 2 } as const

describe('resolvers', () => {
  test("a resolver's answer counts although it is not authoritative", async () => {
    const resolver = await startServer(() => ({ answers: [record(`${name} A 93.184.216.7`)] }))

    const answer = await openDns([resolver]).startLookup(soon()).resolve(name, 'A')

    expect(answer).toEqual({ reached: true, records: [{ name, type: 'A', value: '93.184.216.7' }] })
  })

  test('the next resolver is asked if one fails', async () => {
    const broken = await startServer(() => SERVFAIL)
    const well = await startServer(() => ({ answers: [record(`${name} A 93.184.216.7`)] }))

    expect(await openDns([broken, well]).startLookup(soon()).resolve(name, 'A')).toMatchObject({
      reached: true,
    })
    expect(await openDns([broken, broken]).startLookup(soon()).resolve(name, 'A')).toEqual({
      reached: false,
      why: 'the resolver answered SERVFAIL',
    })
    expect(await openDns([]).startLookup(soon()).resolve(name, 'A')).toEqual({
      reached: false,
      why: 'there is no resolver to ask',
    })
  })

  test('a resolver is not asked after the deadline', async () => {
    const resolver = await startServer(() => ({}))

    expect(
      await openDns([resolver])
        .startLookup(performance.now() - 1)
        .resolve(name, 'A'),
    ).toEqual({
      reached: false,
      why: 'the resolver did not answer in time',
    })
    expect(resolver.received).toEqual([])
  })

  test('a silent resolver is waited for until the deadline', async () => {
    const silent = await startServer(() => null)
    const ended: string[] = []

    await Promise.all([
      openDns([silent])
        .startLookup(performance.now() + 50)
        .resolve(name, 'A')
        .then(({ reached }) => ended.push(`in time: ${reached}`)),
      askServer(silent, { name, type: 'A', recursive: true }, 500).catch(() => ended.push('later')),
    ])

    expect(ended).toEqual(['in time: false', 'later'])
  })
})

const led = (lines: string[]) => (question: Saying) => {
  const answers = lines.map(record).filter(one => one.name === question.name && one.type === question.type)
  return { answers, flags: packet.AUTHORITATIVE_ANSWER }
}
const lookup = (resolvers: DnsServer[], ownSuffixes: string[] = []) =>
  openDns(resolvers, ownSuffixes).startLookup(soon())

describe('the zone of a name', () => {
  test('the search for the zone of a name begins at the zone of the registry and asks for the name itself last', async () => {
    const resolver = await startServer(led(['shop.co.uk NS ns1.shop.test', 'ns1.shop.test A 10.0.0.1']))

    await lookup([resolver]).findZone('a.www.shop.co.uk')

    const received = resolver.received.filter(({ type }) => type === 'NS').map(one => one.name)
    expect(received).toEqual(['co.uk', 'shop.co.uk', 'www.shop.co.uk', 'a.www.shop.co.uk'])
  })

  test('the search for a zone asks for at most eight names and begins with the highest name', async () => {
    const resolver = await startServer(led([]))

    await lookup([resolver]).findZone('a.b.c.d.e.f.g.h.i.j.shop.test')

    expect(resolver.received.map(one => one.name)).toHaveLength(8)
    expect(resolver.received[0]?.name).toBe('test')
  })

  test('the search for a zone below a domain suffix of the operator begins at that suffix and not at a higher name', async () => {
    const resolver = await startServer(led([]))

    const zone = await lookup([resolver], ['corp.example.com']).findZone('shop.corp.example.com')

    expect(resolver.received.map(one => one.name)).toEqual(['corp.example.com', 'shop.corp.example.com'])
    expect(zone).toEqual({ reached: true, name: null, exists: true, servers: null })
  })

  test("a zone is found by the resolvers if the registry's servers have no address", async () => {
    const own = await startNameServer([`${name} A 93.184.216.7`], 0, '127.0.0.2')
    onTestFinished(() => own.stop())
    const resolver = await startServer(
      led(['test NS a.nic.test', 'shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.2']),
    )

    expect(await lookup([resolver, own]).findZone(name)).toMatchObject({
      ...{ reached: true, name: 'shop.test' },
      servers: [{ name: 'ns1.shop.test', addresses: [{ address: '127.0.0.2', port: own.port }] }],
    })
  })

  test('a zone whose name servers do not answer counts as unreachable, and the error names each of these servers', async () => {
    const resolver = await startServer(
      led([
        'shop.test NS a.ns.test',
        'shop.test NS b.ns.test',
        'a.ns.test A 127.0.0.2',
        'b.ns.test A 127.0.0.3',
      ]),
    )
    const gone = await startNameServer()
    await gone.stop()
    const servers = ['127.0.0.2', '127.0.0.3'].map(address => ({ address, port: gone.port }))

    const answer = await lookup([resolver, ...servers]).askZone(name, ['A'])

    expect(answer).toMatchObject({
      reached: false,
      why: expect.stringContaining('a.ns.test cannot be reached'),
    })
    expect(answer).toMatchObject({ why: expect.stringContaining('b.ns.test cannot be reached') })
  })
})

describe('the name servers of a zone', () => {
  test('at most thirteen name servers of a zone are queried, sorted by name', async () => {
    const hosts = Array.from({ length: 15 }, (_, n) => `${String.fromCharCode(97 + n)}.ns.test`)
    const resolver = await startServer(led(hosts.map(host => `shop.test NS ${host}`)))

    expect(await lookup([resolver]).askZone(name, ['A'])).toEqual({
      reached: false,
      why: 'the name servers of shop.test (a.ns.test, b.ns.test, c.ns.test, d.ns.test) have no address',
    })

    const received = new Set(
      resolver.received.filter(one => one.name.endsWith('.ns.test')).map(one => one.name),
    )
    expect([...received].sort()).toEqual(hosts.slice(0, 13))
  })

  test('every name server of a zone is queried, each at its first address that answers', async () => {
    const records = [`${name} A 93.184.216.7`]
    const [first, second] = [
      await startNameServer(records, 0, '127.0.0.2'),
      await startNameServer([], 0, '127.0.0.3'),
    ]
    onTestFinished(async () => void (await Promise.all([first.stop(), second.stop()])))
    const resolver = await startServer(
      led([
        ...['shop.test NS a.ns.test', 'shop.test NS b.ns.test', 'shop.test NS c.ns.test'],
        ...[
          'a.ns.test A 127.0.0.4',
          'a.ns.test A 127.0.0.2',
          'b.ns.test A 127.0.0.3',
          'c.ns.test A 10.0.0.1',
        ],
      ]),
    )
    const silent = { address: '127.0.0.4', port: first.port }

    expect(await lookup([resolver, first, second, silent]).askZone(name, ['A'])).toMatchObject({
      answers: [
        { server: 'a.ns.test', records: [{ value: '93.184.216.7' }] },
        { server: 'b.ns.test', records: [] },
      ],
      silent: ['c.ns.test'],
    })
  })

  test('if the lookup of one record type of a zone fails, the zone counts as unreachable for all queried record types', async () => {
    const resolver = await startServer(({ type }) =>
      type === 'AAAA' ? SERVFAIL : { answers: [record(`${name} A 93.184.216.7`)] },
    )

    expect(await lookup([resolver]).askZone(name, ['A', 'AAAA'])).toEqual({
      reached: false,
      why: 'the resolver answered SERVFAIL',
    })
    expect(await lookup([resolver]).askZone(name, ['A', 'CNAME'])).toMatchObject({ reached: true })
  })

  test('the resolvers are asked about a name if its name servers cannot be found', async () => {
    const resolver = await startServer(({ type }) => ({
      answers: type === 'TXT' ? [record(`${name} TXT x`)] : [],
    }))

    expect(await lookup([resolver]).askZone(name, ['TXT'])).toMatchObject({
      reached: true,
      answers: [{ server: 'the resolver', records: [{ name, type: 'TXT', value: 'x' }] }],
    })
  })
})
