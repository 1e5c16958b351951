import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

describeInBrowser('orders in the dashboard', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
  })
  const createPet = async (of: TestProject, name: string) => {
    const { json } = await of.post('/v1/pets', { name, categoryId: 7, status: 'available' })
    return (json as { id: number }).id
  }
  const place = async (of: TestProject, name: string, more = {}) => {
    const { json } = await of.post('/v1/store/orders', { petId: await createPet(of, name), ...more })
    return (json as { id: number }).id
  }
  const pet = async (of: TestProject, name: string) => {
    const { json } = await of.get('/v1/pets?limit=100')
    return (json as { name: string; status?: string }[]).find(each => each.name === name)?.status
  }
  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const shows = (page: Page, name: string, status: string) =>
    rowOf(page, name).getByText(status, { exact: true }).filter({ visible: true }).waitFor()
  const take = async (page: Page, name: string, step: string, confirm = step) => {
    await rowOf(page, name)
      .getByRole('button', { name: new RegExp(`^${step} order \\d+$`) })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click()
  }

  it('orders are placed from the pets page, then approved, delivered or cancelled', async () => {
    for (const look of looks) {
      const { colorScheme } = look
      for (const name of ['Nimbus', 'Waffles']) await createPet(owner, `${name} ${colorScheme}`)
      const page = await opened.open('/dashboard/pets', owner.secret, look)
      const dialog = page.getByRole('dialog')
      for (const name of [`Nimbus ${colorScheme}`, `Waffles ${colorScheme}`]) {
        await page.getByRole('button', { name: `Actions for ${name}` }).click()
        await page.getByRole('menuitem', { name: 'Place order' }).click()
        await dialog.getByLabel('Reference').fill('x'.repeat(101))
        await dialog.getByRole('button', { name: 'Place order' }).click()
        await dialog.getByText('Enter at most 100 characters.').waitFor()
        expect(await findFaults(page)).toEqual([])
        await dialog.getByLabel('Reference').fill(`web ${name}`)
        await dialog.getByLabel('Note').fill('Call before you come.')
        await dialog.getByRole('button', { name: 'Place order' }).click()
        await page.getByText(new RegExp(`^Placed order \\d+ for ${name}\\.$`)).waitFor()
        await rowOf(page, name).getByText('pending').waitFor()
        expect(await rowOf(page, name).getAttribute('data-marked')).toBe('true')
        await page.getByRole('button', { name: `Actions for ${name}` }).click()
        await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
        expect(await page.getByRole('menuitem', { name: 'Place order' }).count()).toBe(0)
        await page.keyboard.press('Escape')
      }

      await page.getByRole('link', { name: 'Orders' }).click()
      await rowOf(page, `Nimbus ${colorScheme}`).getByText('Call before you come.').waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await take(page, `Nimbus ${colorScheme}`, 'Approve')
      await page.getByText(new RegExp(`^Approved order \\d+ for Nimbus ${colorScheme}\\.$`)).waitFor()
      await take(page, `Nimbus ${colorScheme}`, 'Deliver')
      await page.getByText(new RegExp(`^Delivered order \\d+ for Nimbus ${colorScheme}\\.$`)).waitFor()
      await shows(page, `Nimbus ${colorScheme}`, 'delivered')
      await expect.poll(() => page.locator('[data-marked]').textContent()).toContain('Nimbus')
      expect(await rowOf(page, `Nimbus ${colorScheme}`).getByRole('button').count()).toBe(0)
      await take(page, `Waffles ${colorScheme}`, 'Cancel', 'Cancel the order')
      await page.getByText(new RegExp(`^Cancelled order \\d+ for Waffles ${colorScheme}\\.$`)).waitFor()
      await shows(page, `Waffles ${colorScheme}`, 'cancelled')
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      expect(await pet(owner, `Nimbus ${colorScheme}`)).toBe('sold')
      expect(await pet(owner, `Waffles ${colorScheme}`)).toBe('available')
      await page.context().close()
    }
  })

  it('an order for a pet that someone else has deleted is refused with the reason', async () => {
    const id = await createPet(owner, 'Gone')
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByRole('button', { name: 'Actions for Gone' }).click()
    await page.getByRole('menuitem', { name: 'Place order' }).click()
    await owner.ask(`/v1/pets/${id}`, { method: 'DELETE' })
    const dialog = page.getByRole('dialog')

    await dialog.getByRole('button', { name: 'Place order' }).click()

    await dialog.getByRole('alert').getByText('The order could not be placed').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })

  it('orders are filtered by status, reference and pet, newest first, and the URL holds the filters', async () => {
    const shop = await opened.app.makeProject()
    for (let i = 1; i <= 22; i++) await place(shop, `Pet ${i}`, { reference: `web-${i}` })
    const approved = await place(shop, 'Biscuit')
    await shop.post(`/v1/store/orders/${approved}/approve`, {})
    const page = await opened.open('/dashboard/orders', shop.secret)
    const header = (name: RegExp) => page.getByRole('rowheader', { name })
    await header(/^Biscuit/).waitFor()
    expect(await page.getByRole('rowheader').first().textContent()).toContain('Biscuit')

    await page.getByLabel('Status').selectOption('Placed')
    await header(/^Biscuit/).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Next' }).click()
    await header(/^Pet 1 ?Order/).waitFor()
    await page.reload()
    await header(/^Pet 1 ?Order/).waitFor()
    expect(await page.getByLabel('Status').inputValue()).toBe('placed')

    await page.getByLabel('Reference or pet’s name').fill('EB-21')
    await expect.poll(() => page.getByRole('rowheader').allTextContents()).toHaveLength(1)
    expect(page.url()).toContain('search=EB-21')
    expect(page.url()).not.toContain('after')
    await page.getByLabel('Reference or pet’s name').fill('web-99')
    await page.getByText('No orders match your search').waitFor()
    await page.getByLabel('Reference or pet’s name').fill('')
    await page.getByRole('combobox', { name: 'Pet', exact: true }).fill('biscuit')
    await page.waitForURL(/petId=\d+/)
    await expect.poll(() => page.getByRole('rowheader').allTextContents()).toHaveLength(0)
    await page.getByLabel('Status').selectOption('All')
    await header(/^Biscuit/).waitFor()
    expect(await page.getByRole('rowheader').count()).toBe(1)
    await page.reload()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Pet', exact: true }).inputValue())
      .toMatch(/^Biscuit \(\d+\)$/)
    expect(await findFaults(page)).toEqual([])
    await page.goto(`${opened.app.url}/dashboard/orders?status=delivered&page=2`)
    await page.getByText('Nothing is left on this page').waitFor()
    await page.goto(`${opened.app.url}/dashboard/orders?search=zzz&page=2`)
    await page.getByText('No more matches').waitFor()
    await page.context().close()
  })

  it('twenty orders are approved in three clicks, and the orders that cannot be approved are listed', async () => {
    for (const look of looks) {
      const shop = await opened.app.makeProject({ plan: 'pro' })
      const ids: number[] = []
      for (let n = 1; n <= 20; n++) ids.push(await place(shop, `Pet ${n}`))
      const page = await opened.open('/dashboard/orders', shop.secret, look)
      const statuses = async () =>
        ((await shop.get('/v1/store/orders?limit=100')).json as { status: string }[]).map(
          ({ status }) => status,
        )
      await page.getByRole('checkbox', { name: 'Choose all on this page' }).check()
      expect(await findFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Approve 20' }).click()
      const dialog = page.getByRole('dialog', { name: 'Approve 20 orders' })
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await shop.post(`/v1/store/orders/${ids[7]}/cancel`, {})
      await dialog.getByRole('button', { name: 'Approve 20 orders' }).click()

      await dialog.getByText('Approved 19 orders of 20').waitFor()
      await dialog.getByText(`Order ${ids[7]}, Pet 8: The order ${ids[7]} is cancelled`).waitFor()
      expect((await statuses()).filter(status => status === 'approved')).toHaveLength(19)
      expect(await findFaults(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Close' }).click()

      await page.getByRole('checkbox', { name: 'Choose all on this page' }).check()
      await page.getByRole('button', { name: 'Deliver 19' }).click()
      await page.getByRole('dialog').getByText('One of the 20 chosen orders has another status').waitFor()
      await page.getByRole('button', { name: 'Deliver 19 orders' }).click()
      await page.getByText('Delivered 19 orders.').waitFor()
      expect(
        await page
          .getByText('chosen', { exact: false })
          .filter({ hasText: /^\d+ chosen$/ })
          .count(),
      ).toBe(0)
      expect((await statuses()).filter(status => status === 'delivered')).toHaveLength(19)
      await page.context().close()
    }
  })

  it('after a step on many orders, only the orders stay chosen for which the step can be tried again, and the overview counts the pets again', async () => {
    const shop = await opened.app.makeProject()
    const ids: number[] = []
    for (const name of ['Pet 1', 'Pet 2', 'Pet 3', 'Pet 4']) ids.push(await place(shop, name))
    const page = await opened.open('/dashboard/', shop.secret)
    await page.getByRole('heading', { name: '4 pets' }).waitFor()
    await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
    await page.getByLabel('Status').selectOption('Placed')
    const errors = [{ message: 'The store is away.', extensions: { code: 'unavailable' } }]
    await page.route('**/graphql', route =>
      route.request().postData()?.includes(`order_${ids[2]}"`)
        ? route.fulfill({ status: 503, json: { errors } })
        : route.continue(),
    )
    // The list shows the newest order first. Choose the oldest first, so that the newest is not tried.
    for (const name of ['Pet 1', 'Pet 2', 'Pet 3', 'Pet 4'])
      await rowOf(page, name).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Approve 4' }).click()
    await shop.post(`/v1/store/orders/${ids[0]}/cancel`, {})
    const dialog = page.getByRole('dialog')
    const counted = page.waitForRequest(request => request.postData()?.includes('query Inventory') === true)
    await dialog.getByRole('button', { name: 'Approve 4 orders' }).click()
    await dialog.getByText('Approved one order of 4').waitFor()
    await counted
    await dialog.getByRole('button', { name: 'Close' }).click()

    await page.getByText('2 chosen').waitFor()
    await rowOf(page, 'Pet 2').waitFor({ state: 'detached' })
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Approve 2' }).click()
    await dialog.getByText('Pet 3').waitFor()
    await dialog.getByRole('button', { name: 'Approve 2 orders' }).click()
    await page.getByText('Approved 2 orders.').waitFor()
    await page.getByText('2 chosen').waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('an order is placed on the orders page, for a pet that is found by a part of its name', async () => {
    const shop = await opened.app.makeProject()
    await createPet(shop, 'Professor Whiskers')
    for (const look of looks) {
      const page = await opened.open('/dashboard/orders', shop.secret, look)
      await page.getByRole('button', { name: 'New order' }).click()
      const dialog = page.getByRole('dialog', { name: 'New order' })
      await dialog.getByRole('button', { name: 'Place order' }).click()
      await dialog.getByText('Choose a pet from the list, or enter its id.').waitFor()
      expect(await findFaults(page)).toEqual([])
      const field = dialog.getByRole('combobox', { name: 'Pet' })
      await field.fill('whisk')
      await expect
        .poll(() =>
          dialog
            .locator('datalist option')
            .first()
            .getAttribute('value', { timeout: 1000 })
            .catch(() => null),
        )
        .toMatch(/^Professor Whiskers \(\d+\)$/)
      await field.fill('Professor Whiskers')
      if (look.colorScheme === 'dark') await page.keyboard.press('Escape')
      else {
        await dialog.getByRole('button', { name: 'Place order' }).click()
        await page.getByText(/^Placed order \d+ for Professor Whiskers\.$/).waitFor()
        await rowOf(page, 'Professor Whiskers').waitFor()
      }
      await page.context().close()
    }
  })

  it('if someone else has cancelled an order, a user who approves the order sees a message and the new state of the order', async () => {
    const id = await place(owner, 'Ginger')
    const page = await opened.open('/dashboard/orders', owner.secret)
    const dialog = page.getByRole('dialog')
    await rowOf(page, 'Ginger')
      .getByRole('button', { name: `Approve order ${id}` })
      .click()
    await owner.post(`/v1/store/orders/${id}/cancel`, {})
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.getByText('This order was already updated').waitFor()
    expect(await findFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'View latest' }).click()
    await shows(page, 'Ginger', 'cancelled')
    await page.context().close()
  })

  it('a key without the write scope can only read orders, and a key without the read scope sees none', async () => {
    const shop = await opened.app.makeProject()
    const id = await place(shop, 'Hazel')
    await createPet(shop, 'Otis')
    const onlooker = await shop.issueKey(['orders:read', 'pets:read', 'project:read'])
    const page = await opened.open('/dashboard/orders', onlooker.secret)
    for (const step of ['Approve', 'Cancel'])
      expect(
        await page.getByRole('button', { name: `${step} order ${id}` }).getAttribute('aria-disabled'),
      ).toBe('true')
    await page.getByRole('link', { name: 'Pets' }).click()
    await page.getByRole('button', { name: 'Actions for Otis' }).click()
    expect(await page.getByRole('menuitem', { name: 'Place order' }).getAttribute('aria-disabled')).toBe(
      'true',
    )
    await page.context().close()

    const stranger = await shop.issueKey(['pets:read', 'project:read'])
    const refused = await opened.open('/dashboard/orders', stranger.secret)
    await refused.getByText('You don’t have access to orders').waitFor()
    await refused.context().close()

    const empty = await opened.app.makeProject()
    const none = await opened.open('/dashboard/orders', empty.secret)
    await none.getByText('No orders yet').waitFor()
    expect(await findFaults(none)).toEqual([])
    await none.context().close()
  })
})
