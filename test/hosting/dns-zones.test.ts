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
/** A server that is in charge of nothing, unless it says so, and answers each question as the test wishes; null is silence. */
async function startServer(answer: (question: Saying, asked: Saying[]) => Partial<packet.Packet> | null) {
  const socket = createSocket('udp4')
  const asked: Saying[] = []
  socket.on('message', (message, { port, address }) => {
    const { id = 0, questions = [] } = packet.decode(message)
    const [question = { name: '', type: 'A' }] = questions
    asked.push({ name: question.name, type: question.type })
    const reply = answer(question, asked)
    if (reply) socket.send(packet.encode({ type: 'response', id, questions, ...reply }), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { ...(socket.address() as DnsServer), asked }
}
const record = (line: string) => {
  const [name = '', type = '', data = ''] = line.split(' ')
  return { name, type, ttl: 60, data } as packet.Answer
}
const SERVFAIL = { flags: 2 } as const

describe('a resolver', () => {
  test('is believed, though it is in charge of no zone', async () => {
    const resolver = await startServer(() => ({ answers: [record(`${name} A 93.184.216.7`)] }))

    const answer = await openDns([resolver]).resolve(name, 'A', soon())

    expect(answer).toEqual({ reached: true, records: [{ name, type: 'A', value: '93.184.216.7' }] })
  })

  test('that has trouble is not the last one that is asked', async () => {
    const broken = await startServer(() => SERVFAIL)
    const well = await startServer(() => ({ answers: [record(`${name} A 93.184.216.7`)] }))

    expect(await openDns([broken, well]).resolve(name, 'A', soon())).toMatchObject({ reached: true })
    expect(await openDns([broken, broken]).resolve(name, 'A', soon())).toEqual({
      reached: false,
      why: '127.0.0.1 answered SERVFAIL',
    })
    expect(await openDns([]).resolve(name, 'A', soon())).toEqual({
      reached: false,
      why: 'there is no name server to ask',
    })
  })

  test('is not asked any more once the time is over', async () => {
    const resolver = await startServer(() => ({}))

    expect(await openDns([resolver]).resolve(name, 'A', performance.now() - 1)).toEqual({
      reached: false,
      why: 'the name servers did not answer in time',
    })
    expect(resolver.asked).toEqual([])
  })

  test('that is silent is waited for no longer than there is time', async () => {
    const silent = await startServer(() => null)
    const ended: string[] = []

    await Promise.all([
      openDns([silent])
        .resolve(name, 'A', performance.now() + 50)
        .then(({ reached }) => ended.push(`in time: ${reached}`)),
      askServer(silent, { name, type: 'A', recursive: true }, 500).catch(() => ended.push('later')),
    ])

    expect(ended).toEqual(['in time: false', 'later'])
  })

  test('gets a hundred questions at once, and the others as these are answered', { retry: 2 }, async () => {
    const held: (() => void)[] = []
    const socket = createSocket('udp4')
    socket.on('message', (message, { port, address }) => {
      const { id = 0, questions = [] } = packet.decode(message)
      held.push(() => socket.send(packet.encode({ type: 'response', id, questions }), port, address))
    })
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    onTestFinished(() => void socket.close())
    const dns = openDns([socket.address() as DnsServer])

    const asking = Array.from({ length: 130 }, () => dns.resolve(name, 'A', soon()))
    await expect.poll(() => held.length).toBe(100)
    for (const answer of held.splice(0)) answer()
    await expect.poll(() => held.length).toBe(30)
    for (const answer of held.splice(0)) answer()

    expect((await Promise.all(asking)).filter(({ reached }) => !reached)).toEqual([])
  })
})

describe('the name servers of a name', () => {
  const serverNames = (lines: string[], of = name) =>
    startServer(question => ({
      answers: lines.map(record).filter(one => one.name === question.name || one.name.startsWith('edge.')),
    })).then(resolver => openDns([resolver]).findNameServers(of, soon()))

  test('are those of the nearest zone above it, and none of what an alias leads to', async () => {
    const zones = ['shop.test NS ns1.shop.test', 'shop.test NS ns2.shop.test', 'test NS a.nic.test']

    expect(await serverNames(zones)).toEqual(['ns1.shop.test', 'ns2.shop.test'])
    expect(
      await serverNames([...zones, `${name} CNAME edge.zone.test`, 'edge.zone.test NS ns.evil.test']),
    ).toEqual(['ns1.shop.test', 'ns2.shop.test'])
    expect(await serverNames([...zones, `${name} NS ns.www.test`])).toEqual(['ns.www.test'])
    // Of what lies at the top nobody is asked.
    expect(await serverNames(['test NS a.nic.test'])).toEqual([])
  })

  test('are nobody’s where a zone between cannot be read, whatever its parent says', async () => {
    const resolver = await startServer(question =>
      question.name === name ? SERVFAIL : { answers: [record('shop.test NS ns1.shop.test')] },
    )
    const dns = openDns([resolver])

    expect(await dns.findNameServers(name, soon())).toEqual([])
    expect(await dns.askZone(name, ['A'], soon())).toEqual({
      reached: false,
      why: '127.0.0.1 answered SERVFAIL',
    })
  })

  test('are looked for at eight names at most, the highest ones', async () => {
    const resolver = await startServer(() => ({ answers: [record('shop.test NS ns1.shop.test')] }))
    const deep = 'a.b.c.d.e.f.g.h.i.j.shop.test'

    expect(await openDns([resolver]).findNameServers(deep, soon())).toEqual(['ns1.shop.test'])

    expect(resolver.asked.map(one => one.name).sort()).toEqual(
      [4, 5, 6, 7, 8, 9, 10, 11]
        .map(from =>
          deep
            .split('.')
            .slice(from - 1, 12)
            .join('.'),
        )
        .sort(),
    )
  })
})

describe('of a zone', () => {
  const led = (lines: string[]) => (question: Saying) => {
    const answers = lines.map(record).filter(one => one.name === question.name && one.type === question.type)
    return { answers, flags: packet.AUTHORITATIVE_ANSWER }
  }

  test('three name servers are asked for, in the order of their names, by both kinds of address', async () => {
    const hosts = ['d', 'c', 'e', 'a', 'b'].map(letter => `${letter}.ns.test`)
    const resolver = await startServer(led(hosts.map(host => `shop.test NS ${host}`)))

    expect(await openDns([resolver]).askZone(name, ['A'], soon())).toEqual({
      reached: false,
      why: 'its name servers a.ns.test, b.ns.test, c.ns.test have no address',
    })

    const asked = resolver.asked.filter(one => one.name.endsWith('.ns.test'))
    expect(asked.map(one => `${one.name} ${one.type}`).sort()).toEqual(
      ['a', 'b', 'c'].flatMap(letter => [`${letter}.ns.test A`, `${letter}.ns.test AAAA`]),
    )
  })

  test('three addresses are asked, one after the other, however many there are', async () => {
    const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
    const lines = ['shop.test NS ns.test', ...addresses.map(address => `ns.test A ${address}`)]
    const resolver = await startServer(led(lines))
    const gone = await startNameServer()
    await gone.stop()

    const servers = addresses.map(address => ({ address, port: gone.port }))
    const answer = await openDns([resolver, ...servers]).askZone(name, ['A'], soon())

    expect(answer).toEqual({ reached: false, why: '127.0.0.4 cannot be reached (ECONNREFUSED)' })
  })

  test('the name servers are asked of which an address is found, though of others none can be', async () => {
    const own = await startNameServer([`${name} A 93.184.216.7`], 0, '127.0.0.2')
    onTestFinished(() => own.stop())
    own.misbehave('ns.test', 'SERVFAIL')
    const answers = led(['shop.test NS a.ns.test', 'shop.test NS b.ns.test', 'b.ns.test A 127.0.0.2'])
    const resolver = await startServer(question =>
      question.name === 'a.ns.test' ? SERVFAIL : answers(question),
    )

    expect(await openDns([resolver, own]).askZone(name, ['A'], soon())).toMatchObject({
      ...{ reached: true, records: [{ value: '93.184.216.7' }] },
    })
  })

  test('one type that cannot be asked for leaves all of them without an answer', async () => {
    const resolver = await startServer(({ type }) =>
      type === 'AAAA' ? SERVFAIL : { answers: [record(`${name} A 93.184.216.7`)] },
    )
    const dns = openDns([resolver])

    expect(await dns.askZone(name, ['A', 'AAAA'], soon())).toEqual({
      reached: false,
      why: '127.0.0.1 answered SERVFAIL',
    })
    expect(await dns.askZone(name, ['A', 'CNAME'], soon())).toMatchObject({ reached: true })
  })

  test('that nobody is found to run, the resolvers are asked about the name', async () => {
    const resolver = await startServer(({ type }) => ({
      answers: type === 'TXT' ? [record(`${name} TXT x`)] : [],
    }))

    expect(await openDns([resolver]).askZone(name, ['TXT'], soon())).toEqual({
      reached: true,
      records: [{ name, type: 'TXT', value: 'x' }],
    })
  })
})
