import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startNameServer } from '../../src/practice/name-server.ts'
import { serveZoneFile } from '../../src/practice/zone-file.ts'
import { freePort } from '../support/programs.ts'
import { startProcess } from '../support/start-process.ts'

function resolverAt(server: string): Resolver {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  resolver.setServers([server])
  return resolver
}

const failureOf = (received: Promise<unknown>) => received.catch(({ code }: { code: string }) => code)

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-practice-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The zone file's modification time. Each write adds a second, so that each counts as a change. */
let writtenAt = 1_000_000_000
function write(file: string, text: string): void {
  writeFileSync(file, text)
  utimesSync(file, ++writtenAt, writtenAt)
}

it('the practice name server serves a zone file in its current state, and resolves the platform hosts to this machine', async () => {
  const file = join(makeFolder(), 'practice.zone')
  const server = await serveZoneFile(file, 0, 'animals.example')
  onTestFinished(() => server.stop())
  const resolver = resolverAt(server.at)
  const now = async () => [
    await failureOf(resolver.resolve4('www.shop.test')),
    await failureOf(resolver.resolve4('acme.animals.example')),
  ]
  const ours = ['127.0.0.1']

  expect(await now()).toEqual(['ENOTFOUND', ours])
  write(file, '# www.shop.test A 192.0.2.9\n\n  \nother.test A 192.0.2.8\nwww.shop.test A 192.0.2.1')
  await expect.poll(now).toEqual([['192.0.2.1'], ours])
  write(file, 'www.shop.test A 192.0.2.2\nwww.shop.test A 192.0.2.3\n')
  await expect.poll(now).toEqual([['192.0.2.2', '192.0.2.3'], ours])
  rmSync(file)
  await expect.poll(now).toEqual(['ENOTFOUND', ours])
})

it('a zone file that exists before the practice name server starts is served from the start', async () => {
  const file = join(makeFolder(), 'practice.zone')
  write(file, 'www.shop.test A 192.0.2.1\n')

  const server = await serveZoneFile(file, 0, 'animals.example')
  onTestFinished(() => server.stop())

  expect(await resolverAt(server.at).resolve4('www.shop.test')).toEqual(['192.0.2.1'])
})

