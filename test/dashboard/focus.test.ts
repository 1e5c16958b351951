import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'
import { writeDomain } from '../support/written-domain.ts'

describeInBrowser('the focus', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
    for (const name of ['Ada', 'Bela', 'Cleo']) {
      const { json } = await owner.post('/v1/pets', { name, categoryId: 7 })
      await owner.post('/v1/store/orders', { petId: (json as { id: number }).id })
    }
  })
  const focused = (page: Page) =>
    page.evaluate<string>(
      `document.activeElement.tagName + ' ' + (document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent)`,
    )
  const focusIs = (page: Page, wanted: string) => expect.poll(() => focused(page)).toBe(wanted)
  const focusIsIn = (page: Page, dialog: string) =>
    page
      .locator('dialog:focus')
      .and(page.getByRole('dialog', { name: dialog }))
      .waitFor()

  it('after Approve the focus moves to the next order to approve, and after the last order to the heading', async () => {
    const page = await opened.open('/dashboard/orders', owner.secret)
    const approve = page.getByRole('button', { name: /^Approve order/ })
    await approve.first().waitFor()
    const labels = await Promise.all((await approve.all()).map(each => each.getAttribute('aria-label')))

    await approve.first().focus()
    for (const next of [`BUTTON ${labels[1]}`, `BUTTON ${labels[2]}`, 'H1 Orders']) {
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await focusIs(page, next)
    }
    await page.context().close()
  })

  it('after Delete the focus moves to the actions of the next pet, or of the previous pet after the last one', async () => {
    const page = await opened.open('/dashboard/pets', (await fourPets()).secret)
    const remove = async () => {
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    }
    await page.getByRole('button', { name: 'Actions for Two' }).focus()
    await remove()
    await focusIs(page, 'BUTTON Actions for Three')
    await remove()
    await focusIs(page, 'BUTTON Actions for Four')
    await remove()
    await focusIs(page, 'BUTTON Actions for One')
    await remove()
    await focusIs(page, 'H1 Pets')
    await page.context().close()
  })

  it('after Revoke the focus is on the actions of another key', async () => {
    const shop = await opened.app.makeProject()
    await shop.issueKey()
    const page = await opened.open('/dashboard/keys', shop.secret)
    const actions = page.getByRole('button', { name: /^Actions for the key/ })
    // Revoking the session's own key would sign out.
    const other = page.getByRole('row').filter({ hasNotText: 'This session' })
    await other.getByRole('button', { name: /^Actions for the key/ }).press('Enter')
    await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => actions.count()).toBe(1)
    await expect.poll(() => focused(page)).toMatch(/^BUTTON Actions for the key/)
    await page.context().close()
  })

  it('the next step of a dialog has the focus, and Escape closes the dialog wherever the focus is', async () => {
    const shop = await opened.app.makeProject({ plan: 'pro' })
    for (const name of ['a.paws.example', 'b.paws.example']) await writeDomain(opened.app, shop, name)
    const page = await opened.open('/dashboard/settings/domains', shop.secret)
    await page.getByRole('button', { name: 'Actions for a.paws.example' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Remove' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await focusIsIn(page, 'a.paws.example is removed')
    await page.getByRole('button', { name: 'Actions for a.paws.example' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await focusIs(page, 'BUTTON Actions for b.paws.example')

    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Invite the first owner' }).press('Enter')
    await page.getByRole('button', { name: 'Make a link' }).press('Enter')
    await page.getByRole('dialog', { name: 'An invitation as owner' }).locator(':focus').waitFor()
    await page.getByText('Send this link').click()
    await page.keyboard.press('Escape')
    await focusIs(page, 'BUTTON Invite the first owner')
    await page.context().close()
  })

  it('after a refused form the focus is in the first field that has a fault', async () => {
    const page = await opened.open('/dashboard/pets?do=add', owner.secret)
    const focusIsOn = (label: string) =>
      page.locator(':focus').and(page.getByRole('dialog').getByLabel(label)).waitFor()
    const name = page.getByRole('dialog').getByLabel('Name')
    await name.fill('Dodo')
    await name.press('Enter')
    await focusIsOn('Category')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('button', { name: 'New order' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Place order' }).click()
    await focusIsOn('Pet')
    await page.context().close()
  })

  it('the sign-in page focuses its field, and accepts Enter at once', async () => {
    const page = await opened.open('/dashboard/')
    const field = page.getByLabel('API key')
    await field.waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('api-key')
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.reload()
    // The sign-in page waits 300 ms for a key from another tab. The clock stands still, so the wait does not end. The
    // form must accept a key during the wait.
    await field.fill(owner.secret)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.context().close()
  })

  async function fourPets() {
    const shop = await opened.app.makeProject()
    for (const name of ['One', 'Two', 'Three', 'Four']) await shop.post('/v1/pets', { name, categoryId: 7 })
    return shop
  }
})
