import { beforeAll, describe, expect, it } from 'vitest'
import { scopes } from '../../../src/core/keys/scopes.ts'
import { toProject } from '../../../src/core/project.ts'
import {
  createProject,
  findOwner,
  findProject,
  listProjects,
  type NewProject,
  type ProjectFilters,
  type ProjectPage,
  resumeProject,
  setPlan,
  suspendProject,
} from '../../../src/core/projects/operator.ts'
import { listPlans } from '../../../src/core/projects/plans.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const now = Date.parse('2031-06-30T12:00:00Z')
const clock = { now: () => now, aheadMs: () => 0 }
const day = (ago: number) => new Date(Date.parse('2031-06-30T00:00:00Z') - ago * 86_400_000)

describe.skipIf(!canRace())('an operator', () => {
  const own = prepareOwnDatabase()
  const create = async (input: Partial<NewProject> & { slug: string }) =>
    createProject(own.db, clock, { name: null, planName: 'free', limits: null, ...input })
  const row = (slug: string) => own.db.project.findUniqueOrThrow({ where: { slug } })
  const refused = (...fields: string[]) => ({
    code: 'invalid_input',
    details: fields.map(field => expect.objectContaining({ field })),
  })

  it.each([
    'abc',
    'a1-',
    'x'.repeat(40),
    'x'.repeat(41),
    'ab',
    'a-b-c',
    'a--b',
    'a-b',
    'a_b',
    'abc\n',
    '\nabc',
    'Abc',
  ])('a slug has 3 to 40 letters, digits and single inner hyphens: %j', async slug => {
    const isFit = ['abc', 'x'.repeat(40), 'a-b-c', 'a-b'].includes(slug)

    const made = create({ slug })

    if (!isFit) await expect(made).rejects.toMatchObject(refused('slug'))
    else expect((await made).project).toMatchObject({ slug, name: slug, planName: 'free', suspended: false })
    expect(await own.db.project.count({ where: { slug } })).toBe(isFit ? 1 : 0)
  })

  it('a new project is refused with all its faults at once, and nothing is stored', async () => {
    const wrong = { slug: 'A', name: 'n'.repeat(101), planName: 'enterprise' }

    await expect(create(wrong)).rejects.toMatchObject(refused('slug', 'name', 'limits'))
    await expect(create({ slug: 'with-limits', limits: { perMinute: 1, perDay: 1 } })).rejects.toMatchObject(
      refused('limits'),
    )
    expect(await own.db.project.count({ where: { slug: 'with-limits' } })).toBe(0)
  })

  it('a new project has a name of up to a hundred characters and a first key, and slugs are unique', async () => {
    const { project, owner } = await create({ slug: 'first', name: ` ${'n'.repeat(100)} ` })

    expect(project.name).toBe('n'.repeat(100))
    expect(owner.apiKey).toMatchObject({
      ...{ projectId: project.id, name: 'Owner', scopes, createdAt: new Date(now) },
      ...{ expiresAt: null, revokedAt: null },
    })
    expect(owner.secret.slice(0, 11)).toBe(owner.apiKey.prefix)
    expect(await own.db.apiKey.count({ where: { projectId: project.id } })).toBe(1)
    await expect(create({ slug: 'first', name: 'Second' })).rejects.toMatchObject({ code: 'project_exists' })
    expect(await findProject(own.db, 'first')).toEqual(project)
  })

  it.each([
    ['no requests a minute', 0, 100, 'limits.requestsPerMinute'],
    ['one request a minute and a day', 1, 1, null],
    ['more a minute than a day', 11, 10, 'limits.requestsPerDay'],
    ['as many a minute as a day', 10, 10, null],
    ['a negative number a minute', -1, 10, 'limits.requestsPerMinute'],
  ])(
    'an enterprise plan needs positive limits, and its minute limit may not exceed its daily limit: %s',
    async (what, perMinute, perDay, field) => {
      const slug = `limits-${what.replaceAll(' ', '-')}`
      const enterprise = { planName: 'enterprise', limits: { perMinute, perDay } }
      const { project } = await create({ slug: `${slug}-s` })

      for (const act of [
        async () => (await create({ slug, ...enterprise })).project,
        () => setPlan(own.db, `${slug}-s`, 'enterprise', enterprise.limits),
      ])
        if (field) await expect(act()).rejects.toMatchObject(refused(field))
        else expect(await act()).toMatchObject({ planName: 'enterprise', limits: enterprise.limits })
      if (field) expect(await findProject(own.db, `${slug}-s`)).toEqual(project)
    },
  )

  it('a second suspension keeps the time of the first, and resuming restores the project as it was before', async () => {
    const { project } = await create({ slug: 'suspended-once' })
    const before = await row(project.slug)
    await create({ slug: 'never-suspended' })

    expect(await suspendProject(own.db, clock, project.slug)).toEqual({ ...project, suspended: true })
    await suspendProject(own.db, { ...clock, now: () => now + 1 }, project.slug)
    expect(await row(project.slug)).toEqual({ ...before, suspendedAt: new Date(now) })
    expect(await row('never-suspended')).toMatchObject({ suspendedAt: null })
    expect(await resumeProject(own.db, project.slug)).toEqual(project)
    expect(await row(project.slug)).toEqual(before)
  })

  it('an unknown or malformed slug is refused with project_not_found', async () => {
    for (const slug of ['nobody', '', 'a\0b', '\ud800'])
      for (const act of [
        () => findProject(own.db, slug),
        () => setPlan(own.db, slug, 'pro', null),
        () => suspendProject(own.db, clock, slug),
        () => resumeProject(own.db, slug),
      ])
        await expect(act()).rejects.toMatchObject({ code: 'project_not_found' })
  })

  it('an operator finds the owner of a key, a domain or a deploy, and null if there is none', async () => {
    const { project, owner } = await create({ slug: 'owner' })
    const other = await create({ slug: 'other-owner' })
    await own.giveDomain(project as never, 'www.owner.test')
    const { id: domainId } = await own.db.domain.findFirstOrThrow({ where: { projectId: project.id } })
    const deploy = { projectId: project.id, succeeded: true, configuration: {}, log: [] }
    const { id: deployId } = await own.db.deploy.create({ data: deploy })

    expect(await findOwner(own.db, { apiKeyId: owner.apiKey.id })).toEqual(project)
    expect(await findOwner(own.db, { domainId })).toEqual(project)
    expect(await findOwner(own.db, { deployId })).toEqual(project)
    expect(await findOwner(own.db, { apiKeyId: other.owner.apiKey.id })).toEqual(other.project)
    expect(await findOwner(own.db, { deployId: deployId + 1 })).toBeNull()
  })

  it('plans are listed smallest first', async () => {
    expect((await listPlans(own.db)).map(({ name }) => name)).toEqual([
      'free',
      'pro',
      'business',
      'enterprise',
    ])
  })

  describe('lists projects', () => {
    const slugs = ['wren-a', 'wren-b', 'wren-c', 'wren-d']
    beforeAll(async () => {
      for (const slug of slugs) {
        const { project } = await create({ slug, name: `Shop ${slug}` })
        const use = (ago: number, requests: number, refusals = 0) => ({
          ...{ projectId: project.id, day: day(ago), door: 'rest', requests, refusals },
        })
        const data = {
          'wren-a': [use(31, 1_000)],
          'wren-b': [use(30, 2), use(0, 1)],
          'wren-c': [use(29, 2, 900)],
          'wren-d': [use(1, 3)],
        }[slug]
        await own.db.usage.createMany({ data: data ?? [] })
      }
    })
    const list = async (page: Partial<ProjectPage> = {}, filters: Partial<ProjectFilters> = {}) => {
      const all = { search: 'wren', planName: null, suspended: null, ...filters }
      const { projects, hasMore } = await listProjects(own.db, clock, all, {
        ...{ order: 'oldest', limit: 100, after: null },
        ...page,
      })
      return [...projects.map(({ slug }) => slug), ...(hasMore ? ['more'] : [])]
    }

    it('projects are sorted by their requests of the last thirty days, without refusals, and then by age', async () => {
      expect(await list({ order: 'most_used' })).toEqual(['wren-b', 'wren-d', 'wren-c', 'wren-a'])
      expect(await list({ order: 'most_used', limit: 1, after: 1 })).toEqual(['wren-d', 'more'])
      expect(await list({ order: 'most_used', limit: 1, after: 3 })).toEqual(['wren-a'])
    })

    it('a list of projects has no next page if its last page is exactly full', async () => {
      expect(await list({ limit: 4 })).toEqual(slugs)
      expect(await list({ limit: 3 })).toEqual([...slugs.slice(0, 3), 'more'])
      expect(await list({ order: 'newest', limit: 3 })).toEqual(['wren-d', 'wren-c', 'wren-b', 'more'])
      const { id } = await row('wren-c')
      expect(await list({ after: id })).toEqual(['wren-d'])
      expect(await list({ order: 'newest', after: id })).toEqual(['wren-b', 'wren-a'])
    })

    it('a search for projects matches a part of the slug or the name, and finds nothing for an unstorable text', async () => {
      expect(await list({}, { search: 'P WREN-C' })).toEqual(['wren-c'])
      expect(await list({}, { search: 'en-cShop' })).toEqual([])
      for (const search of ['wr\0en', '\ud800']) expect(await list({}, { search })).toEqual([])
    })

    it('projects are filtered by plan and by whether they are suspended', async () => {
      await setPlan(own.db, 'wren-b', 'pro', null)
      await suspendProject(own.db, clock, 'wren-b')
      await suspendProject(own.db, clock, 'wren-d')

      expect(await list({}, { planName: 'pro' })).toEqual(['wren-b'])
      expect(await list({}, { planName: 'free' })).toEqual(['wren-a', 'wren-c', 'wren-d'])
      expect(await list({}, { suspended: true })).toEqual(['wren-b', 'wren-d'])
      expect(await list({}, { suspended: false })).toEqual(['wren-a', 'wren-c'])
      expect(await list({}, { suspended: true, planName: 'free' })).toEqual(['wren-d'])
      expect(await list({}, { search: null, suspended: true })).toContain('wren-d')
    })

    it('a page of projects has between one and a hundred entries, and any other size is refused', async () => {
      expect(await list({ limit: 1 })).toEqual(['wren-a', 'more'])
      expect(await list({ limit: 100 })).toEqual(slugs)
      for (const limit of [0, 101, -1]) await expect(list({ limit })).rejects.toMatchObject(refused('first'))
    })
  })
})