it('the practice name server can be started as a separate command with the path of a zone file and a port, and reads .env', async () => {
  const folder = makeFolder()
  const file = join(folder, 'my.zone')
  writeFileSync(file, 'www.shop.test CNAME acme.animals.example\n')
  writeFileSync(join(folder, '.env'), 'PLATFORM_HOST=animals.example\n')
  const port = await freePort()

  const { printed, child, ended } = await startProcess({}, 'practice/dns.ts', {
    args: [file, String(port)],
    cwd: folder,
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const at = `127.0.0.1:${port}`
  const [line] = await printed(/^Answers.*$/m)

  expect(line).toBe(`Answers DNS queries at ${at} with the records of ${file}. Set DNS_SERVERS=${at}`)
  expect(await resolverAt(at).resolve4('www.shop.test')).toEqual(['127.0.0.1'])
})

it('a practice name server answers only with the records of its own zone', async () => {
  const many = Array.from({ length: 31 }, (_, i) => `many.test A 192.0.2.${i}`)
  const server = await startNameServer([
    ...[
      'Shop.test A 192.0.2.1',
      'shop.test AAAA 2001:db8::1',
      'shop.test TXT a b',
      'shop.test CAA 128 issue "ca.test"',
    ],
    ...[
      'shop.test CAA 0 iodef mailto:a@b.test',
      'www.shop.test. 3600 IN CNAME SHOP.test.',
      'alias.test ALIAS www.shop.test',
    ],
    ...['*.wild.test A 192.0.2.2', 'own.wild.test AAAA 2001:db8::2', 'far.test CNAME far.test'],
    ...many,
  ])
  onTestFinished(() => server.stop())
  const resolver = resolverAt(server.at)
  const answers = (received: Promise<unknown>[]) => Promise.all(received.map(failureOf))

  expect(
    await answers(
      ['shop.test', 'WWW.shop.TEST', 'alias.test', 'x.wild.test'].map(name => resolver.resolve4(name)),
    ),
  ).toEqual([['192.0.2.1'], ['192.0.2.1'], ['192.0.2.1'], ['192.0.2.2']])
  expect(await resolver.resolveCname('www.shop.test')).toEqual(['SHOP.test'])
  expect(await resolver.resolve6('alias.test')).toEqual(['2001:db8::1'])
  expect(await resolver.resolveTxt('shop.test')).toEqual([['a b']])
  expect(await resolver.resolveCaa('shop.test')).toMatchObject([
    { critical: 128, issue: 'ca.test' },
    { critical: 0, iodef: 'mailto:a@b.test' },
  ])
  // A name gets an empty answer if it has only records of other types, or only names below it.
  expect(
    await answers([
      ...['own.wild.test', 'wild.test', 'test'].map(name => resolver.resolve4(name)),
      ...['nowhere.test', 'x.y.wild.test', 'a.shop.test'].map(name => resolver.resolve4(name)),
    ]),
  ).toEqual([...Array(3).fill('ENODATA'), ...Array(3).fill('ENOTFOUND')])
  // A reply that is too large for a datagram is read again over TCP.
  expect(await resolver.resolve4('many.test')).toHaveLength(31)
  expect(server.received.filter(line => line === 'many.test A')).toHaveLength(2)
  expect(server.received[0]).toBe('shop.test A')
})

it('a practice name server continues to answer after bytes that are no DNS message', async () => {
  const server = await startNameServer(['shop.test A 192.0.2.1'])
  onTestFinished(() => server.stop())

  for (const bytes of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', '\0\0']) {
    const socket = connect(server.port, server.address, () => socket.write(bytes)).resume()
    await once(socket, 'close')
  }
  const socket = createSocket('udp4')
  await new Promise(sent => socket.send('x', server.port, server.address, sent))
  socket.close()

  expect(await resolverAt(server.at).resolve4('shop.test')).toEqual(['192.0.2.1'])
})

it('a practice name server continues to answer after a query for a record that it cannot encode', async () => {
  const server = await startNameServer(['shop.test MX 10 mail.shop.test', 'shop.test A 192.0.2.1'])
  onTestFinished(() => server.stop())
  const resolver = resolverAt(server.at)

  expect(await failureOf(resolver.resolveMx('shop.test'))).toBe('ESERVFAIL')
  expect(await resolver.resolve4('shop.test')).toEqual(['192.0.2.1'])
})

it('a practice name server fails for a given name and the names below it until the failure is changed', async () => {
  const server = await startNameServer([
    'shop.test A 192.0.2.1',
    'www.shop.test A 192.0.2.1',
    'ashop.test A 192.0.2.1',
  ])
  onTestFinished(() => server.stop())
  const resolver = resolverAt(server.at)
  const ask = (names: string[]) => Promise.all(names.map(name => failureOf(resolver.resolve4(name))))

  for (const [how, code] of [
    ['SERVFAIL', 'ESERVFAIL'],
    ['REFUSED', 'EREFUSED'],
    ['NXDOMAIN', 'ENOTFOUND'],
    ['FORMERR', 'EFORMERR'],
  ] as const) {
    server.misbehave('shop.test', how)
    expect([how, ...(await ask(['shop.test', 'www.shop.test', 'ashop.test']))]).toEqual([
      ...[how, code, code],
      ['192.0.2.1'],
    ])
  }
  const patient = new Resolver({ timeout: 100, tries: 1 })
  patient.setServers([server.at])
  server.misbehave('shop.test', 'silence')
  expect(await failureOf(patient.resolve4('shop.test'))).toBe('ETIMEOUT')
})
