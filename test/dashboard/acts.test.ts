import { beforeAll, expect, it } from 'vitest'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-key-of-the-acts-tests-0000'

describeInBrowser('what was done', { env: { OPERATOR_KEY: operatorKey } }, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
    for (let i = 1; i <= 25; i++) await owner.post('/v1/pets', { name: `Pet ${i}`, categoryId: 7 })
  })

  it('after a pet is added, the dashboard announces the pet, and the row of the pet is in the visible part of the page', async () => {
    for (const look of [
      { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const page = await opened.open('/dashboard/pets', owner.secret, look)
      await page.getByRole('button', { name: 'Add pet' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add pet' })
      await dialog.getByLabel('Name').fill(`Nimbus ${look.colorScheme}`)
      await dialog.getByLabel('Category').fill('7')
      await dialog.getByRole('button', { name: 'Add pet' }).click()

      const toast = page.getByRole('status').filter({ hasText: `Added Nimbus ${look.colorScheme}` })
      await toast.waitFor()
      expect((await toast.boundingBox())?.height).toBeGreaterThan(20)
      const row = page.getByRole('row').filter({ hasText: `Nimbus ${look.colorScheme}` })
      await row.waitFor()
      expect(await row.getAttribute('data-marked')).toBe('true')
      const { y = 9999, height = 0 } = (await row.boundingBox()) ?? {}
      expect(y + height).toBeLessThanOrEqual(look.viewport.height)
      // Focus the message, so that it does not disappear during the checks.
      await page.getByRole('button', { name: 'Close this message' }).focus()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await page.getByRole('button', { name: 'Close this message' }).click()
      await page.getByText('Added Nimbus').waitFor({ state: 'detached' })
      await page.context().close()
    }
  })

  it('an announcement stays visible for eight seconds, and longer under the pointer', async () => {
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', { name: 'Add pet' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add pet' })
    await dialog.getByLabel('Name').fill('Otis')
    await dialog.getByLabel('Category').fill('7')
    await dialog.getByRole('button', { name: 'Add pet' }).click()
    const notice = page.getByText('Added Otis')
    await notice.waitFor()

    await notice.hover()
    await page.clock.runFor(60_000)
    expect(await notice.isVisible()).toBe(true)
    await page.mouse.move(0, 0)
    // React renders the end of the hover and then starts the timer, each in a task of its own. Wait for these tasks.
    for (let turn = 0; turn < 3; turn++)
      await page.evaluate(`new Promise(resolve => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(null)
        port2.postMessage(null)
      })`)
    await page.clock.runFor(7_900)
    expect(await notice.isVisible()).toBe(true)
    await page.clock.runFor(200)
    await notice.waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('actions on keys are announced, and the key is highlighted', async () => {
    await owner.issueKey()
    const page = await opened.open('/dashboard/keys', owner.secret)
    const marked = page.locator('[data-marked]')
    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for the key Web shop' }).first().click()
      await page.getByRole('menuitem', { name }).click()
    }
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByLabel('Name').fill('Web shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
    await page.getByLabel('I’ve saved this key somewhere safe').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Issued the key Web shop.').waitFor()
    expect(await marked.textContent()).toContain('Web shop')

    await act('Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Web shop 2')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByText('Renamed Web shop to Web shop 2.').waitFor()
    await expect.poll(() => marked.textContent()).toContain('Web shop 2')

    await act('Revoke')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked Web shop 2.').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })

  it('deploys and changes of projects are announced', async () => {
    const page = await opened.open('/dashboard/deploys', owner.secret)
    await page.getByRole('button', { name: 'Publish the project' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText(/^Deploy \d+ is in service\.$/).waitFor()
    expect(await page.locator('[data-marked]').textContent()).toContain('Live')
    await page.context().close()

    const operators = await opened.open('/dashboard/', operatorKey)
    const name = owner.project.name
    const slug = owner.project.slug
    const row = operators.getByRole('row').filter({ hasText: slug })
    await row.getByRole('button', { name: `Actions for ${name}` }).click()
    await operators.getByRole('menuitem', { name: 'Suspend' }).click()
    await operators.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await operators.getByText(`Suspended ${name}.`).waitFor()
    expect(await operators.locator('[data-marked]').textContent()).toContain(slug)
    expect(await findFaults(operators)).toEqual([])
    await operators.context().close()
  })
})
