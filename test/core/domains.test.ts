import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findCurrentDeploy } from '../../src/core/deploys.ts'
import {
  addDomain,
  type DomainTools,
  findDomain,
  findDomainById,
  listDomains,
  removeDomain,
  reverifyDomain,
  verifyDomain,
} from '../../src/core/domains.ts'
import type { Project } from '../../src/core/projects.ts'
import { dnsLook } from '../support/dns-look.ts'
import { until } from '../support/hosting.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

const begin = Date.parse('2026-06-01T12:00:00Z')

describe.skipIf(!canRace())('a domain', () => {
  const own = prepareOwnDatabase()
  let shop: Project
  let zoo: Project
  let at: number
  let asked: string[]
  let suffixes: string[]
  beforeEach(async () => {
    ;[shop, zoo] = [await makeDeployed(), await makeDeployed()]
    ;[at, asked, suffixes] = [begin, [], ['test']]
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
    async checkDns(name) {
      asked.push(name)
      return dnsLook()
    },
  })
  const add = (project: Project, name: string) => addDomain(own.db, tools(), project, { name })
  const verify = (project: Project, name: string) => verifyDomain(own.db, tools(), project, name)
  const reverify = (project: Project, name: string) => reverifyDomain(own.db, tools(), project, name)
  const remove = (project: Project, name: string) => removeDomain(own.db, tools(), project, name)
  const certificate = (name: string) => own.db.certificate.findUniqueOrThrow({ where: { name } })

  it.each([
    ['without a deploy', 'pro', [], 'deploy_required'],
    ['whose deploys all failed', 'pro', [false, false], 'deploy_required'],
    ['on a plan without domains', 'free', [true], 'plan_required'],
    ['on such a plan and without a deploy', 'free', [], 'plan_required'],
  ])('of a project %s is not added', async (_, planName, deploys, code) => {
    const project = await makeProject(planName)
    for (const succeeded of deploys) await addDeploy(project, succeeded)

    await expect(add(project, 'www.shop.test')).rejects.toMatchObject({ code })
    expect(await own.db.domain.count()).toBe(0)
  })

  it('is found, verified and removed by its own project alone', async () => {
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
    expect(asked).toEqual([])
    expect(await findDomainById(own.db, shop, domain.id)).toMatchObject({ askedAt: null, state: 'pending' })
    expect((await listDomains(own.db, zoo)).map(({ name }) => name)).toEqual(['www.zoo.test'])
  })

  it('is the last of its project that there is room for, of however many that are added at once', async () => {
    const times = { createdAt: new Date(at), looksSince: new Date(at) }
    const many = Array.from({ length: 49 }, (_, n) => ({
      projectId: shop.id,
      name: `many${n}.test`,
      ...times,
    }))
    await own.db.domain.createMany({ data: many })

    // Each has looked how many there are before any of them is written, or waits for its turn to look.
    const holder = await own.database.pool?.connect()
    onTestFinished(() => holder?.release())
    await holder?.query('BEGIN; LOCK TABLE domains IN SHARE ROW EXCLUSIVE MODE')
    const adding = Promise.allSettled(Array.from({ length: 6 }, (_, n) => add(shop, `more${n}.test`)))
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await until(
      // Whoever holds the lock sees in its transaction what it saw first.
      async () => (await own.database.pool?.query(waiting))?.rowCount,
      count => count === 6,
    )
    await holder?.query('COMMIT')
    const all = await adding

    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await own.db.domain.count({ where: { projectId: shop.id } })).toBe(50)
  })

  it('is the fiftieth of its project and not the fifty-first, and of another the first', async () => {
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
  ])('is verified %i ms after the time before, or in %j seconds', async (ms, retryAfterSeconds) => {
    await add(shop, 'www.shop.test')
    await verify(shop, 'www.shop.test')
    at += ms

    const again = verify(shop, 'www.shop.test')

    if (retryAfterSeconds === null) await again
    else await expect(again).rejects.toMatchObject({ code: 'verify_too_soon', retryAfterSeconds })
    expect(asked).toHaveLength(retryAfterSeconds === null ? 2 : 1)
  })

  it('is asked for once, however many verify it at once', async () => {
    await add(shop, 'www.shop.test')

    const all = await Promise.allSettled(Array.from({ length: 8 }, () => verify(shop, 'www.shop.test')))

    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(asked).toEqual(['www.shop.test'])
  })

  it('is not asked for where the plan or the rules no longer admit it', async () => {
    await add(shop, 'www.shop.test')

    const onFree = { ...shop, planName: 'free' }
    await expect(verify(onFree, 'www.shop.test')).rejects.toMatchObject({ code: 'plan_required' })
    suffixes = []
    await expect(verify(shop, 'www.shop.test')).rejects.toMatchObject({ code: 'invalid_input' })

    expect(asked).toEqual([])
  })

  it('that is re-verified begins its certificate anew, but for one in order, and while orders are left', async () => {
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
    // The look was not taken either, so that it can be had at once by asking for it alone.
    await verify(shop, 'www.shop.test')
  })

  it('that goes leaves what is in service, and its certificate to rest unless another project has the name', async () => {
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
