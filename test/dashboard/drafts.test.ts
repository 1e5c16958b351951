import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'

const operatorKey = 'operator-key-of-the-drafts-tests-000'

describeInBrowser('what was typed into a form', { env: { OPERATOR_KEY: operatorKey } }, opened => {
  it('a draft is restored after Escape and after the key was revoked, and discarded after Cancel and after signing out', async () => {
    const owner = await opened.app.makeProject()
    const shop = await owner.issueKey()
    const page = await opened.open('/dashboard/pets', shop.secret)
    const dialog = page.getByRole('dialog')
    const name = () => dialog.getByLabel('Name').inputValue()
    const add = () => page.getByRole('button', { name: 'Add pet' }).first().click()
    await add()
    await dialog.getByLabel('Name').fill('Otis')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await add()
    expect(await name()).toBe('Otis')
    await dialog.getByText('Your unsaved changes are back.').waitFor()
    expect(await findFaults(page)).toEqual([])

    await dialog.getByLabel('Category').fill('7')
    await owner.ask('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `mutation { apiKeyRevoke(input: { id: "key_${shop.keyId}" }) { apiKey { id } } }`,
      }),
    })
    // Wait until the service refuses the revoked key. Before the refusal, a click on "Add pet" would still add the pet
    // with the revoked key.
    await expect.poll(async () => (await shop.get('/v1/pets')).status).toBe(401)
    await expect
      .poll(async () => {
        if (await dialog.isVisible())
          await dialog
            .getByRole('button', { name: 'Add pet' })
            .click({ timeout: 1000 })
            .catch(() => {})
        return page.getByText('This key is no longer valid.').isVisible()
      })
      .toBe(true)
    await page.getByLabel('API key').fill(owner.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await add()
    expect(await name()).toBe('Otis')
    await dialog.getByRole('button', { name: 'Start over' }).click()
    expect(await name()).toBe('')
    await dialog.getByLabel('Name').fill('Bela')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await add()
    expect(await name()).toBe('')
    await dialog.getByLabel('Name').fill('Cleo')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').fill(owner.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await add()
    expect(await name()).toBe('')
    await page.context().close()
  })

  it('a draft is not restored in another project of an operator, nor after another tab has signed out', async () => {
    const [owner, other] = [await opened.app.makeProject(), await opened.app.makeProject()]
    const openForm = async (page: Page) => {
      await page.getByRole('button', { name: 'Issue key' }).click()
      return page.getByRole('dialog').getByLabel('Name')
    }
    const ofOperator = await opened.open(`/dashboard/projects/${owner.project.slug}/keys`, operatorKey)
    await (await openForm(ofOperator)).fill('Till')
    await ofOperator.keyboard.press('Escape')
    await ofOperator.goto(`${opened.app.url}/dashboard/projects/${other.project.slug}/keys`)
    expect(await (await openForm(ofOperator)).inputValue()).toBe('')
    await ofOperator.context().close()

    const page = await opened.open('/dashboard/keys', owner.secret)
    await (await openForm(page)).fill('Till')
    await page.keyboard.press('Escape')
    const tab = await page.context().newPage()
    await tab.goto(`${opened.app.url}/dashboard/keys`)
    await tab.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').fill(owner.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await (await openForm(page)).inputValue()).toBe('')
    await page.context().close()
  })

  it('a draft stays beside the latest version of a pet that someone else edited, and the user chooses one', async () => {
    const owner = await opened.app.makeProject()
    const { json } = await owner.post('/v1/pets', { name: 'Nimbus', categoryId: 7, status: 'available' })
    const { id } = json as { id: number }
    const page = await opened.open('/dashboard/pets', owner.secret)
    const dialog = page.getByRole('dialog')
    const edit = async (pet: string, to: string, meanwhile: object) => {
      await page.getByRole('button', { name: `Actions for ${pet}` }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await owner.patch(`/v1/pets/${id}`, meanwhile)
      await dialog.getByLabel('Name').fill(to)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Someone else edited this pet').waitFor()
    }
    await edit('Nimbus', 'Cirrus', { name: 'Stratus', status: 'sold' })
    expect(await dialog.getByRole('row').allInnerTexts()).toEqual([
      expect.stringContaining('Latest'),
      expect.stringMatching(/Name\s+Cirrus\s+Stratus/),
      expect.stringMatching(/Status\s+available\s+sold/),
    ])
    expect(await findFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Use the latest' }).click()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Stratus')
    await dialog.getByLabel('Name').fill('Stratus II')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Changed Stratus II.').waitFor()

    const undo = async (pet: { name: string; status: string }) => {
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(`${pet.name} is as it was.`).waitFor()
      expect((await owner.get(`/v1/pets/${id}`)).json).toMatchObject(pet)
    }
    await undo({ name: 'Stratus', status: 'sold' })

    await page.getByRole('rowheader', { name: /^Stratus(?! II)/ }).waitFor()
    await edit('Stratus', 'Cirrus', { name: 'Altus', status: 'pending' })
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await page.getByText('Changed Cirrus.').waitFor()
    await undo({ name: 'Altus', status: 'pending' })
    await page.context().close()
  })
})
