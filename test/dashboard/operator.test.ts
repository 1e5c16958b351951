import { beforeAll, expect, it } from 'vitest'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { furnishDomains } from '../support/domain-states.ts'
import type { TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-key-of-the-operator-tests-0'

describeInBrowser('an operator', { env: { OPERATOR_KEY: operatorKey } }, opened => {
  let shop: TestProject
  beforeAll(async () => {
    shop = await opened.app.makeProject({ plan: 'pro' })
    const { db, hosting } = opened.app.tools
    await deploy(db, hosting, shop.project, { title: 'Paws and Claws' })
    await opened.app.makeProject({ plan: 'free' })
  })

  it('an operator sees the limits, usage, keys, deploys and domains of a project', async () => {
    const { slug } = shop.project
    for (const look of [
      { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const page = await opened.open(`/dashboard/projects/${slug}/`, operatorKey, look)
      const at = async (link: string, sign: string) => {
        await page.getByRole('link', { name: link }).click()
        await page.getByText(sign).filter({ visible: true }).first().waitFor()
        expect(await findFaults(page)).toEqual([])
        expect(await overflow(page)).toBe(0)
        expect(page.url()).toContain(`/projects/${slug}/`)
      }
      await page.getByText('of 300 requests').waitFor()
      await page.getByRole('meter', { name: 'Today' }).waitFor()
      await page.getByRole('heading', { name: 'Last 30 days' }).waitFor()
      const short = look.viewport.width < 500
      await at(short ? 'Keys' : 'API keys', 'test')
      await at('Deploys', 'Paws and Claws')
      await at(short ? 'Settings' : 'Project settings', 'No domain yet')
      await at('General', `${slug}.animals.localhost`)
      await page.context().close()
    }
  })

  it('an operator adds a domain and a deploy for a project', async () => {
    const { slug } = shop.project
    const page = await opened.open(`/dashboard/projects/${slug}/settings/domains`, operatorKey)
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('shop.paws.test')
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('article', { name: 'shop.paws.test' }).waitFor()
    expect(await page.getByText('Before you add a domain').count()).toBe(0)
    // A single domain is expanded. If the reader collapses it, it stays collapsed.
    const line = page.getByRole('button', { name: /^shop\.paws\.test/ })
    expect(await line.getAttribute('aria-expanded')).toBe('true')
    await line.click()
    await page.reload()
    await line.waitFor()
    expect(await line.getAttribute('aria-expanded')).toBe('false')

    await page.getByRole('link', { name: 'Deploys' }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByLabel('Title').fill('By the operator')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('By the operator').waitFor()
    const { json } = await shop.post('/graphql', { query: '{ domains { nodes { name } } }' })
    expect(json).toEqual({ data: { domains: { nodes: [{ name: 'shop.paws.test' }] } } })
    await page.context().close()
  })

  it('the history of a key shows an operator within ten seconds what was changed', async () => {
    const { keyId } = await shop.issueKey()
    const page = await opened.open(`/dashboard/projects/${shop.project.slug}/keys/${keyId}`, operatorKey)
    await page.clock.install()
    // Timers that were set before the clock was installed would go on in real time.
    await page.reload()
    await page.getByRole('region', { name: 'API key' }).waitFor()
    const input = `{ id: "key_${keyId}", name: "Kiosk" }`
    await shop.post('/graphql', { query: `mutation { apiKeyRename(input: ${input}) { apiKey { id } } }` })
    const entry = page.getByText(/name from .+ to Kiosk/)
    const afterTenSeconds = async () => {
      await page.clock.runFor(10_000)
      return entry.isVisible()
    }
    await expect.poll(afterTenSeconds).toBe(true)
    await page.context().close()
  })

  it.each(['', 'settings/domains'])('an operator sees one message for a missing project: %s', async path => {
    const page = await opened.open(`/dashboard/projects/nobodys/${path}`, operatorKey)
    await page.getByRole('heading', { name: 'No such project' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'To all projects' }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.context().close()
  })

  it('if an operator opens the address of the pets page of a project, the dashboard shows the heading Nothing here', async () => {
    const page = await opened.open(`/dashboard/projects/${shop.project.slug}/pets`, operatorKey)
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
    await page.context().close()
  })

  it('the URL contains the search, filters and sort of the list of projects', async () => {
    const { db } = opened.app.tools
    await db.project.createMany({
      data: [
        { slug: 'finch-one', name: 'Finch One', planName: 'pro' },
        { slug: 'finch-two', name: 'Finch Two', planName: 'free' },
        { slug: 'finch-three', name: 'Finch Three', planName: 'free', suspendedAt: new Date() },
      ],
    })
    const two = await db.project.findUniqueOrThrow({ where: { slug: 'finch-two' } })
    await db.usage.create({
      data: { projectId: two.id, day: new Date(), door: 'rest', requests: 1234, refusals: 5 },
    })
    const page = await opened.open('/dashboard/', operatorKey)
    const names = () => page.getByRole('rowheader').getByRole('link').allTextContents()
    await page.getByRole('searchbox', { name: 'Search' }).fill('FINCH')
    await expect.poll(names).toEqual(['Finch Three', 'Finch Two', 'Finch One'])
    await page.getByLabel('Sort by').selectOption('Most used first')
    await expect.poll(names).toEqual(['Finch Two', 'Finch One', 'Finch Three'])
    await page.getByText('1,234').waitFor()
    await page.getByLabel('Plan').selectOption('Free')
    await expect.poll(names).toEqual(['Finch Two', 'Finch Three'])
    await page.reload()
    await expect.poll(names).toEqual(['Finch Two', 'Finch Three'])
    await page.getByLabel('State').selectOption('Suspended')
    await expect.poll(names).toEqual(['Finch Three'])
    expect(await findFaults(page)).toEqual([])
    await page.goBack()
    await expect.poll(names).toEqual(['Finch Two', 'Finch Three'])
    await page.getByLabel('Plan').selectOption('Enterprise')
    await page.getByText('No projects match your search').waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    await page.context().close()
  })

  it('the domains of all projects are found by name and state, with both in the URL, and link to their project', async () => {
    const { app } = opened
    const crowd = await app.makeProject({ plan: 'pro' })
    const now = new Date()
    await app.tools.db.domain.createMany({
      data: Array.from({ length: 60 }, (_, i) => ({
        projectId: crowd.project.id,
        name: `shop-${i + 100}.crowd.test`,
        createdAt: now,
        looksSince: now,
      })),
    })
    await furnishDomains(app.tools, (await app.makeProject({ plan: 'pro' })).project)
    const page = await opened.open('/dashboard/', operatorKey)
    await page.getByRole('link', { name: 'Domains', exact: true }).click()
    await page.getByRole('heading', { name: 'Domains' }).waitFor()
    const names = () => page.getByRole('rowheader').getByRole('link').allTextContents()
    const shows = (expected: string[]) => expect.poll(names).toEqual(expected)

    await page.getByLabel('Host').selectOption('Live')
    await page.getByLabel('Certificate').selectOption('Expiring')
    await shows(['ending.paws.example'])
    await page.reload()
    await shows(['ending.paws.example'])
    await page.getByLabel('Certificate').selectOption('Every certificate')
    await page.getByRole('searchbox', { name: 'Search' }).fill('WWW.paws')
    await shows(['www.paws.example'])
    await page.getByLabel('Host').selectOption('Stale')
    await page.getByText('No domains match your search').waitFor()
    await page.goBack()
    await shows(['www.paws.example'])
    await page.getByRole('link', { name: 'www.paws.example' }).click()
    const domain = page.getByRole('article', { name: 'www.paws.example' })
    await domain.getByRole('button', { name: 'www.paws.example', expanded: true }).waitFor()
    await page.goBack()
    await shows(['www.paws.example'])

    await page.getByLabel('Host').selectOption('All host states')
    await page.getByRole('searchbox', { name: 'Search' }).fill('crowd')
    await expect.poll(async () => (await names()).length).toBe(50)
    await page.getByRole('button', { name: 'Next' }).click()
    await shows(Array.from({ length: 10 }, (_, i) => `shop-${i + 150}.crowd.test`))
    await page.context().close()

    for (const look of [
      { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const page = await opened.open('/dashboard/domains?search=paws', operatorKey, look)
      await page.getByText('www.paws.example').waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.context().close()
    }
    const own = await opened.open('/dashboard/domains', crowd.secret)
    await own.getByRole('heading', { name: 'Nothing here' }).waitFor()
    await own.context().close()
  })

  it('when the last row of a page of projects or domains is gone, the page says so and leads back to the previous page', async () => {
    const { db } = opened.app.tools
    const { project } = await opened.app.makeProject({ plan: 'pro' })
    const now = new Date()
    const numbers = Array.from({ length: 51 }, (_, i) => i + 100)
    await db.project.createMany({
      data: numbers.map(number => ({ slug: `magpie-${number}`, name: `Magpie ${number}`, planName: 'free' })),
    })
    await db.domain.createMany({
      data: numbers.map(number => ({
        ...{ projectId: project.id, name: `shop-${number}.magpie.test` },
        ...{ createdAt: now, looksSince: now },
      })),
    })
    const lists = [
      [
        '/dashboard/?search=magpie',
        (name: string) =>
          db.project.updateMany({ where: { name }, data: { slug: 'jackdaw', name: 'Jackdaw' } }),
      ],
      ['/dashboard/domains?search=magpie', (name: string) => db.domain.deleteMany({ where: { name } })],
    ] as const
    for (const [path, remove] of lists) {
      const page = await opened.open(path, operatorKey)
      const names = page.getByRole('rowheader').getByRole('link')
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('Page 2').waitFor()
      await expect.poll(() => names.count()).toBe(1)
      await remove((await names.textContent()) ?? '')
      await page.reload()

      await page.getByText('Nothing is left on this page').waitFor()
      expect(await findFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Previous' }).click()
      await expect.poll(() => names.count()).toBe(50)
      await page.context().close()
    }
  })
})
