import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { addDomain, removeDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import {
  type Authority,
  type Certified,
  type Shop,
  startAuthority,
  startCertified,
  stateOf,
} from '../support/certified.ts'
import { shakesHands, until, visit } from '../support/hosting.ts'
import { isPebbleInstalled } from '../support/pebble.ts'

const canRun = isPebbleInstalled() && inject('services').postgresUrl !== null

/** The addresses of an apex are the same for all projects, so the addresses do not show which project owns the apex. */
describe.skipIf(!canRun)('the ownership of an apex', { timeout: 60_000 }, () => {
  let authority: Authority
  let certified: Certified
  let root: string

  beforeAll(async () => {
    authority = await startAuthority()
    root = await authority.pebble.root()
  })
  afterAll(() => authority?.stop())
  beforeEach(async () => {
    certified = await startCertified(authority, { processes: 2 })
  })
  afterEach(() => certified.stop())

  const lead = (name: string, shops: Shop[], ...more: string[]) => {
    const targets = shops.map(({ target }) => `${target} A 127.0.0.1`)
    authority.dns.setZone([`${name} A 127.0.0.1`, ...targets, ...more])
  }
  const proof = async (name: string, { project }: Shop) => {
    const { db } = certified.platform.first.tools
    const { ownershipToken } = await db.project.findUniqueOrThrow({ where: { id: project.id } })
    return `_animal-store.${name} TXT ${ownershipToken}`
  }
  const add = ({ project }: Shop, name: string) => {
    const { db, hosting } = certified.platform.first.tools
    return addDomain(db, hosting, project, { name })
  }
  const verify = async ({ project }: Shop, name: string) => {
    certified.clock.advance(11_000)
    const { db, hosting, jobs } = certified.platform.first.tools
    const domain = await verifyDomain(db, hosting, project, name)
    jobs.wake('domains')
    return domain
  }
  /** The status with which each process answers a request with this key to this name; null if the connection fails. */
  const answersTo = (name: string, { secret }: Shop) =>
    Promise.all(
      certified.platform.instances.map(async ({ httpsPort }) => {
        const headers = { authorization: `Bearer ${secret}` }
        const url = `https://${name}:${httpsPort}/v1/rate-limit`
        return (await visit(url, httpsPort, { ca: root, headers }).catch(() => null))?.status ?? null
      }),
    )
  const servedFor = async (name: string, shop: Shop) => {
    await until(
      () => answersTo(name, shop),
      statuses => statuses.every(status => status === 200),
    )
  }
  const handshakes = (name: string) =>
    Promise.all(certified.platform.instances.map(({ httpsPort }) => shakesHands(name, httpsPort)))

  test('if a project removes its apex but keeps the ALIAS, the apex is served for the next project only with a TXT record', async () => {
    const [gone, next] = [await certified.shop(), await certified.shop()]
    lead('left.test', [gone, next])
    await add(gone, 'left.test')
    await verify(gone, 'left.test')
    await servedFor('left.test', gone)
    const { db, hosting } = certified.platform.first.tools
    await removeDomain(db, hosting, gone.project, 'left.test')
    await until(
      () => handshakes('left.test'),
      sockets => sockets.every(socket => socket === null),
    )

    await add(next, 'left.test')
    expect(await verify(next, 'left.test')).toMatchObject({ verdict: { code: 'ownership_required' } })
    expect(await stateOf(certified, 'left.test')).toBe('none')
    expect(await handshakes('left.test')).toEqual([null, null])
    expect(certified.proxy.count('newOrder', 'left.test')).toBe(1)

    lead('left.test', [gone, next], await proof('left.test', next))
    expect(await verify(next, 'left.test')).toMatchObject({ state: 'live' })
    await servedFor('left.test', next)
    expect(await answersTo('left.test', gone)).not.toContain(200)
  })

  test('an apex that a squatter added first gets a certificate for its owner only', async () => {
    const [squatter, owner] = [await certified.shop(), await certified.shop()]
    await add(squatter, 'newco.test')
    await add(owner, 'newco.test')
    lead('newco.test', [squatter, owner])
    expect(await verify(squatter, 'newco.test')).toMatchObject({ verdict: { code: 'ownership_required' } })
    expect(certified.proxy.count('newOrder', 'newco.test')).toBe(0)

    lead('newco.test', [squatter, owner], await proof('newco.test', owner))
    expect(await verify(squatter, 'newco.test')).toMatchObject({ verdict: { code: 'ownership_required' } })
    expect(await verify(owner, 'newco.test')).toMatchObject({ state: 'live' })

    await servedFor('newco.test', owner)
    expect(await answersTo('newco.test', squatter)).not.toContain(200)
  })
})
