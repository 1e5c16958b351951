import type { Locator, Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { graphqlOf } from '../support/graphql.ts'

const dayMs = 86_400_000

describeInBrowser('what the dashboard shows is up to date', {}, opened => {
  const nameOf = (route: Route) => /(?:query|mutation) (\w+)/.exec(route.request().postData() ?? '')?.[1]
  /** Holds the answers of these operations until the page is closed. */
  const hold = (page: Page, ...names: string[]) =>
    page.route('**/graphql', route => (names.includes(nameOf(route) ?? '') ? undefined : route.continue()))

  it('the overview lists the ten keys that expire first, with a link to all', async () => {
    const owner = await opened.app.makeProject()
    const { db, clock } = opened.app.tools
    const issue = `mutation ($input: ApiKeyIssueInput!) { apiKeyIssue(input: $input) { apiKey { id } } }`
    // The key that was issued last ends first.
    for (let n = 21; n >= 1; n--) {
      const expiresAt = new Date(clock.now() + (n * dayMs) / 2 + dayMs).toISOString()
      const input = { name: `Ends ${String(n).padStart(2, '0')}`, scopes: ['pets_read'], expiresAt }
      await graphqlOf(opened.app, owner)(issue, { variables: { input } })
    }
    expect(await db.apiKey.count({ where: { projectId: owner.project.id } })).toBe(22)
    const page = await opened.open('/dashboard/', owner.secret)
    const notice = page.locator('.notice', { hasText: 'Keys expiring soon' })
    await notice.waitFor()

    const named = (await notice.locator('li').allTextContents()).map(text => text.slice(0, 7))
    expect(named).toEqual(Array.from({ length: 10 }, (_, n) => `Ends ${String(n + 1).padStart(2, '0')}`))
    await notice.getByRole('link', { name: 'and 11 more' }).click()
    await page.getByRole('rowheader').nth(20).waitFor()
    const rows = (await page.getByRole('rowheader').allTextContents()).map(text => text.slice(0, 7))
    expect(rows).toEqual(Array.from({ length: 21 }, (_, n) => `Ends ${String(n + 1).padStart(2, '0')}`))
    expect(await page.getByLabel('State').inputValue()).toBe('ending')
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })

  it('a pet that someone else has edited is not deleted, and the latest version is shown', async () => {
    const owner = await opened.app.makeProject()
    const { json } = await owner.post('/v1/pets', { name: 'Nimbus', categoryId: 7 })
    const { id } = json as { id: number }
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByRole('button', { name: 'Actions for Nimbus' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Deleted Nimbus.').waitFor()
    await owner.patch(`/v1/pets/${id}`, { name: 'Nimbus the Second' })

    await page.getByRole('button', { name: 'Close this message' }).click()

    await page.getByText('Not deleted. Nimbus:').waitFor()
    await page.getByRole('rowheader', { name: 'Nimbus the Second' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })

  it('a dialog counts down the wait after too many requests, and says when the wait is over', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByText('The store is empty').waitFor()
    await page.clock.install()
    const extensions = { code: 'rate_limited', status: 429, retryAfterSeconds: 50 }
    await page.route('**/graphql', route =>
      nameOf(route) === 'CreatePet'
        ? route.fulfill({
            status: 429,
            json: { errors: [{ message: 'The minute is used up.', extensions }] },
          })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Add pet' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Otis')
    await dialog.getByRole('button', { name: 'Add pet' }).click()

    const countdown = dialog.getByText(/You can try again in \d+ s\./)
    const seconds = async () => Number(/\d+/.exec((await countdown.textContent()) ?? '')?.[0])
    expect(await seconds()).toBeLessThanOrEqual(50)
    await page.clock.runFor(5_000)
    await expect.poll(seconds).toBeLessThanOrEqual(45)
    await page.clock.runFor(50_000)
    await dialog.getByText('You can try again now.').waitFor()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Otis')
    await page.context().close()
  })

  it('the overview is shown at once when it is opened again', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', owner.secret)
    await page.getByText(`${owner.project.name} at a glance.`).waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('columnheader', { name: 'Key' }).waitFor()
    await hold(page, 'Overview')

    await page.getByRole('link', { name: 'Overview' }).click()

    await page.getByText(`${owner.project.name} at a glance.`).waitFor()
    await page.getByText('No deprecated API calls.').waitFor()
    await page.context().close()
  })

  it('the overview and the general settings show a changed plan when the tab becomes visible again', async () => {
    const owner = await opened.app.makeProject({ plan: 'free' })
    const page = await opened.open('/dashboard/', owner.secret)
    const ofPlan = (name: string) => page.getByRole('row').filter({ hasText: name }).getByText('Yours')
    const showsAfterChange = async (planName: string, sign: Locator) => {
      await opened.app.tools.db.project.update({ where: { id: owner.project.id }, data: { planName } })
      const isShown = async () => {
        await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
        return sign.isVisible()
      }
      await expect.poll(isShown, { timeout: 10_000 }).toBe(true)
    }
    await page.getByText('free plan').waitFor()
    await showsAfterChange('pro', page.getByText('pro plan'))

    await page.getByRole('link', { name: 'Project settings' }).click()
    await page.getByRole('link', { name: 'General' }).click()
    await ofPlan('pro').waitFor()
    await showsAfterChange('business', ofPlan('business'))
    await page.context().close()
  })

  it('a pet that was just added leaves the list of pets after someone deleted it', async () => {
    const owner = await opened.app.makeProject()
    // The added pet is not on the first page, so the list shows it above the other pets.
    for (let n = 0; n < 20; n++) await owner.post('/v1/pets', { name: `Pet ${n}`, categoryId: 7 })
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByRole('rowheader', { name: 'Pet 0' }).waitFor()
    await page.getByRole('button', { name: 'Add pet' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Nimbus')
    await page.getByRole('dialog').getByLabel('Category').fill('7')
    await page.getByRole('dialog').getByRole('button', { name: 'Add pet' }).click()
    const added = page.getByRole('rowheader', { name: 'Nimbus' })
    await added.waitFor()
    const { json } = await owner.get('/v1/pets?name=Nimbus')
    await owner.delete(`/v1/pets/${(json as [{ id: number }])[0].id}`)

    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)

    await added.waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('a page that was left sends no more queries', async () => {
    const owner = await opened.app.makeProject()
    const shop = await owner.issueKey()
    await graphqlOf(
      opened.app,
      owner,
    )(`mutation { apiKeyRotate(input: { id: "key_${shop.keyId}" }) { secret } }`)
    const page = await opened.open('/dashboard/keys', owner.secret)
    await page.getByText('Not used since it was rotated.').waitFor()
    await page.clock.install()
    // Timers that were set before the clock was installed would go on in real time.
    await page.reload()
    await page.getByText('Not used since it was rotated.').waitFor()
    const operations: (string | undefined)[] = []
    page.on('request', request => operations.push(/query (\w+)/.exec(request.postData() ?? '')?.[1]))
    await page.clock.runFor(11_000)
    await expect.poll(() => operations).toContain('ApiKeys')
    await page.getByRole('link', { name: 'Deploys' }).click()
    await page.getByRole('heading', { level: 1, name: 'Deploys' }).waitFor()
    operations.length = 0

    await page.clock.runFor(60_000)

    expect(operations).not.toContain('ApiKeys')
    await page.context().close()
  })

  it('after an order was cancelled, the pets page does not show the old status of the pet of that order', async () => {
    const owner = await opened.app.makeProject()
    const { json } = await owner.post('/v1/pets', { name: 'Nimbus', categoryId: 7, status: 'available' })
    await owner.post('/v1/store/orders', { petId: (json as { id: number }).id })
    const page = await opened.open('/dashboard/pets', owner.secret)
    const row = page.getByRole('row').filter({ hasText: 'Nimbus' })
    await row.getByText('pending').waitFor()
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('button', { name: /^Cancel order/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click()
    await page.getByText('Cancelled order').waitFor()
    await hold(page, 'Pets')

    await page.getByRole('link', { name: 'Pets' }).click()

    await page.getByRole('heading', { level: 1, name: 'Pets' }).waitFor()
    expect(await row.count()).toBe(0)
    await page.unrouteAll()
    await page.reload()
    await row.getByText('available').waitFor()
    await page.context().close()
  })
})
