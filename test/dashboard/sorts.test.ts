import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { graphqlOf } from '../support/graphql.ts'

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

describeInBrowser('the order of lists', {}, opened => {
  const names = async (page: Page) =>
    (await page.getByRole('rowheader').allTextContents()).map(text => /[a-z]+-\d+/.exec(text)?.[0])
  const numbered = (what: string, from: number, to: number) =>
    Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => `${what}-${from < to ? from + i : from - i}`)

  it('orders are sorted by age over all pages, and the URL contains the sort', async () => {
    const owner = await opened.app.makeProject()
    const { db } = opened.app.tools
    await db.order.createMany({
      data: Array.from({ length: 45 }, (_, n) => ({
        ...{
          projectId: owner.project.id,
          petId: BigInt(n + 1),
          petName: `pet-${n}`,
          categoryId: 1n,
          status: 'placed' as const,
        },
        placedAt: new Date(Date.UTC(2026, 0, 1, n)),
      })),
    })
    const page = await opened.open('/dashboard/orders', owner.secret, looks[0])
    await expect.poll(() => names(page)).toEqual(numbered('pet', 44, 25))
    const head = page.getByRole('columnheader', { name: 'Placed' })
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    await head.getByRole('button').click()
    await expect.poll(() => names(page)).toEqual(numbered('pet', 0, 19))
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    expect(page.url()).toContain('?sort=oldest')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => names(page)).toEqual(numbered('pet', 20, 39))
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => names(page)).toEqual(numbered('pet', 40, 44))
    expect(await page.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe('true')
    await page.reload()
    await expect.poll(() => names(page)).toEqual(numbered('pet', 40, 44))
    expect(await findFaults(page)).toEqual([])
    await head.getByRole('button').click()
    await expect.poll(() => names(page)).toEqual(numbered('pet', 44, 25))
    expect(new URL(page.url()).search).toBe('')
    await page.context().close()
  })

  it('keys and deploys are sorted by age', async () => {
    const owner = await opened.app.makeProject({ plan: 'pro' })
    const send = graphqlOf(opened.app, owner)
    for (let n = 0; n < 26; n++)
      await send(
        `mutation { apiKeyIssue(input: { name: "key-${n}", scopes: [pets_read] }) { apiKey { id } } }`,
      )
    const page = await opened.open('/dashboard/keys?sort=oldest', owner.secret)
    await expect.poll(async () => (await names(page)).slice(1, 4)).toEqual(['key-0', 'key-1', 'key-2'])
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Newest first')
    await expect.poll(async () => (await names(page)).slice(0, 2)).toEqual(['key-25', 'key-24'])
    expect(await findFaults(page)).toEqual([])

    const { deploy } = opened.app.tools.db
    for (let n = 0; n < 17; n++)
      expect(
        (await send('mutation { deployCreate(input: { title: "Title" }) { deploy { id } } }')).errors,
      ).toEqual([])
    const made = await deploy.findMany({ where: { projectId: owner.project.id }, orderBy: { id: 'asc' } })
    await page.goto(`${opened.app.url}/dashboard/deploys`)
    const first = () => page.getByRole('rowheader').first().textContent()
    await expect.poll(first).toContain(String(made.at(-1)?.id))
    await page.getByRole('columnheader', { name: 'Published' }).getByRole('button').click()
    await expect.poll(first).toContain(String(made[0]?.id))
    await page.context().close()
  })

  it('keys are sorted by name, end and last use over all pages, with missing times last', async () => {
    const owner = await opened.app.makeProject()
    const { db } = opened.app.tools
    const at = (day: number) => new Date(Date.UTC(2031, 0, day))
    await db.apiKey.createMany({
      data: Array.from({ length: 28 }, (_, n) => ({
        ...{
          projectId: owner.project.id,
          name: `key-${10 + ((n * 11) % 28)}`,
          prefix: 'as_',
          hash: randomBytes(32),
        },
        ...{
          scopes: ['pets:read'],
          expiresAt: n < 2 ? null : at(n),
          lastUsedAt: n < 2 ? null : new Date(Date.UTC(2020, 2, -n)),
        },
      })),
    })
    await db.apiKey.update({ where: { id: owner.keyId }, data: { name: 'own-1', expiresAt: at(40) } })
    for (const look of looks) {
      const isPhone = look.viewport.width < 560
      const page = await opened.open('/dashboard/keys', owner.secret, look)
      const pages = async () => {
        await page.getByRole('button', { name: 'Next' }).waitFor()
        const first = await names(page)
        await page.getByRole('button', { name: 'Next' }).click()
        await expect.poll(() => names(page)).toHaveLength(4)
        const all = [...first, ...(await names(page))]
        await page.getByRole('button', { name: 'Previous' }).click()
        await expect.poll(() => names(page)).toHaveLength(25)
        return all
      }
      const choose = async (label: string, column: string, sort: string) => {
        if (isPhone) await page.getByRole('combobox', { name: 'Sort by' }).selectOption(label)
        else await page.getByRole('columnheader', { name: column }).getByRole('button').click()
        await expect.poll(() => page.url()).toContain(`sort=${sort}`)
        await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
      }
      const numbers = Array.from({ length: 28 }, (_, n) => `key-${10 + n}`)
      const byAge = Array.from({ length: 28 }, (_, n) => `key-${10 + ((n * 11) % 28)}`)
      await choose('Name, A to Z', 'Key', 'name')
      await expect.poll(pages).toEqual([...numbers, 'own-1'])
      await choose('Name, Z to A', 'Key', '-name')
      await expect.poll(pages).toEqual(['own-1', ...numbers.toReversed()])
      await choose('End, earliest first', 'Expires', 'end')
      await expect.poll(async () => (await pages()).slice(0, 27)).toEqual([...byAge.slice(2), 'own-1'])
      await choose('End, latest first', 'Expires', '-end')
      await expect
        .poll(async () => (await pages()).slice(0, 27))
        .toEqual(['own-1', ...byAge.slice(2).toReversed()])
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.goto(`${opened.app.url}/dashboard/keys?sort=used`)
      await expect.poll(async () => (await pages()).slice(0, 26)).toEqual(byAge.slice(2).toReversed())
      await page.context().close()
    }
  })

  it('webhook endpoints are sorted by name or with disabled endpoints first, and domains are sorted by name or with the newest first', async () => {
    const owner = await opened.app.makeProject()
    const { db } = opened.app.tools
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
    for (const look of looks) {
      const page = await opened.open('/dashboard/settings/webhooks', owner.secret, look)
      if (look === looks[0]) {
        const send = graphqlOf(opened.app, owner)
        for (const name of ['hook-10', 'hook-9', 'hook-11'])
          await send(
            `mutation { webhookCreate(input: { url: "https://example.com/${name}", types: [] }) { secret } }`,
          )
        await db.webhookEndpoint.updateMany({
          where: { projectId: owner.project.id, url: { endsWith: 'hook-11' } },
          data: { disabledAt: at(5), disabledWhy: 'gone', enabled: false },
        })
        await db.domain.createMany({
          data: ['site-2', 'site-1', 'site-3'].map((name, n) => ({
            ...{
              projectId: owner.project.id,
              name: `www.${name}.example`,
              createdAt: at(n),
              looksSince: at(n),
            },
          })),
        })
        await page.reload()
      }
      const head = page.getByRole('columnheader', { name: 'Endpoint' }).getByRole('button')
      await expect.poll(() => names(page)).toEqual(['hook-10', 'hook-9', 'hook-11'])
      await head.click()
      await expect.poll(() => names(page)).toEqual(['hook-9', 'hook-10', 'hook-11'])
      await head.click()
      await expect.poll(() => names(page)).toEqual(['hook-11', 'hook-10', 'hook-9'])
      await page.getByRole('columnheader', { name: 'State' }).getByRole('button').click()
      await expect.poll(() => names(page)).toEqual(['hook-11', 'hook-10', 'hook-9'])
      expect(page.url()).toContain('sort=state')
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await page.goto(`${opened.app.url}/dashboard/settings/domains?sort=newest`)
      const sites = async () =>
        (await page.getByRole('heading', { level: 3 }).allTextContents()).flatMap(
          text => /site-\d/.exec(text)?.[0] ?? [],
        )
      await expect.poll(sites).toEqual(['site-3', 'site-1', 'site-2'])
      await page.getByRole('combobox', { name: 'Sort by' }).selectOption('By name')
      await expect.poll(sites).toEqual(['site-1', 'site-2', 'site-3'])
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.context().close()
    }
  })

  it('on a phone, each list that can be sorted has one "Sort by" with every sort of its column headings', async () => {
    const owner = await opened.app.makeProject({ plan: 'pro' })
    const { db } = opened.app.tools
    const { id: projectId } = owner.project
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
    const send = graphqlOf(opened.app, owner)
    for (const n of [1, 2]) {
      await send(`mutation { petCreate(input: { name: "pet-${n}", categoryId: "1" }) { pet { id } } }`)
      await send(`mutation { deployCreate(input: { title: "title-${n}" }) { deploy { id } } }`)
      await send(
        `mutation { webhookCreate(input: { url: "https://example.com/hook-${n}", types: [] }) { secret } }`,
      )
      await db.apiKey.create({
        data: { projectId, name: `key-${n}`, prefix: 'as_', hash: randomBytes(32), scopes: ['pets:read'] },
      })
      await db.person.create({
        data: {
          ...{ name: `person-${n}`, createdAt: at(n) },
          memberships: { create: { projectId, role: 'owner', joinedAt: at(n) } },
        },
      })
    }
    await db.order.createMany({
      data: [1, 2].map(n => ({
        ...{ projectId, petId: BigInt(n), petName: `pet-${n}`, categoryId: 1n },
        ...{ status: 'placed' as const, placedAt: at(n) },
      })),
    })
    const age = ['Newest first', 'Oldest first']
    const lists = [
      ['orders', age, 'Oldest first', ['pet-1', 'pet-2']],
      ['deploys', age, 'Oldest first', ['title-1', 'title-2']],
      ['pets', age.toReversed(), 'Newest first', ['pet-2', 'pet-1']],
      [
        'keys',
        [
          ...age,
          ...['Name, A to Z', 'Name, Z to A', 'Last use, earliest first', 'Last use, latest first'],
          ...['End, earliest first', 'End, latest first'],
        ],
        'Name, A to Z',
        ['key-1', 'key-2'],
      ],
      [
        'settings/webhooks',
        [...age.toReversed(), ...['Address, A to Z', 'Address, Z to A', 'Problems first', 'Problems last']],
        'Address, Z to A',
        ['hook-2', 'hook-1'],
      ],
      [
        'settings/members',
        [
          ...age.toReversed(),
          ...['Name, A to Z', 'Name, Z to A', 'Role, owners first', 'Role, viewers first'],
        ],
        'Name, Z to A',
        ['person-2', 'person-1'],
      ],
    ] as const
    for (const look of [looks[1], { ...looks[0], viewport: looks[1].viewport }]) {
      const page = await opened.open('/dashboard/', owner.secret, look)
      for (const [path, orders, order, rows] of lists) {
        await page.goto(`${opened.app.url}/dashboard/${path}`)
        const sortBy = page.getByRole('combobox', { name: 'Sort by' })
        await page.getByRole('rowheader').nth(1).waitFor()
        expect(await sortBy.count()).toBe(1)
        expect((await sortBy.getByRole('option').allTextContents()).toSorted()).toEqual(orders.toSorted())
        expect((await sortBy.getByRole('option').allTextContents())[0]).toBe(orders[0])
        await sortBy.selectOption(order)
        await expect.poll(async () => (await names(page)).filter(Boolean).slice(0, 2)).toEqual(rows)
        expect(await overflow(page)).toBe(0)
        expect(await findFaults(page)).toEqual([])
      }
      await page.setViewportSize(looks[0].viewport)
      await page.goto(`${opened.app.url}/dashboard/orders?sort=oldest`)
      await page.getByRole('columnheader', { name: 'Placed' }).waitFor()
      expect(await page.getByRole('combobox', { name: 'Sort by' }).count()).toBe(0)
      expect(await page.getByText(/^Orders for your pets/).textContent()).not.toContain('first')
      await page.context().close()
    }
  })

  it('a sort that a list does not have is ignored', async () => {
    const owner = await opened.app.makeProject()
    for (const sort of ['-__proto__', 'constructor', 'nonsense']) {
      const page = await opened.open(`/dashboard/keys?sort=${sort}`, owner.secret)
      await page.getByRole('rowheader').first().waitFor()
      await page.goto(`${opened.app.url}/dashboard/settings/members?sort=${sort}`)
      await page.getByRole('heading', { name: 'Project settings' }).waitFor()
      await page.context().close()
    }
  })
})
