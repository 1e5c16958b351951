import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type NewDeploy, validateConfiguration } from '../../../src/core/deploys/configuration.ts'
import {
  deploy,
  deployWithout,
  deployWithRedirect,
  findCurrentDeploy,
  findCurrentDeploys,
  findDeploy,
  rollback,
} from '../../../src/core/deploys/deploys.ts'
import type { DeployTools } from '../../../src/core/deploys/validate.ts'
import type { Project } from '../../../src/core/project.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { until } from '../../support/hosting.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const rules = { platformHost: 'animals.localhost', ownHosts: [], suffixes: ['test'] }
const ownNames = ['shop.test', 'www.shop.test', 'old.test'].map(name => ({ name, ownedName: name }))
const judge = (input: NewDeploy) => validateConfiguration(input, ownNames, 'acme.animals.localhost', rules)
const redirect = (from: string, to: string, status?: number) => ({
  domains: { primary: 'shop.test', redirects: [{ from, to, ...(status && { status }) }] },
})

describe('a configuration is refused for', () => {
  test.each<[string, NewDeploy, string]>([
    [
      'an unknown domain',
      { domains: { primary: 'other.test' } },
      'other.test is not a domain of this project',
    ],
    ['a wildcard as the primary domain', { domains: { primary: '*.shop.test' } }, 'wildcard'],
    ["another project's platform host", { domains: { primary: 'zoo.animals.localhost' } }, 'platform'],
    ['an unknown status', redirect('www.shop.test', 'shop.test', 303), 'status is 303'],
    [
      'a redirect from the primary domain',
      redirect('shop.test', 'www.shop.test'),
      'starts at the primary domain',
    ],
    ['a redirect to itself', redirect('www.shop.test', 'www.shop.test'), 'leads back to itself'],
    [
      'a loop of two redirects',
      {
        domains: {
          redirects: [
            { from: 'www.shop.test', to: 'old.test' },
            { from: 'old.test', to: 'www.shop.test' },
          ],
        },
      },
      'leads back to itself',
    ],
    [
      'a redirect to a name that is redirected too',
      {
        domains: {
          redirects: [
            { from: 'www.shop.test', to: 'old.test' },
            { from: 'old.test', to: 'shop.test' },
          ],
        },
      },
      'redirects on to shop.test',
    ],
    [
      'two redirects from one domain',
      {
        domains: {
          redirects: [
            { from: 'old.test', to: 'shop.test' },
            { from: 'OLD.test.', to: 'www.shop.test' },
          ],
        },
      },
      'domains.redirects[1]: old.test redirects already.',
    ],
    [
      'a title that is too long',
      { title: 'x'.repeat(101) },
      'title must be a string of 1 to 100 characters.',
    ],
    [
      'a description that is too long',
      { description: 'x'.repeat(1001) },
      'description must be a string of 1 to 1000 characters.',
    ],
    [
      'a redirect into a loop of two other redirects',
      {
        domains: {
          redirects: [
            { from: 'old.test', to: 'shop.test' },
            { from: 'shop.test', to: 'www.shop.test' },
            { from: 'www.shop.test', to: 'shop.test' },
          ],
        },
      },
      'domains.redirects[0]: shop.test redirects on to www.shop.test; redirect there directly.',
    ],
  ])('a configuration is refused for %s', (_, input, reason) => {
    expect(judge(input).errors.join('\n')).toContain(reason)
  })
})

describe('a configuration', () => {
  const names = Array.from({ length: 51 }, (_, n) => `from${n}.test`)
  const owned = [...names, 'shop.test'].map(name => ({ name, ownedName: name }))
  const redirecting = (count: number) =>
    validateConfiguration(
      { domains: { redirects: names.slice(0, count).map(from => ({ from, to: 'shop.test' })) } },
      owned,
      'acme.animals.localhost',
      rules,
    )

  test('a configuration has at most fifty redirects', () => {
    expect(redirecting(50).errors).toEqual([])
    expect(redirecting(50).configuration.domains.redirects).toHaveLength(50)
    expect(redirecting(51).errors).toEqual(['domains.redirects has more than 50 redirects.'])
    expect(redirecting(51).configuration.domains.redirects).toHaveLength(50)
  })

  test.each([
    [300, false],
    [301, true],
    [302, true],
    [303, false],
    [304, false],
    [307, true],
    [308, true],
    [309, false],
  ])('a redirect may use 301, 302, 307 or 308: %i', (status, isAllowed) => {
    expect(judge(redirect('www.shop.test', 'shop.test', status)).errors.length === 0).toBe(isAllowed)
  })
})

