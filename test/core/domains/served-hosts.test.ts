import { afterEach, describe, expect, it } from 'vitest'
import type { DeployConfiguration } from '../../../src/core/deploys/configuration.ts'
import { lookUpHosts } from '../../../src/core/domains/served-hosts.ts'
import type { Project } from '../../../src/generated/prisma/client.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const now = new Date('2026-06-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)

describe.skipIf(!canRace())('a host', () => {
  const own = prepareOwnDatabase()
  afterEach(async () => {
    await own.db.domain.deleteMany()
    await own.db.certificate.deleteMany()
  })

  async function makeDeployed(domains: Partial<DeployConfiguration['domains']> = {}): Promise<Project> {
    const project = await own.makeProject()
    await addDeploy(project, 'Shop', true, domains)
    return project
  }
  const addDeploy = ({ id: projectId }: Project, title: string, succeeded: boolean, domains = {}) => {
    const configuration = { title, description: null, domains: { primary: null, redirects: [], ...domains } }
    return own.db.deploy.create({ data: { projectId, succeeded, configuration, log: [] } })
  }
  const hostOf = ({ slug }: Project) => `${slug}.animals.test`
  const find = async (...names: string[]) => await lookUpHosts(own.db, 'animals.test', names)
  const findOne = async (name: string) => (await find(name))[0]?.host

  it('a host is found only by a proven name or by its platform host name, and many hosts by one query', async () => {
    const [shop, zoo] = [await makeDeployed(), await makeDeployed()]
    await own.giveDomain(shop, 'www.shop.test')
    await own.giveDomain(zoo, 'www.zoo.test')
    const bare = await own.makeProject()
    // A name that is claimed but not proven.
    const claim = { name: 'www.claimed.test', createdAt: now, looksSince: now }
    await own.db.domain.create({ data: { projectId: shop.id, ...claim } })

    const found = await find(
      'www.zoo.test',
      'www.claimed.test',
      hostOf(bare),
      hostOf(shop),
      'www.shop.test',
      'none.test',
    )

    expect(found.map(one => one?.projectId ?? null)).toEqual([zoo.id, null, bare.id, shop.id, shop.id, null])
    expect(found.map(one => one?.host?.name ?? null)).toEqual([
      ...['www.zoo.test', null, null],
      ...[hostOf(shop), 'www.shop.test', null],
    ])
    // Neither a slug below another host nor a slug alone is a platform host.
    expect(await find(`${shop.slug}.zoo.test`, shop.slug, `.animals.test`, 'animals.test')).toEqual(
      Array(4).fill(null),
    )
  })

  it('a host has the description and the redirect of its deploy, and the platform host is primary if all domains redirect', async () => {
    const shop = await own.makeProject()
    await own.db.project.update({ where: { id: shop.id }, data: { name: 'Zoo of all' } })
    for (const name of ['only.zoo.test', 'other.zoo.test']) await own.giveDomain(shop, name)
    const ownHost = hostOf(shop)
    const redirects = [
      { from: 'other.zoo.test', to: ownHost, status: 307 },
      { from: 'only.zoo.test', to: ownHost, status: 308 },
    ]
    const configuration = { title: null, description: 'Lions', domains: { primary: null, redirects } }
    await own.db.deploy.create({ data: { projectId: shop.id, succeeded: true, configuration, log: [] } })

    const [host, main] = await find('only.zoo.test', ownHost)

    const page = { title: 'Zoo of all', description: 'Lions', primary: ownHost }
    const rest = {
      projectId: shop.id,
      page,
      httpsRedirectStatus: 308,
      servedUntil: null,
      isSuspended: false,
      certifiedUntil: null,
    }
    expect(host).toEqual({
      projectId: shop.id,
      host: { name: 'only.zoo.test', redirect: redirects[1], ...rest },
    })
    expect(main).toEqual({ projectId: shop.id, host: { name: ownHost, redirect: null, ...rest } })
  })

  it('a host shows the last deploy that succeeded', async () => {
    const shop = await makeDeployed()
    await addDeploy(shop, 'Second', true)
    await addDeploy(shop, 'Failed', false)

    expect(await findOne(hostOf(shop))).toMatchObject({ page: { title: 'Second' } })
  })

  it('the primary host is the one that the deploy names, or else the first live domain that does not redirect', async () => {
    const redirects = [{ from: 'a.mall.test', to: 'c.mall.test', status: 301 }]
    const shop = await makeDeployed({ redirects })
    expect((await findOne(hostOf(shop)))?.page.primary).toBe(hostOf(shop))
    const other = await own.makeProject()
    await own.giveDomain(other, 'first.mall.test')
    for (const name of ['a.mall.test', 'c.mall.test', 'b.mall.test']) await own.giveDomain(shop, name)
    const times = ['first.mall.test', 'a.mall.test', 'b.mall.test', 'c.mall.test']
    for (const [n, name] of times.entries())
      await own.db.domain.update({ where: { ownedName: name }, data: { verifiedAt: later(n) } })

    const hosts = await find('a.mall.test', hostOf(shop))
    expect(hosts.map(one => one?.host?.page.primary)).toEqual(['b.mall.test', 'b.mall.test'])
    expect(hosts.map(one => one?.host?.redirect ?? null)).toEqual([redirects[0], null])

    await addDeploy(shop, 'Named', true, { primary: 'c.mall.test' })
    expect((await findOne(hostOf(shop)))?.page.primary).toBe('c.mall.test')
  })

  it('on a plan without domains a custom host is served until the grace time ends, and the platform host without end', async () => {
    const shop = await makeDeployed()
    await own.giveDomain(shop, 'www.lapsed.test')
    const endOf = async (name: string) => (await findOne(name))?.servedUntil
    const setPlan = (planName: string) =>
      own.db.project.update({ where: { id: shop.id }, data: { planName, domainsGraceEndsAt: later(1) } })

    await setPlan('free')
    expect([await endOf('www.lapsed.test'), await endOf(hostOf(shop))]).toEqual([later(1), null])
    await setPlan('pro')
    expect(await endOf('www.lapsed.test')).toBeNull()
  })

  it('a host of a suspended project is marked as suspended, and a host has a certificate only if the key of the certificate can be opened', async () => {
    const shop = await makeDeployed()
    await own.giveDomain(shop, 'www.sealed.test')
    const certified = async () => (await findOne('www.sealed.test'))?.certifiedUntil
    const certificate = { name: 'www.sealed.test', wantedSince: now, notAfter: later(1) }
    const change = (data: object) => own.db.certificate.update({ where: { name: 'www.sealed.test' }, data })
    await own.db.certificate.create({ data: certificate })

    expect(await certified()).toBeNull()
    await change({ chain: 'chain' })
    expect(await certified()).toEqual(later(1))
    await change({ unreadableSince: now })
    expect(await certified()).toBeNull()
    expect(await findOne('www.sealed.test')).toMatchObject({ isSuspended: false })
    await own.db.project.update({ where: { id: shop.id }, data: { suspendedAt: now } })
    expect(await findOne('www.sealed.test')).toMatchObject({ isSuspended: true })
  })
})
