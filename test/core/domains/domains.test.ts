import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findCurrentDeploy } from '../../../src/core/deploys/deploys.ts'
import {
  addDomain,
  type DomainTools,
  findDomain,
  findDomainById,
  listDomains,
  removeDomain,
  reverifyDomain,
  verifyDomain,
} from '../../../src/core/domains/domains.ts'
import { listDomainsOfProjects } from '../../../src/core/domains/of-projects.ts'
import type { DnsLook } from '../../../src/core/hosts/dns-verdict.ts'
import type { Project } from '../../../src/core/project.ts'
import { dnsLook } from '../../support/dns-look.ts'
import { until } from '../../support/hosting.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const begin = Date.parse('2026-06-01T12:00:00Z')

describe.skipIf(!canRace())('a domain', () => {
  const own = prepareOwnDatabase()
  let shop: Project
  let zoo: Project
  let at: number
  let checked: string[]
  let targets: string[]
  let suffixes: string[]
  let seen: DnsLook
  beforeEach(async () => {
    ;[shop, zoo] = [await makeDeployed(), await makeDeployed()]
    ;[at, checked, targets, suffixes, seen] = [begin, [], [], ['test'], dnsLook()]
    await own.db.domain.deleteMany()
    await own.db.certificate.deleteMany()
  })

  const makeProject = async (planName = 'pro') => (await own.makeProject(planName)) as unknown as Project
  const addDeploy = ({ id: projectId }: Project, succeeded: boolean, domains = {}) => {
    const configuration = {
      title: 'Shop',
      description: null,
      domains: { primary: null, redirects: [], ...domains },
    }
    return own.db.deploy.create({ data: { projectId, succeeded, configuration, log: [] } })
  }
  async function makeDeployed(): Promise<Project> {
    const project = await makeProject()
    await addDeploy(project, true)
    return project
  }
  const tools = (): DomainTools => ({
    clock: { now: () => at, aheadMs: () => 0 },
    platformHost: 'animals.test',
    nameRules: { platformHost: 'animals.test', ownHosts: [], suffixes },
    orderBounds: { perHour: 1, perDay: 5 },
    async checkDns(name, target) {
      checked.push(name)
      targets.push(target)
      return seen
    },
    findZone: async () => null,
  })
  const add = (project: Project, name: string, db = own.db) => addDomain(db, tools(), project, { name })
  const verify = (project: Project, name: string) => verifyDomain(own.db, tools(), project, name)
  const reverify = (project: Project, name: string) => reverifyDomain(own.db, tools(), project, name)
  const remove = (project: Project, name: string) => removeDomain(own.db, tools(), project, name)
  const certificate = (name: string) => own.db.certificate.findUniqueOrThrow({ where: { name } })

  it.each([
    ['without a deploy', 'pro', [], 'deploy_required'],
    ['whose deploys all failed', 'pro', [false, false], 'deploy_required'],
    ['on a plan without domains', 'free', [true], 'plan_required'],
    ['on a plan without domains and without a deploy', 'free', [], 'plan_required'],
  ])('a project %s cannot add a domain', async (_, planName, deploys, code) => {
    const project = await makeProject(planName)
    for (const succeeded of deploys) await addDeploy(project, succeeded)

    await expect(add(project, 'www.shop.test')).rejects.toMatchObject({ code })
    expect(await own.db.domain.count()).toBe(0)
  })

  it('a project on a plan without domains causes no DNS queries', async () => {
    const project = await makeProject('free')
    const findZone = () => Promise.reject(new Error('DNS was queried'))

    const added = addDomain(own.db, { ...tools(), findZone }, project, { name: 'www.shop.test' })

    await expect(added).rejects.toMatchObject({ code: 'plan_required' })
  })

  it('a domain can be found, verified and removed only by its own project', async () => {
    const { domain } = await add(shop, 'www.shop.test')
    await add(zoo, 'www.zoo.test')

    for (const act of [
      () => findDomain(own.db, zoo, 'www.shop.test'),
      () => findDomainById(own.db, zoo, domain.id),
      () => verify(zoo, 'www.shop.test'),
      () => reverify(zoo, 'www.shop.test'),
      () => remove(zoo, 'www.shop.test'),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'domain_not_found' })
    expect(checked).toEqual([])
    expect(await findDomainById(own.db, shop, domain.id)).toMatchObject({
      checkRequestedAt: null,
      state: 'pending',
    })
    expect((await listDomains(own.db, zoo)).map(({ name }) => name)).toEqual(['www.zoo.test'])
  })

  it('several projects may add the same domain, each project once, and the first DNS check is due a minute later', async () => {
    const { domain, partner } = await add(shop, 'HTTPS://WWW.Shop.test/')
    at += 5_000
    const again = await add(shop, 'www.shop.test')
    const others = await add(zoo, 'www.shop.test')

    expect(partner).toBeNull()
    expect(domain).toMatchObject({
      ...{ projectId: shop.id, name: 'www.shop.test', ownedName: null, state: 'pending', verdict: null },
      createdAt: new Date(begin),
      looksSince: new Date(begin),
      nextLookAt: new Date(begin + 60_000),
      ...{ checkRequestedAt: null, lookedAt: null, leasedUntil: null, verifiedAt: null, driftedAt: null },
    })
    expect(again).toEqual({ domain, partner: null })
    expect(others.domain.id).not.toBe(domain.id)
    expect(
      (
        await listDomainsOfProjects(
          own.db,
          [zoo, shop].map(({ id }) => ({ projectId: id, limit: 9, after: null, isBackward: false })),
        )
      ).map(all => all.map(({ id }) => id)),
    ).toEqual([[others.domain.id], [domain.id]])
  })

  it('with withPartner a name that has no apex or www partner is added alone, and a partner that exists already is reused', async () => {
    const addPair = (name: string) => addDomain(own.db, tools(), shop, { name, withPartner: true })

    expect(await addPair('deep.www.shop.test')).toMatchObject({ partner: null })
    expect((await findCurrentDeploy(own.db, shop))?.configuration.domains.redirects).toEqual([])
    const { domain } = await add(shop, 'www.pair.test')
    const pair = await addPair('pair.test')
    expect(pair).toMatchObject({ domain: { name: 'pair.test' }, partner: { id: domain.id } })
    const published = await findCurrentDeploy(own.db, shop)
    expect(published?.configuration.domains.redirects).toEqual([
      { from: 'www.pair.test', to: 'pair.test', status: 301 },
    ])
    expect(await addPair('pair.test')).toEqual(pair)
    expect(await findCurrentDeploy(own.db, shop)).toEqual(published)
  })

  it('adding a domain with its partner is refused with the reason if the partner cannot redirect to the domain', async () => {
    const redirects = [{ from: 'www.pair.test', to: 'old.test', status: 302 }]
    for (const name of ['old.test', 'www.pair.test']) await add(shop, name)
    await addDeploy(shop, true, { redirects })

    const adding = addDomain(own.db, tools(), shop, { name: 'pair.test', withPartner: true })

    await expect(adding).rejects.toMatchObject({
      code: 'invalid_input',
      details: [
        {
          field: 'withPartner',
          message:
            'must be false, because www.pair.test cannot redirect: domains.redirects[1]: www.pair.test redirects already',
        },
      ],
    })
    expect(await own.db.domain.count({ where: { name: 'pair.test' } })).toBe(0)
  })

  it('of many domains added at once, the project gets as many as its limit allows', async () => {
    const times = { createdAt: new Date(at), looksSince: new Date(at) }
    const many = Array.from({ length: 49 }, (_, n) => ({
      projectId: shop.id,
      name: `many${n}.test`,
      ...times,
    }))
    await own.db.domain.createMany({ data: many })

    // Lock the table until every request has counted the domains or waits to count them, so that no request adds a
    // domain before that.
    const holder = await own.database.pool?.connect()
    onTestFinished(() => holder?.release())
    await holder?.query('BEGIN; LOCK TABLE domains IN SHARE ROW EXCLUSIVE MODE')
    const adding = Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => add(shop, `more${n}.test`, own.ofAnotherProcess())),
    )
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await until(
      // Query over another connection: within one transaction, PostgreSQL never updates pg_stat_activity.
      async () => (await own.database.pool?.query(waiting))?.rowCount,
      count => count === 6,
    )
    await holder?.query('COMMIT')
    const all = await adding

    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await own.db.domain.count({ where: { projectId: shop.id } })).toBe(50)
  })

  it('a project may have fifty domains, and another project fifty of its own', async () => {
    const times = { createdAt: new Date(at), looksSince: new Date(at) }
    const many = Array.from({ length: 49 }, (_, n) => ({
      projectId: shop.id,
      name: `many${n}.test`,
      ...times,
    }))
    await own.db.domain.createMany({ data: many })

    await add(shop, 'fiftieth.test')
    await expect(add(shop, 'next.test')).rejects.toMatchObject({ code: 'too_many_domains' })
    await add(shop, 'fiftieth.test')
    await add(zoo, 'next.test')
    await remove(shop, 'many0.test')
    await add(shop, 'next.test')
  })

  it.each([
    [0, 10],
    [1, 10],
    [1_000, 9],
    [9_001, 1],
    [9_999, 1],
    [10_000, null],
  ])(
    'verifying a domain again after %i ms is allowed, or refused with %j seconds to wait',
    async (ms, retryAfterSeconds) => {
      await add(shop, 'www.shop.test')
      await verify(shop, 'www.shop.test')
      at += ms

      const again = verify(shop, 'www.shop.test')

      if (retryAfterSeconds === null) await again
      else await expect(again).rejects.toMatchObject({ code: 'verify_too_soon', retryAfterSeconds })
      expect(checked).toHaveLength(retryAfterSeconds === null ? 2 : 1)
    },
  )

  it('verifying a domain several times at once queries DNS once', async () => {
    await add(shop, 'www.shop.test')

    const all = await Promise.allSettled(Array.from({ length: 8 }, () => verify(shop, 'www.shop.test')))

    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(checked).toEqual(['www.shop.test'])
  })

  it('DNS is not queried for a domain that the plan or the name rules no longer allow', async () => {
    await add(shop, 'www.shop.test')

    const onFree = { ...shop, planName: 'free' }
    await expect(verify(onFree, 'www.shop.test')).rejects.toMatchObject({ code: 'plan_required' })
    suffixes = []
    await expect(verify(shop, 'www.shop.test')).rejects.toMatchObject({ code: 'invalid_input' })

    expect(checked).toEqual([])
  })

  it("verifying a stale domain restarts its check schedule, with the project's own host as the expected target", async () => {
    const { domain } = await add(shop, 'www.shop.test')
    const resting = { state: 'stale', nextLookAt: null } as const
    await own.db.domain.update({ where: { id: domain.id }, data: resting })
    at += 30 * 86_400_000
    seen = dnsLook('record_missing')

    expect(await verify(shop, 'WWW.shop.test.')).toMatchObject({
      ...{ id: domain.id, state: 'pending', checkRequestedAt: new Date(at), lookedAt: new Date(at) },
      ...{ looksSince: new Date(at), nextLookAt: new Date(at + 60_000) },
    })
    expect(targets).toEqual([`${shop.slug}.animals.test`])
  })

  it('each domain has its own ten seconds between two verifications', async () => {
    for (const name of ['www.shop.test', 'old.shop.test']) await add(shop, name)
    await verify(shop, 'www.shop.test')
    at += 9_999
    await verify(shop, 'old.shop.test')
    at += 1

    expect(await verify(shop, 'www.shop.test')).toMatchObject({
      checkRequestedAt: new Date(at),
      lookedAt: new Date(at),
    })
    await expect(verify(shop, 'old.shop.test')).rejects.toMatchObject({ retryAfterSeconds: 10 })
  })

  it('re-verifying an unproven domain starts no certificate, and is allowed even if the limit of certificate orders is reached', async () => {
    await add(shop, 'www.shop.test')
    await add(zoo, 'www.shop.test')
    await verify(zoo, 'www.shop.test')
    const before = await certificate('www.shop.test')
    await own.db.certificateOrder.create({
      data: { projectId: shop.id, name: 'www.shop.test', orderedAt: new Date(at) },
    })
    seen = dnsLook('record_differs')
    at += 10_000

    expect(await reverify(shop, 'www.shop.test')).toMatchObject({ state: 'pending', ownedName: null })
    expect(await certificate('www.shop.test')).toEqual(before)
  })

  it('a domain removed during a deploy is not in the configuration afterwards', async () => {
    await add(shop, 'www.shop.test')
    const deployer = await own.database.pool?.connect()
    onTestFinished(() => deployer?.release())
    await deployer?.query('BEGIN')
    await deployer?.query('SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE', [shop.id])
    let isGone = false

    const removing = remove(shop, 'www.shop.test').finally(() => {
      isGone = true
    })
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await until(
      async () => isGone || (await own.database.pool?.query(waiting))?.rowCount === 1,
      is => is,
    )
    const domains = { primary: 'www.shop.test', redirects: [] }
    const configuration = { title: 'Late', description: null, domains }
    await deployer?.query(
      `INSERT INTO deploys (project_id, succeeded, configuration, log) VALUES ($1, true, $2, '[]')`,
      [shop.id, configuration],
    )
    await deployer?.query('COMMIT')
    await removing

    expect((await findCurrentDeploy(own.db, shop))?.configuration).toMatchObject({
      title: 'Late',
      domains: { primary: null },
    })
  })

  it('of three concurrent removals of a domain one succeeds, and returns a note about the DNS record', async () => {
    const { domain } = await add(shop, 'www.shop.test')

    const removed = await Promise.allSettled([1, 2, 3].map(() => remove(shop, 'www.shop.test')))

    const returned = removed.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
    expect(returned).toEqual([
      {
        ...{ id: domain.id, name: 'www.shop.test' },
        note: `www.shop.test is no longer served. Delete its DNS record as well: while it still points at ${shop.slug}.animals.test, the name leads to the platform and looks abandoned.`,
      },
    ])
    for (const one of removed)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'domain_not_found' })
  })

  it('re-verifying a domain restarts an unfinished certificate, and is refused if the limit of certificate orders is reached', async () => {
    await add(shop, 'www.shop.test')
    await verify(shop, 'www.shop.test')
    const ordered = { orderUrl: 'https://ca.test/order/1', orderedAt: new Date(at) }
    const wait = async () => {
      at += 10_000
      await own.db.certificate.updateMany({ data: { ...ordered, nextStepAt: new Date(at + 60_000) } })
    }

    await wait()
    await reverify(shop, 'www.shop.test')
    expect(await certificate('www.shop.test')).toMatchObject({ orderUrl: null, nextStepAt: new Date(at) })

    await own.db.certificateOrder.create({
      data: { projectId: shop.id, name: 'www.shop.test', orderedAt: new Date(at) },
    })
    await wait()
    await expect(reverify(shop, 'www.shop.test')).rejects.toMatchObject({ code: 'too_many_orders' })
    expect(await certificate('www.shop.test')).toMatchObject(ordered)
    // The refused check did not count as a check, so the domain can be verified at once.
    await verify(shop, 'www.shop.test')
  })

  it('removing a domain removes it from the current configuration, and stops its certificate unless another project has the name', async () => {
    const redirects = [
      { from: 'old.shop.test', to: 'www.shop.test', status: 301 },
      { from: 'two.shop.test', to: 'shop.test', status: 301 },
    ]
    for (const name of ['shop.test', 'old.shop.test', 'two.shop.test', 'www.shop.test']) await add(shop, name)
    await add(zoo, 'www.shop.test')
    await addDeploy(shop, true, { primary: 'www.shop.test', redirects })
    await verify(zoo, 'www.shop.test')

    await remove(shop, 'www.shop.test')

    const current = await findCurrentDeploy(own.db, shop)
    expect(current?.configuration).toMatchObject({
      title: 'Shop',
      domains: { primary: null, redirects: redirects.slice(1) },
    })
    expect(await certificate('www.shop.test')).toMatchObject({ nextStepAt: new Date(at) })
    await remove(zoo, 'www.shop.test')
    expect(await certificate('www.shop.test')).toMatchObject({ nextStepAt: null })
    await expect(remove(zoo, 'www.shop.test')).rejects.toMatchObject({ code: 'domain_not_found' })
  })
})