test('a valid configuration is stored with canonical names', () => {
  const judged = judge({
    title: ' Pets ',
    domains: { primary: 'SHOP.test.', redirects: [{ from: 'https://www.shop.test/', to: 'shop.test' }] },
  })

  expect(judged).toEqual({
    configuration: {
      title: 'Pets',
      description: null,
      domains: { primary: 'shop.test', redirects: [{ from: 'www.shop.test', to: 'shop.test', status: 301 }] },
    },
    errors: [],
    warnings: [],
  })
})

test('a title has at most a hundred characters, a description a thousand, and both may be empty', () => {
  const [title, description] = ['x'.repeat(100), 'y'.repeat(1000)]

  expect(judge({ title, description })).toMatchObject({ errors: [], configuration: { title, description } })
  for (const empty of ['', null, undefined])
    expect(judge({ title: empty, description: empty })).toMatchObject({
      errors: [],
      configuration: { title: null, description: null },
    })
})

test("the project's platform host may be the primary domain and the target of a redirect, in upper or lower case", () => {
  const judged = judge({
    domains: {
      primary: ' Acme.Animals.LOCALHOST ',
      redirects: [{ from: 'shop.test', to: 'acme.animals.localhost' }],
    },
  })

  expect(judged).toMatchObject({
    ...{ errors: [], warnings: [] },
    configuration: {
      domains: {
        primary: 'acme.animals.localhost',
        redirects: [{ from: 'shop.test', to: 'acme.animals.localhost', status: 301 }],
      },
    },
  })
})

test('a configuration stores an invalid domain name shortened to 253 characters, with a replacement for each character that cannot be stored', () => {
  const { configuration, errors } = judge({ domains: { primary: `A b\0${'x'.repeat(300)}` } })

  expect(configuration.domains.primary).toBe(`a b\ufffd${'x'.repeat(249)}`)
  expect(errors).toEqual([expect.stringContaining('holds spaces or control characters')])
})

test('a configuration with an unverified domain causes a warning', () => {
  const waiting = [{ name: 'new.test', ownedName: null }]
  const judged = validateConfiguration(
    { domains: { primary: 'new.test' } },
    waiting,
    'acme.animals.localhost',
    rules,
  )

  expect(judged.errors).toEqual([])
  expect(judged.warnings).toEqual([expect.stringContaining('not verified yet')])
})

