import { createSocket } from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as packet from 'dns-packet'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openHosting } from '../../src/hosting/hosting.ts'
import { makeRoot } from '../../src/hosting/local-signing.ts'
import { startNameServer } from '../../src/practice/name-server.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'
import { changesByHand } from '../support/changes-by-hand.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

/** Sets this machine's resolvers for the test. */
function setResolvers(servers: string[]): void {
  const { setServers, getServers } = dns
  const before = getServers()
  const put = (servers: readonly string[]) => {
    setServers(servers)
    syncBuiltinESMExports()
  }
  onTestFinished(() => put(before))
  put(servers)
}

describe.skipIf(!canRace())(
  'the start of the DNS checks, the secrets key and the certificate authority',
  () => {
    const own = prepareOwnDatabase()
    beforeEach(async () => {
      await own.db.secretsKey.deleteMany()
      await own.db.acmeAccount.deleteMany()
    })

    async function open(env: Record<string, string> = {}) {
      const folder = mkdtempSync(join(tmpdir(), 'animal-store-opened-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const log = openLog('silent')
      const warnings = vi.spyOn(log, 'warn').mockImplementation(() => {})
      const config = readConfig({ DATA_DIR: folder, ...env })
      const hosting = await openHosting({
        config,
        db: own.db,
        clock: systemClock,
        log,
        changes: changesByHand(),
      })
      return { hosting, folder, warnings: () => warnings.mock.calls.map(([line]) => line) }
    }

    it('an apex without an ALIAS is right if it has the addresses that the operator promises to keep', async () => {
      const target = 'acme.animals.localhost'
      const zone = ['shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.1', `${target} A 93.184.215.10`]
      const server = await startNameServer([...zone, 'shop.test A 93.184.217.1'])
      onTestFinished(() => server.stop())
      const { hosting } = await open({ DNS_SERVERS: server.at, PLATFORM_ADDRESSES: '93.184.217.1' })

      expect(await hosting.checkDns('shop.test', target)).toMatchObject({ verdict: { code: null } })
    })

    it('a root that an earlier version made is still used, since browsers may trust it', async () => {
      const storedRoot = await makeRoot(systemClock)
      const { hosting, folder } = await open()
      writeFileSync(join(folder, 'local-ca.pem'), storedRoot)

      const root = await hosting.authorities[0].root?.()

      expect(await hosting.authorities[0].issuer('www.shop.test')).toMatchObject({
        identities: [hosting.platformHost],
      })
      expect(storedRoot).toContain(root)
      expect(root).toMatch(/^-----BEGIN CERTIFICATE-----/)
    })

    it('no root certificate is served for a public authority', async () => {
      const { hosting } = await open({ ACME_DIRECTORY_URL: 'https://ca.test/dir' })

      expect(hosting.authorities[0].root).toBeNull()
    })

    it('a missing or damaged ACME_CA_FILE refuses the start with one sentence', async () => {
      const stored = await makeRoot(systemClock)
      const root = stored.slice(stored.indexOf('-----BEGIN CERTIFICATE-----'))
      const folder = mkdtempSync(join(tmpdir(), 'animal-store-roots-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const [file, absent] = [join(folder, 'roots.pem'), join(folder, 'absent.pem')]
      const openWith = (text: string) => {
        writeFileSync(file, text)
        return open({ ACME_DIRECTORY_URL: 'https://ca.test/dir', ACME_CA_FILE: file })
      }

      await expect(open({ ACME_DIRECTORY_URL: 'https://ca.test/dir', ACME_CA_FILE: absent })).rejects.toThrow(
        StartRefused,
      )
      for (const damaged of ['', 'no certificate', root.slice(0, 200), root + root.replace('MII', 'MI')])
        await expect(openWith(damaged)).rejects.toThrow(
          new StartRefused(`ACME_CA_FILE must be a PEM file of certificates, which ${file} is not.`),
        )
      await openWith(`The roots of this network:\n${root}${root}`)
    })

    it('the path of a new secrets.key is logged, unless the embedded database is in the same folder', async () => {
      const { hosting, folder, warnings } = await open({ DATABASE_URL: 'postgresql://db/x' })
      await hosting.authorities[0].root?.()

      const file = join(folder, 'secrets.key')
      expect(warnings()).toEqual([
        `The key that encrypts private keys is kept in ${file}: give it to all processes as SECRETS_KEY`,
      ])

      await own.db.secretsKey.deleteMany()
      await own.db.acmeAccount.deleteMany()
      const beside = await open()
      await beside.hosting.authorities[0].root?.()
      expect(beside.warnings()).toEqual([])
    })

    it.each([
      ['udp4', '127.0.0.1', (port: number) => `127.0.0.1:${port}`],
      ['udp6', '::1', (port: number) => `[::1]:${port}`],
    ] as const)(
      'the resolvers that the machine is configured with are queried at their configured ports: %s',
      async (kind, address, written) => {
        const socket = createSocket(kind)
        onTestFinished(() => void socket.close())
        const bound = once(socket, 'listening')
        socket.bind(0, address)
        const isBound = await bound.then(() => true).catch(() => false)
        // A machine may be without IPv6.
        if (kind === 'udp6' && !isBound) return
        expect(isBound).toBe(true)
        socket.on('message', (message, from) => {
          const { id = 0, questions = [] } = packet.decode(message)
          const answers = [{ type: 'A' as const, name: 'www.shop.test', ttl: 60, data: '93.184.216.7' }]
          socket.send(packet.encode({ type: 'response', id, questions, answers }), from.port, from.address)
        })
        setResolvers([written(socket.address().port)])

        const { hosting } = await open()
        const deadline = performance.now() + 4_500
        expect(await hosting.dns.startLookup(deadline).resolve('www.shop.test', 'A')).toMatchObject({
          records: [{ value: '93.184.216.7' }],
        })
      },
    )
  },
)
