import { afterEach, describe, expect, inject, test } from 'vitest'
import { addDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import { startNameServer } from '../../src/practice/name-server.ts'
import {
  certificateState,
  makeDeployed,
  type Platform,
  startPlatform,
  until,
  visit,
} from '../support/hosting.ts'
import { isPebbleInstalled, type Pebble, startPebble } from '../support/pebble.ts'
import { freePort } from '../support/programs.ts'

let platform: Platform | undefined
let pebble: Pebble | undefined

afterEach(async () => {
  await platform?.stop()
  await pebble?.stop()
})

const canRun = isPebbleInstalled() && inject('services').postgresUrl !== null

describe.skipIf(!canRun)('a real ACME server that checks every name over HTTP', () => {
  test.each([0, 5, 50])(
    'if the ACME server rejects %i of 100 nonces, the platform still gets certificates for all 20 names',
    async nonceReject => {
      const port = await freePort()
      const dns = await startNameServer()
      pebble = await startPebble({ dns: dns.at, httpPort: port, nonceReject })
      platform = await startPlatform({
        processes: 2,
        ports: [port],
        env: { ...pebble.env, DNS_SERVERS: dns.at },
      })
      const { first } = platform
      const { db, hosting, jobs } = first.tools
      const { project, target } = await makeDeployed(platform)
      const names = Array.from({ length: 20 }, (_, n) => `shop${n}.${project.slug}.test`)
      dns.setZone([`${target} A 127.0.0.1`, ...names.map(name => `${name} CNAME ${target}`)])

      for (const name of names) {
        await addDomain(db, hosting, project, { name })
        expect(await verifyDomain(db, hosting, project, name)).toMatchObject({ state: 'live' })
      }
      jobs.wake('domains')
      const first20 = await until(
        () => Promise.all(names.map(name => certificateState(first, name))),
        states => states.every(state => state === 'issued'),
        90_000,
      )
      expect(first20).toHaveLength(20)
      const root = await pebble.root()
      for (const { httpsPort } of platform.instances) {
        const page = await until(
          () => visit(`https://${names[7]}:${httpsPort}/`, httpsPort, { ca: root }).catch(() => null),
          answer => answer !== null,
        )
        expect(page?.status).toBe(200)
      }
      expect(await db.acmeAccount.count()).toBe(1)
      await dns.stop()
    },
    120_000,
  )

  test('the authority can validate a name even if another client at the IP address of the authority has used up the request budget', async () => {
    const port = await freePort()
    const dns = await startNameServer()
    pebble = await startPebble({ dns: dns.at, httpPort: port })
    platform = await startPlatform({ ports: [port], env: { ...pebble.env, DNS_SERVERS: dns.at } })
    const { db, hosting, jobs } = platform.first.tools
    const { project, target } = await makeDeployed(platform)
    const name = `behind-a-balancer.${project.slug}.test`
    dns.setZone([`${target} A 127.0.0.1`, `${name} CNAME ${target}`])
    const statuses: number[] = []
    for (let n = 0; n < 61; n++)
      statuses.push((await visit(`http://unknown${n}.${project.slug}.test/`, port)).status)
    expect(statuses.at(-1)).toBe(429)

    await addDomain(db, hosting, project, { name })
    await verifyDomain(db, hosting, project, name)
    jobs.wake('domains')

    const { first } = platform
    await until(
      () => certificateState(first, name),
      state => state !== 'issuing',
    )
    expect(await certificateState(first, name)).toBe('issued')
    await dns.stop()
  }, 60_000)
})
