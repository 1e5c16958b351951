import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOf, graphqlOf, sendGraphql } from '../support/graphql.ts'
import { limiters, thrice } from '../support/limiters.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
const create =
  'mutation($input: NewProject!) { createProject(input: $input) { project { slug name plan { name } limits { requestsPerMinute requestsPerDay } platformHost suspended } owner { secret apiKey { scopes } } } }'

describe.each(limiters)('GraphQL for projects, with limits counted $counting', ({ redisEnv }) => {
  let app: App
  let project: TestProject
  beforeAll(async () => {
    app = await startApp({ env: { OPERATOR_KEY: operatorKey, ...(await redisEnv()) } })
    project = await app.makeProject({ plan: 'pro' })
  })
  afterAll(() => app.stop())
  const asOperator = (query: string, variables?: unknown) =>
    sendGraphql(app.url, operatorKey, query, { variables })

  test('an owner sees the project with its plan, limits and host', async () => {
    const { data } = await graphqlOf(
      app,
      project,
    )(
      '{ project { slug name plan { name customDomains } limits { requestsPerMinute requestsPerDay managementPerMinute } platformHost baseUrl suspended } plans { name requestsPerMinute requestsPerDay customDomains } caller { operator scopes keyPrefix projectSlug } }',
    )

    const { slug } = project.project
    expect(data.project).toEqual({
      slug,
      name: 'A store',
      plan: { name: 'pro', customDomains: true },
      limits: { requestsPerMinute: 300, requestsPerDay: 10_000, managementPerMinute: 300 },
      platformHost: `${slug}.animals.localhost`,
      baseUrl: `${app.tools.config.publicUrl}/v1`,
      suspended: false,
    })
    expect(data.plans).toEqual([
      { name: 'free', requestsPerMinute: 60, requestsPerDay: 1000, customDomains: false },
      { name: 'pro', requestsPerMinute: 300, requestsPerDay: 10_000, customDomains: true },
      { name: 'business', requestsPerMinute: 1000, requestsPerDay: 100_000, customDomains: true },
      { name: 'enterprise', requestsPerMinute: null, requestsPerDay: null, customDomains: true },
    ])
    expect(data.caller).toEqual({
      operator: false,
      scopes: [
        'pets_read',
        'pets_write',
        'orders_read',
        'orders_write',
        'events_read',
        'webhooks_write',
        'project_read',
        'project_write',
      ],
      keyPrefix: project.secret.slice(0, 11),
      projectSlug: slug,
    })
  })

  test('an operator creates a project whose first key has all scopes', async () => {
    const { data } = await asOperator(create, { input: { slug: 'corner-shop' } })

    const { project: made, owner } = data.createProject
    expect(made).toEqual({
      slug: 'corner-shop',
      name: 'corner-shop',
      plan: { name: 'free' },
      suspended: false,
      limits: { requestsPerMinute: 60, requestsPerDay: 1000 },
      platformHost: 'corner-shop.animals.localhost',
    })
    expect(owner.apiKey.scopes).toHaveLength(8)
    expect(
      codesOf(
        await sendGraphql(
          app.url,
          owner.secret,
          'mutation { createPet(input: { name: "A", categoryId: 1 }) { id } }',
        ),
      ),
    ).toEqual([])
    expect(codesOf(await asOperator(create, { input: { slug: 'corner-shop' } }))).toEqual(['project_exists'])
  })

  test.each(['', 'a', 'ab', 'Shop', '1shop', '-shop', 'shop-', 'two--hyphens', 'ein.laden', 'x'.repeat(41)])(
    'the slug "%s" is rejected',
    async slug => {
      const { errors } = await asOperator(create, { input: { slug, name: 'A' } })
      expect(errors[0]?.extensions).toMatchObject({
        code: 'invalid_input',
        details: [{ field: 'input.slug' }],
      })
    },
  )

  test('a new plan takes effect within a second and keeps the counts of requests', async () => {
    const own = await app.makeProject({ plan: 'free' })
    await own.get('/v1/pets')
    const setPlan =
      'mutation($project: String!, $plan: PlanName!, $limits: NewLimits) { setPlan(project: $project, plan: $plan, limits: $limits) { plan { name } limits { requestsPerMinute } } }'

    const { data } = await asOperator(setPlan, {
      project: own.project.slug,
      plan: 'enterprise',
      limits: { requestsPerMinute: 5000, requestsPerDay: 9000 },
    })

    expect(data.setPlan).toEqual({ plan: { name: 'enterprise' }, limits: { requestsPerMinute: 5000 } })
    const remaining = async () =>
      (await graphqlOf(app, own)('{ rateLimit { plan minute { limit remaining } day { limit } } }')).data
        .rateLimit
    await expect
      .poll(remaining, { timeout: 3000 })
      .toEqual({ plan: 'enterprise', minute: { limit: 5000, remaining: 4999 }, day: { limit: 9000 } })
    await asOperator(setPlan, { project: own.project.slug, plan: 'pro' })
    // After the change to the plan pro, the limits that the operator set for the plan enterprise no longer apply.
    await expect
      .poll(remaining, { timeout: 3000 })
      .toEqual({ plan: 'pro', minute: { limit: 300, remaining: 299 }, day: { limit: 10_000 } })
    expect(codesOf(await asOperator(setPlan, { project: own.project.slug, plan: 'enterprise' }))).toEqual([
      'invalid_input',
    ])
    expect(
      codesOf(
        await asOperator(setPlan, {
          project: own.project.slug,
          plan: 'free',
          limits: { requestsPerMinute: 1, requestsPerDay: 1 },
        }),
      ),
    ).toEqual(['invalid_input'])
    expect(codesOf(await asOperator(setPlan, { project: 'nobody', plan: 'free' }))).toEqual([
      'project_not_found',
    ])
  })

  test('requests to a suspended project are rejected over REST and GraphQL, and its data stays', async () => {
    const own = await app.makeProject()
    await own.post('/v1/pets', { name: 'A', categoryId: 1 })
    const send = graphqlOf(app, own)
    const project = own.project.slug
    await thrice(() => send('{ pets { nodes { name } } }'))

    await asOperator('mutation($project: String!) { suspendProject(project: $project) { suspended } }', {
      project,
    })
    await expect.poll(async () => (await own.get('/v1/pets')).status, { timeout: 3000 }).toBe(403)
    for (const refused of await thrice(() => send('{ pets { nodes { name } } }'))) {
      expect(refused.status).toBe(403)
      expect(codesOf(refused)).toEqual(['project_suspended'])
    }

    await asOperator('mutation($project: String!) { resumeProject(project: $project) { suspended } }', {
      project,
    })
    await expect
      .poll(async () => (await send('{ pets { nodes { name } } }')).data, { timeout: 3000 })
      .toEqual({ pets: { nodes: [{ name: 'A' }] } })
  })

  test('an operator pages through all projects and manages the keys of each', async () => {
    const query =
      'query($after: String) { projects(first: 2, after: $after) { nodes { slug } pageInfo { hasNextPage endCursor } } }'
    const slugs: string[] = []
    let after: string | null = null
    type Page = { nodes: { slug: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
    do {
      const { nodes, pageInfo }: Page = (await asOperator(query, { after })).data.projects
      slugs.push(...nodes.map(node => node.slug))
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    } while (after !== null)
    expect(slugs).toContain(project.project.slug)
    expect(new Set(slugs).size).toBe(slugs.length)

    const slug = project.project.slug
    const keys = await asOperator(
      'query($slug: String) { project(slug: $slug) { id apiKeys { nodes { id } } usage { requests } } }',
      { slug },
    )
    const issued = await asOperator(
      'mutation($id: ID) { issueApiKey(input: { projectId: $id, name: "lost and found", scopes: [project_read] }) { secret } }',
      { id: keys.data.project.id },
    )
    expect(keys.data.project.apiKeys.nodes.map((key: { id: string }) => key.id)).toContain(
      `key_${project.keyId}`,
    )
    expect((await sendGraphql(app.url, issued.data.issueApiKey.secret, '{ project { slug } }')).data).toEqual(
      { project: { slug } },
    )
    expect(codesOf(await asOperator('{ apiKeys { nodes { id } } }'))).toEqual(['invalid_input'])
  })

  test('an operator finds projects by a part of their name, by plan and by state, and sorts them by use', async () => {
    for (const [slug, plan] of [
      ['finch-quiet', 'pro'],
      ['finch-busy', 'free'],
      ['finch-busiest', 'pro'],
    ]) {
      const input = { slug, plan, name: slug === 'finch-quiet' ? '100%_Finch' : `Shop of ${slug}` }
      await asOperator(
        'mutation($input: NewProject!) { createProject(input: $input) { project { slug } } }',
        {
          input,
        },
      )
    }
    await asOperator('mutation { suspendProject(project: "finch-busy") { slug } }')
    const use = async (slug: string, daysAgo: number, requests: number) => {
      const { id } = await app.tools.db.project.findUniqueOrThrow({ where: { slug } })
      const day = new Date(app.tools.clock.now() - daysAgo * 86_400_000)
      await app.tools.db.usage.create({ data: { projectId: id, day, door: 'rest', requests, refusals: 0 } })
    }
    await use('finch-busy', 1, 50)
    await use('finch-busiest', 2, 70)
    await use('finch-quiet', 40, 1000)
    const find = async (args: string) => {
      const { data } = await asOperator(`{ projects(${args}) { nodes { slug } } }`)
      return data.projects.nodes.map(({ slug }: { slug: string }) => slug)
    }

    expect(await find('search: "FINCH"')).toEqual(['finch-quiet', 'finch-busy', 'finch-busiest'])
    expect(await find('search: "FINCH", order: newest')).toEqual([
      'finch-busiest',
      'finch-busy',
      'finch-quiet',
    ])
    expect(await find('search: "0%_f"')).toEqual(['finch-quiet'])
    expect(await find('search: "finch", plan: pro')).toEqual(['finch-quiet', 'finch-busiest'])
    expect(await find('search: "finch", suspended: true')).toEqual(['finch-busy'])
    expect(await find('search: "finch", suspended: false, plan: free')).toEqual([])
    const byUse = ['finch-busiest', 'finch-busy', 'finch-quiet']
    expect(await find('search: "finch", order: most_used')).toEqual(byUse)

    for (const order of ['most_used', 'newest']) {
      const query = `query($after: String) { projects(first: 1, search: "finch", order: ${order}, after: $after) { nodes { slug } pageInfo { hasNextPage endCursor } } }`
      const walked: string[] = []
      for (let after: string | null = null, more = true; more; ) {
        const {
          nodes,
          pageInfo,
        }: { nodes: { slug: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } = (
          await asOperator(query, { after })
        ).data.projects
        walked.push(...nodes.map(({ slug }) => slug))
        after = pageInfo.endCursor
        more = pageInfo.hasNextPage
      }
      expect(walked).toEqual(byUse)
    }
    const { data } = await asOperator('{ projects(first: 1) { pageInfo { endCursor } } }')
    const after = data.projects.pageInfo.endCursor
    const crossed = 'query($after: String) { projects(order: most_used, after: $after) { nodes { slug } } }'
    expect(codesOf(await asOperator(crossed, { after }))).toEqual(['invalid_input'])
  })

  test('REST rejects the operator key', async () => {
    expect((await app.ask('/v1/pets', { headers: { authorization: `Bearer ${operatorKey}` } })).status).toBe(
      401,
    )
  })

  test('usage shows requests and refusals over REST and GraphQL by day', async () => {
    const own = await app.makeProject({ plan: 'enterprise', perMinute: 5, perDay: 100 })
    const send = graphqlOf(app, own)
    for (let i = 0; i < 4; i++) await own.get('/v1/pets')
    await send('{ pets { nodes { id } } }')
    await send('{ a: pets { nodes { id } } b: pets { nodes { id } } }')
    await own.get('/v1/pets')
    await app.tools.usageCounter.flush()

    const { usage } = (
      await send(
        '{ usage(days: 2) { requests refusals doors { door requests refusals } days { date requests refusals doors { door requests refusals } } } }',
      )
    ).data

    const doors = [
      { door: 'rest', requests: 4, refusals: 1 },
      { door: 'graphql', requests: 1, refusals: 1 },
      { door: 'mcp', requests: 0, refusals: 0 },
    ]
    const today = new Date().toISOString().slice(0, 10)
    expect(usage).toMatchObject({ requests: 5, refusals: 2, doors })
    expect(usage.days).toHaveLength(2)
    expect(usage.days[1]).toEqual({ date: today, requests: 5, refusals: 2, doors })
    expect(usage.days[0]).toMatchObject({ requests: 0, refusals: 0 })
    expect(codesOf(await send('{ usage(days: 91) { requests } }'))).toEqual(['invalid_input'])
  })
})