it("a project's own limits replace the limits of its plan", () => {
  const times = {
    createdAt: new Date(0),
    updatedAt: new Date(0),
    suspendedAt: null,
    leakedKeys: 'tell' as const,
    domainsGraceEndsAt: null,
  }
  const shop = { id: 1, slug: 'shop', name: 'Shop', planName: 'pro', ownershipToken: '', ...times }
  const plan = { name: 'pro', rank: 1, requestsPerMinute: 300, requestsPerDay: 10_000 }
  const none = { name: 'enterprise', rank: 3, requestsPerMinute: null, requestsPerDay: null }
  const limitsOf = (
    requestsPerMinute: number | null,
    requestsPerDay: number | null,
    of = plan as typeof plan | typeof none,
  ) => toProject({ ...shop, requestsPerMinute, requestsPerDay, plan: of }).limits

  expect(limitsOf(null, null)).toEqual({ perMinute: 300, perDay: 10_000 })
  expect(limitsOf(7, null)).toEqual({ perMinute: 7, perDay: 10_000 })
  expect(limitsOf(null, 8)).toEqual({ perMinute: 300, perDay: 8 })
  expect(limitsOf(7, 8, none)).toEqual({ perMinute: 7, perDay: 8 })
  expect(limitsOf(null, null, none)).toEqual({ perMinute: 0, perDay: 0 })
})
