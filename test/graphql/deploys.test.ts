import { afterAll, beforeAll, expect, test } from 'vitest'
import { codesOf, graphqlOf } from '../support/graphql.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('a long log of a deploy is shortened to its errors and its end, and says so', async () => {
  const send = graphqlOf(app, await app.makeProject())
  const redirects = Array.from({ length: 50 }, (_, i) => ({
    from: `${'ä'.repeat(200)}${i}`,
    to: `b${i}.example`,
  }))

  const { data } = await send(
    'mutation($input: NewDeploy!) { deploy(input: $input) { state log { level message } } }',
    {
      variables: { input: { domains: { redirects } } },
    },
  )

  const { state, log } = data.deploy
  expect(state).toBe('failed')
  expect(log.length).toBeLessThanOrEqual(60)
  expect(JSON.stringify(log.map((line: { message: string }) => line.message)).length).toBeLessThan(9_100)
  expect(log.at(-1).message).toContain('The deploy failed')
  expect(log.at(-2).message).toMatch(/^\d+ more lines are left out\.$/)
  expect(log[0].level).toBe('error')
})

test('deploys are listed page by page even if their ids reach the highest id of the database', async () => {
  const own = await app.makeProject()
  const configuration = { title: null, description: null, domains: { primary: null, redirects: [] } }
  const ids = [2 ** 31 - 1, 2 ** 31 - 2, 2 ** 31 - 3]
  const data = ids.map(id => ({ id, projectId: own.project.id, succeeded: true, configuration, log: [] }))
  await app.tools.db.deploy.createMany({ data })
  const page = async (after: string | null) => {
    const query =
      'query($after: String) { deploys(first: 1, after: $after) { nodes { id } pageInfo { endCursor } } }'
    return (await graphqlOf(app, own)(query, { variables: { after } })).data.deploys
  }

  const first = await page(null)
  const second = await page(first.pageInfo.endCursor)
  const third = await page(second.pageInfo.endCursor)

  expect([first, second, third].map(({ nodes }) => nodes[0].id)).toEqual(ids.map(id => `deploy_${id}`))
})

test('a deploy with a long domain name of emoji fails with the reason, and is recorded', async () => {
  const send = graphqlOf(app, await app.makeProject())
  const name = '😀'.repeat(128)
  const domains = { primary: name, redirects: [{ from: `x${name}`, to: 'shop.example' }] }

  const { data } = await send(
    'mutation($input: DeployCreateInput!) { deployCreate(input: $input) { deploy { id state } } }',
    { variables: { input: { domains } } },
  )

  expect(data.deployCreate?.deploy).toEqual({ id: expect.any(String), state: 'failed' })
})

test('a project can be deployed 60 times an hour, by any of its keys and with a pair of domains, and validated as often as the budget allows', async () => {
  const store = await app.makeProject()
  const send = graphqlOf(app, store)
  const deploy = (dryRun = false) =>
    send('mutation($dryRun: Boolean) { deployCreate(input: { dryRun: $dryRun }) { deploy { id } } }', {
      variables: { dryRun },
    })

  for (let n = 0; n < 60; n++) expect((await deploy()).errors).toEqual([])
  const { data } = await send('{ deploys(first: 1) { nodes { id } } }')
  const refused = await deploy()
  const back = await send('mutation($id: ID!) { deployRollback(input: { id: $id }) { deploy { id } } }', {
    variables: { id: data.deploys.nodes[0].id },
  })

  const addDomain = (withPartner: boolean) =>
    send('mutation($input: DomainAddInput!) { domainAdd(input: $input) { domain { id } } }', {
      variables: { input: { name: 'no name', withPartner } },
    })
  const pair = await addDomain(true)

  expect(codesOf(await addDomain(false))).toEqual(['invalid_input'])
  for (const { errors } of [refused, back, pair]) {
    expect(errors?.[0]).toMatchObject({
      message: expect.stringMatching(
        /^A project can be deployed 60 times an hour; try again in \d+ seconds\.$/,
      ),
      extensions: { code: 'rate_limited', status: 429 },
    })
    expect(errors?.[0]?.extensions?.retryAfterSeconds).toBeGreaterThan(3_000)
  }
  expect((await deploy(true)).errors).toEqual([])
})
