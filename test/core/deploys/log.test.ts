import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { NewDeploy } from '../../../src/core/deploys/configuration.ts'
import {
  deploy,
  deployWithout,
  deployWithRedirect,
  findCurrentDeploys,
  findDeploy,
  listDeploysOfProjects,
  rollback,
  validateDeploy,
} from '../../../src/core/deploys/deploys.ts'
import type { Project } from '../../../src/core/project.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const pageOf = ({ id }: Project, limit: number, after: number | null) => ({
  ...{ projectId: id, limit, after, isBackward: false },
})

const now = Date.parse('2031-06-01T12:00:00Z')
const at = '2031-06-01T12:00:00.000Z'
const tools = {
  clock: { now: () => now, aheadMs: () => 0 },
  platformHost: 'animals.test',
  nameRules: { platformHost: 'animals.test', ownHosts: [], suffixes: ['test'] },
}

describe.skipIf(!canRace())('a deploy', () => {
  const own = prepareOwnDatabase()
  let shop: Project
  let zoo: Project
  beforeAll(async () => {
    const makeProject = async () => (await own.makeProject()) as unknown as Project
    ;[shop, zoo] = [await makeProject(), await makeProject()]
    for (const name of ['a.test', 'b.test']) await own.giveDomain(shop as never, name)
    await own.giveDomain(zoo as never, 'zoo.test')
    const claim = { name: 'new.test', createdAt: new Date(now), looksSince: new Date(now) }
    await own.db.domain.create({ data: { projectId: shop.id, ...claim } })
  })
  const publish = (input: NewDeploy, project = shop) => deploy(own.db, tools, project, input)
  const info = (message: string) => ({ at, level: 'info', message })
  const error = (message: string) => ({ at, level: 'error', message })
  const from = (name: string, to = 'a.test', status = 301) => ({ from: name, to, status })

  it('a deploy logs line by line what it publishes, and stores that log', async () => {
    const redirects = [from('b.test', 'a.test', 308)]

    const published = await publish({ domains: { primary: 'A.test', redirects } })

    expect(published).toEqual({
      id: expect.any(Number),
      projectId: shop.id,
      succeeded: true,
      rollbackOfId: null,
      createdAt: new Date(now),
      configuration: { title: null, description: null, domains: { primary: 'a.test', redirects } },
      log: [
        info(`Validating the configuration of ${shop.slug}.`),
        info('The primary domain is a.test.'),
        info('b.test redirects to a.test with 308.'),
        info(`In service at ${shop.slug}.animals.test and on the project's live domains.`),
      ],
    })
    expect(await findDeploy(own.db, shop, published.id ?? 0)).toEqual(published)
    expect(await findCurrentDeploys(own.db, [zoo.id, shop.id])).toEqual([null, published])
  })

  it('a dry run logs what it would do and stores nothing', async () => {
    const before = await own.db.deploy.count()

    const published = await validateDeploy(own.db, tools, shop, { title: ' Shop ', description: '' })

    expect(published).toEqual({
      ...{ id: null, projectId: shop.id, succeeded: true, rollbackOfId: null, createdAt: new Date(now) },
      configuration: { title: 'Shop', description: null, domains: { primary: null, redirects: [] } },
      log: [
        info(`Validating the configuration of ${shop.slug}.`),
        info(`No primary domain is set; the first live domain is used, or else ${shop.slug}.animals.test.`),
        info('The configuration is in order; nothing was published.'),
      ],
    })
    expect(await own.db.deploy.count()).toBe(before)
  })

  it('a deploy that names an invalid domain and a domain of another project fails with an error for each of the two domains', async () => {
    const published = await publish({ domains: { primary: 'zoo.test', redirects: [from('no name')] } })

    expect(published).toMatchObject({ succeeded: false, id: expect.any(Number) })
    expect(published.log.slice(2)).toEqual([
      info('no name redirects to a.test with 301.'),
      error('domains.primary: zoo.test is not a domain of this project; add it first.'),
      error('domains.redirects[0].from: "no name" holds spaces or control characters.'),
      error('The deploy failed; the previous deploy stays in service.'),
    ])
  })

  it('a deploy warns wherever it names an unverified domain', async () => {
    const published = await validateDeploy(own.db, tools, shop, {
      domains: { redirects: [from('a.test', 'new.test'), from('b.test', 'new.test')] },
    })

    expect(published.succeeded).toBe(true)
    expect(published.log.filter(({ level }) => level === 'warning').map(({ message }) => message)).toEqual([
      'domains.redirects[0].to: new.test is not verified yet and takes effect once it is.',
      'domains.redirects[1].to: new.test is not verified yet and takes effect once it is.',
    ])
    const same = { domains: { primary: 'new.test', redirects: [from('a.test', 'new.test')] } }
    const { log } = await validateDeploy(own.db, tools, shop, same)
    expect(log.filter(({ level }) => level === 'warning')).toHaveLength(2)
  })

  it('a project lists only its own deploys, newest first, and can roll back to an old one', async () => {
    const make = async () => (await own.makeProject()) as unknown as Project
    const [own1, own2] = [await make(), await make()]
    const ids = []
    for (const title of ['One', 'Two', 'Three']) {
      ids.push((await publish({ title }, own1)).id ?? 0)
      await publish({ title: 'Foreign' }, own2)
    }
    const [one = 0, two = 0, three = 0] = ids
    const list = async (limit: number, before: number | null) =>
      (await listDeploysOfProjects(own.db, [pageOf(own1, limit, before)])).flat().map(({ id }) => id)

    expect(await list(9, null)).toEqual([three, two, one])
    expect(await list(1, null)).toEqual([three])
    expect(await list(9, three)).toEqual([two, one])
    const back = await rollback(own.db, tools, own1, one)
    expect(back).toMatchObject({ projectId: own1.id, configuration: { title: 'One' }, rollbackOfId: one })
    expect(await list(1, null)).toEqual([back.id])
    for (const id of [0, -1, 1.5, 2 ** 31, Number.NaN])
      await expect(findDeploy(own.db, own1, id)).rejects.toMatchObject({ code: 'deploy_not_found' })
  })

  it('adding a pair of domains or removing a domain changes only the domains of the current configuration, and adding a pair can create the first deploy', async () => {
    const bare = (await own.makeProject()) as unknown as Project
    onTestFinished(async () => void (await own.db.domain.deleteMany({ where: { projectId: bare.id } })))
    for (const name of ['pair.test', 'www.pair.test']) await own.giveDomain(bare as never, name)

    await deployWithout(own.db, tools, bare, 'pair.test')
    expect(await listDeploysOfProjects(own.db, [pageOf(bare, 9, null)])).toEqual([[]])
    const first = await deployWithRedirect(own.db, tools, bare, from('www.pair.test', 'pair.test'))
    expect(first).toMatchObject({
      succeeded: true,
      configuration: {
        ...{ title: null, description: null },
        domains: { primary: null, redirects: [from('www.pair.test', 'pair.test')] },
      },
    })
    await publish({ description: 'All of it', domains: first?.configuration.domains ?? null }, bare)
    await deployWithout(own.db, tools, bare, 'pair.test')
    expect(await findCurrentDeploys(own.db, [bare.id])).toMatchObject([
      { configuration: { description: 'All of it', domains: { primary: null, redirects: [] } } },
    ])
  })

  describe('a deploy whose log is long', () => {
    /** Makes a log with two lines at the beginning, one per redirect, one per invalid status, and the end. */
    const long = (faults: number, status = 303) =>
      validateDeploy(own.db, tools, shop, {
        domains: {
          redirects: Array.from({ length: 50 }, (_, n) =>
            from(`f${n}.test`, 'a.test', n < faults ? status : 301),
          ),
        },
      })
    beforeAll(async () => {
      for (let n = 0; n < 50; n++)
        await own.db.domain.create({
          data: {
            projectId: shop.id,
            name: `f${n}.test`,
            ownedName: `f${n}.test`,
            state: 'live',
            createdAt: new Date(now),
            looksSince: new Date(now),
          },
        })
    })

    it('a long log of a deploy keeps sixty lines', async () => {
      const { log } = await long(7)

      expect(log).toHaveLength(60)
      expect(log.at(-2)?.message).toBe('domains.redirects[6].status is 303; it must be 301, 302, 307 or 308.')
    })

    it('a long log of a deploy keeps its errors and last lines in order, and counts the omitted lines', async () => {
      const { log } = await long(8)

      expect(log).toHaveLength(60)
      expect(log.slice(-2)).toEqual([
        info('2 more lines are left out.'),
        error('The deploy failed; the previous deploy stays in service.'),
      ])
      expect(log.filter(({ level }) => level === 'error')).toHaveLength(9)
      expect(log.slice(0, 2).map(({ message }) => message)).toEqual([
        `Validating the configuration of ${shop.slug}.`,
        expect.stringContaining('No primary domain'),
      ])
      expect(log.slice(2, 50).map(({ message }) => message)).toEqual(
        Array.from({ length: 48 }, (_, n) => expect.stringContaining(`f${n}.test redirects to`)),
      )
    })

    it('a log of a deploy with few but very long lines is cut to at most 9,000 bytes', async () => {
      const bytes = (log: { message: string }[]) =>
        log.reduce((sum, { message }) => sum + Buffer.byteLength(JSON.stringify(message)), 0)
      const named = (count: number, length: number) =>
        validateDeploy(own.db, tools, shop, {
          domains: {
            redirects: Array.from({ length: count }, (_, n) => from(`${n}${'ä'.repeat(length)} `, 'a.test')),
          },
        })

      const { log: whole } = await named(3, 900)
      expect(bytes(whole)).toBeLessThanOrEqual(9_000)
      expect(whole).toHaveLength(2 + 3 + 3 + 1)
      const { log: cut } = await named(6, 900)
      expect(bytes(cut)).toBeLessThanOrEqual(9_000)
      const leftOut = Number(/^\d+/.exec(cut.at(-2)?.message ?? '')?.[0])
      // One line replaces all omitted lines.
      expect(leftOut).toBe(2 + 6 + 6 + 1 - (cut.length - 1))
    })
  })
})