describe.skipIf(!canRace())('a deploy', () => {
  const own = prepareOwnDatabase()
  let tools: DeployTools
  const projects: Project[] = []
  beforeAll(async () => {
    tools = { clock: systemClock, platformHost: 'animals.localhost', nameRules: rules }
    for (const _ of [1, 2]) projects.push((await own.makeProject()) as unknown as Project)
  })

  test('a project can roll back only to its own deploys that succeeded', async () => {
    const [shop, zoo] = projects as [Project, Project]
    const first = await deploy(own.db, tools, shop, { title: 'First' })
    const failed = await deploy(own.db, tools, shop, { title: 'Bad', domains: { primary: 'not-mine.test' } })
    const second = await deploy(own.db, tools, shop, { title: 'Second' })
    const others = await deploy(own.db, tools, zoo, { title: 'Zoo' })
    expect([first, failed, second].map(({ succeeded }) => succeeded)).toEqual([true, false, true])

    for (const id of [failed.id, others.id, 0, -1, 1.5, 2 ** 31, Number.NaN])
      await expect(rollback(own.db, tools, shop, id ?? 0)).rejects.toMatchObject({ code: 'deploy_not_found' })
    await expect(findDeploy(own.db, shop, others.id ?? 0)).rejects.toMatchObject({ code: 'deploy_not_found' })
    expect(await findCurrentDeploy(own.db, shop)).toMatchObject({ id: second.id })

    const back = await rollback(own.db, tools, shop, first.id ?? 0)
    expect(back).toMatchObject({ configuration: { title: 'First' }, rollbackOfId: first.id, succeeded: true })
    // A later failed deploy does not change the current one.
    await deploy(own.db, tools, shop, { domains: { primary: 'not-mine.test' } })
    expect(await findCurrentDeploys(own.db, [zoo.id, shop.id])).toMatchObject([
      { id: others.id },
      { id: back.id },
    ])
    expect(await findCurrentDeploy(own.db, shop)).toMatchObject({ id: back.id })
  })

  test('removing a domain publishes the configuration without that domain, or nothing if the configuration did not name it', async () => {
    const shop = (await own.makeProject()) as unknown as Project
    for (const name of ['a.test', 'b.test', 'c.test']) await own.giveDomain(shop as never, name)
    const redirects = [{ from: 'b.test', to: 'a.test', status: 301 }]
    const current = async () => (await findCurrentDeploy(own.db, shop))?.configuration
    const first = await deploy(own.db, tools, shop, {
      title: 'Shop',
      domains: { primary: 'a.test', redirects },
    })

    await deployWithout(own.db, tools, shop, 'c.test')
    expect(await findCurrentDeploy(own.db, shop)).toMatchObject({ id: first.id })
    await deployWithout(own.db, tools, shop, 'b.test')
    expect(await current()).toMatchObject({ title: 'Shop', domains: { primary: 'a.test', redirects: [] } })
    await deployWithout(own.db, tools, shop, 'a.test')
    expect(await current()).toMatchObject({ title: 'Shop', domains: { primary: null, redirects: [] } })
  })

  test('adding a pair of domains keeps all redirects, and publishes nothing if the redirect of the pair exists already', async () => {
    const shop = (await own.makeProject()) as unknown as Project
    for (const name of ['d.test', 'www.d.test', 'e.test']) await own.giveDomain(shop as never, name)
    const redirects = [{ from: 'e.test', to: 'd.test', status: 302 }]
    const added = { from: 'www.d.test', to: 'd.test', status: 301 }
    const texts = { title: 'Shop', description: 'All of it' }
    await deploy(own.db, tools, shop, { ...texts, domains: { primary: 'd.test', redirects } })

    const outcome = await deployWithRedirect(own.db, tools, shop, added)

    const domains = { primary: 'd.test', redirects: [...redirects, added] }
    expect(outcome).toMatchObject({ succeeded: true, configuration: { ...texts, domains } })
    expect(await findCurrentDeploy(own.db, shop)).toMatchObject({ id: outcome?.id })
    expect(await deployWithRedirect(own.db, tools, shop, added)).toBeNull()
  })

  test('a deploy and a rollback wait for a running removal of a domain that they name', async () => {
    const shop = (await own.makeProject()) as unknown as Project
    await own.giveDomain(shop as never, 'going.test')
    const input = { domains: { primary: 'going.test' } }
    const first = await deploy(own.db, tools, shop, input)
    const remover = await own.database.pool?.connect()
    onTestFinished(() => remover?.release())
    await remover?.query('BEGIN')
    await remover?.query('SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE', [shop.id])
    await remover?.query(`DELETE FROM domains WHERE name = 'going.test'`)
    let judged = 0

    const acts = [
      deploy(own.db, tools, shop, input),
      rollback(own.ofAnotherProcess(), tools, shop, first.id ?? 0),
    ]
    for (const act of acts) void act.finally(() => judged++)
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await until(
      async () => Number((await own.database.pool?.query(waiting))?.rowCount) + judged,
      count => count === 2,
    )
    await remover?.query('COMMIT')

    expect((await Promise.all(acts)).map(({ succeeded }) => succeeded)).toEqual([false, false])
  })
})
