import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

describeInBrowser('pets in the dashboard', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
    for (const name of ['Nimbus', 'Waffles', 'Biscuit'])
      await owner.post('/v1/pets', { name, categoryId: 7, status: 'available' })
    await owner.post('/graphql', { query: 'mutation { setCategory(categoryId: "7", name: "Dogs") { id } }' })
  })
  const listed = async () => {
    const { json } = await owner.get('/v1/pets')
    return (json as { name: string; status?: string; categoryId: number }[]).map(
      ({ name, categoryId, status }) => `${name} ${categoryId} ${status}`,
    )
  }

  it('pets are edited and deleted, and the list shows the changes', async () => {
    for (const look of [
      { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const page = await opened.open('/dashboard/pets', owner.secret, look)
      const dialog = page.getByRole('dialog')
      const act = async (pet: string, name: string) => {
        await page.getByRole('button', { name: `Actions for ${pet}`, exact: true }).click()
        await page.getByRole('menuitem', { name }).click()
      }
      await page
        .getByText(/^Dogs|, Dogs$/)
        .filter({ visible: true })
        .first()
        .waitFor()
      await act('Nimbus', 'Edit')
      await dialog.getByLabel('Name').fill('')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Enter a name of at most 255 characters.').waitFor()
      expect(await findFaults(page)).toEqual([])
      await dialog.getByLabel('Name').fill('Cirrus')
      await dialog.getByLabel('Category').fill('8')
      await dialog.getByLabel('Status').selectOption('Not set')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Changed Cirrus.').waitFor()
      await expect.poll(() => page.locator('[data-marked]').textContent()).toContain('Cirrus')
      expect((await listed())[0]).toBe('Cirrus 8 undefined')
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await act('Cirrus', 'Edit')
      await dialog.getByLabel('Name').fill('Nimbus')
      await dialog.getByLabel('Category').fill('7')
      await dialog.getByLabel('Status').selectOption('Available')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Changed Nimbus.').waitFor()
      await page.context().close()
    }

    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByRole('button', { name: 'Actions for Waffles' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Deleted Waffles.').waitFor()
    await page.getByRole('rowheader', { name: 'Waffles' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Close this message' }).click()
    await expect.poll(async () => (await listed()).length).toBe(2)
    expect(await listed()).toEqual(['Nimbus 7 available', 'Biscuit 7 available'])
    await page.context().close()
  })

  it('a number in the category filter or in a pet form is a category id, even if the name of another category is that number', async () => {
    const shop = await opened.app.makeProject()
    const named = (id: string, name: string) =>
      `mutation { setCategory(categoryId: "${id}", name: "${name}") { id } }`
    await shop.post('/graphql', { query: named('5', '7') })
    await shop.post('/graphql', { query: named('7', '5') })
    await shop.post('/v1/pets', { name: 'Stray', categoryId: 7 })
    const page = await opened.open('/dashboard/pets?categoryId=7', shop.secret)
    await page.getByRole('button', { name: 'Actions for Stray' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByLabel('Category').inputValue()).toBe('5 (7)')

    await dialog.getByLabel('Name').fill('Found')
    await dialog.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('rowheader', { name: 'Found' }).waitFor()
    expect((await shop.get('/v1/pets')).json).toMatchObject([{ name: 'Found', categoryId: 7 }])
    expect(new URL(page.url()).search).toBe('?categoryId=7')
    await page.context().close()
  })

  it('a category is chosen by its name in forms and in the filter, and any other number can be entered', async () => {
    await owner.post('/v1/pets', { name: 'Stray', categoryId: 9 })
    for (const look of [
      { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const page = await opened.open('/dashboard/pets', owner.secret, look)
      const pets = () => page.getByRole('rowheader').count()
      await page.getByRole('rowheader', { name: 'Stray' }).waitFor()
      const filter = page.getByRole('combobox', { name: 'Category' })
      await filter.fill('dogs')
      await page.waitForURL(/categoryId=7/)
      await page.getByRole('rowheader', { name: 'Stray' }).waitFor({ state: 'detached' })
      await page.getByLabel('Search by name').focus()
      await expect.poll(() => filter.inputValue()).toBe('Dogs (7)')
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await filter.fill('9')
      await page.waitForURL(/categoryId=9/)
      await expect.poll(pets).toBe(1)
      await filter.fill('')
      await page.waitForURL(url => !url.search.includes('categoryId'))

      await page.getByRole('button', { name: 'Add pet' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Named')
      await dialog.getByLabel('Category').fill('Dogs (7)')
      expect(await findFaults(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Add pet' }).click()
      await page.getByText(/^Added Named/).waitFor()
      expect((await listed()).at(-1)).toBe('Named 7 undefined')
      await page.context().close()
    }
    for (const { id } of (
      (await owner.get('/v1/pets?limit=100')).json as { id: number; name: string }[]
    ).filter(({ name }) => ['Stray', 'Named'].includes(name)))
      await owner.ask(`/v1/pets/${id}`, { method: 'DELETE' })
  })

  it('an edit does not overwrite a pet that someone else changed', async () => {
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByRole('button', { name: 'Actions for Biscuit' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const { json } = await owner.get('/v1/pets')
    const pet = (json as { id: number; name: string }[]).find(({ name }) => name === 'Biscuit')
    await owner.ask(`/v1/pets/${pet?.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Cookie' }),
    })
    await page.getByRole('dialog').getByLabel('Name').fill('Crumb')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Someone else edited this pet').waitFor()
    expect(await findFaults(page)).toEqual([])
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('row', { name: /^Name/ }).innerText()).toMatch(/Name\s+Crumb\s+Cookie/)
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Crumb')
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await page.getByRole('rowheader', { name: 'Crumb' }).waitFor()
    expect(await listed()).toContain('Crumb 7 available')
    await page.context().close()
  })

  it('if an edit is saved again after its answer was lost, the form says that the pet is already as entered', async () => {
    const shop = await opened.app.makeProject()
    await shop.post('/v1/pets', { name: 'Fern', categoryId: 7 })
    const page = await opened.open('/dashboard/pets', shop.secret)
    const dialog = page.getByRole('dialog')
    const edit = async () => {
      await page.getByRole('button', { name: /^Actions for/ }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
    }
    await edit()
    await dialog.getByLabel('Name').fill('Moss')
    await loseNextAnswer(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('No connection').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()

    await dialog.getByText('The pet is already as you entered it').waitFor()
    expect(await findFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('rowheader', { name: 'Moss' }).waitFor()
    await edit()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Moss')
    expect(await dialog.getByText('Your unsaved changes are back.').count()).toBe(0)
    await page.context().close()
  })

  it('a pet is added once, even if the button is pressed again after a lost answer', async () => {
    const shop = await opened.app.makeProject()
    const page = await opened.open('/dashboard/pets', shop.secret)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add pet' }).first().click()
    await dialog.getByLabel('Name').fill('Fern')
    await dialog.getByLabel('Category').fill('7')
    await loseNextAnswer(page)
    await dialog.getByRole('button', { name: 'Add pet' }).click()
    await dialog.getByText('No connection').waitFor()
    const count = () => opened.app.tools.db.pet.count({ where: { projectId: shop.project.id } })
    expect(await count()).toBe(1)
    await dialog.getByRole('button', { name: 'Add pet' }).click()
    await page.getByText('Added Fern').waitFor()
    expect(await count()).toBe(1)

    await page.getByRole('button', { name: 'Actions for Fern' }).click()
    await page.getByRole('menuitem', { name: 'Place order' }).click()
    await loseNextAnswer(page)
    await dialog.getByRole('button', { name: 'Place order' }).click()
    await dialog.getByText('No connection').waitFor()
    await dialog.getByRole('button', { name: 'Place order' }).click()
    await page.getByText(/^Placed order \d+ for Fern\.$/).waitFor()

    // The open order prevents a change of the status. The form also sends the status, but unchanged, so the pet can be
    // saved.
    await page.getByRole('button', { name: 'Actions for Fern' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByLabel('Name').fill('Moss')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changed Moss.').waitFor()
    await page.context().close()
  })

  it('a pet just added is shown first in the list, and shows later changes', async () => {
    for (let i = 1; i <= 20; i++) await owner.post('/v1/pets', { name: `Pet ${i}`, categoryId: 7 })
    const page = await opened.open('/dashboard/pets', owner.secret)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add pet' }).click()
    await dialog.getByLabel('Name').fill('Fern')
    await dialog.getByLabel('Category').fill('7')
    await dialog.getByRole('button', { name: 'Add pet' }).click()
    await page.getByRole('button', { name: 'Actions for Fern' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByLabel('Name').fill('Moss')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('rowheader', { name: 'Moss' }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Moss' })
    for (const status of ['Sold', 'Pending']) {
      await row.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Mark as: the chosen pets' }).click()
      await page.getByRole('menuitem', { name: status }).click()
      await row.getByText(status.toLowerCase(), { exact: true }).waitFor()
    }
    await page.getByRole('button', { name: 'Actions for Moss' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Deleted Moss.').waitFor()
    await page.getByRole('rowheader', { name: 'Moss' }).waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('a pet whose name has no visible character is opened by a link with its id', async () => {
    const shop = await opened.app.makeProject()
    const { json } = await shop.post('/v1/pets', { name: '\u200b', categoryId: 7 })
    const { id } = json as { id: number }
    const page = await opened.open('/dashboard/pets', shop.secret)
    await page.getByRole('link', { name: `Pet ${id}`, exact: true }).click()
    await page.getByRole('region', { name: 'Pet', exact: true }).getByText(String(id)).waitFor()
    await page.context().close()
  })

  it('a key without the write scope can only read pets', async () => {
    const onlooker = await owner.issueKey(['pets:read', 'project:read'])
    const page = await opened.open('/dashboard/pets', onlooker.secret)
    await page.getByRole('button', { name: 'Actions for Nimbus' }).click()
    for (const name of ['Edit', 'Delete'])
      expect(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled')).toBe('true')
    await page.context().close()
  })
})

/**
 * Makes the page lose the answer to its next mutation: the service carries out the mutation, but the page gets an
 * error. Queries before the mutation are answered as usual.
 */
const loseNextAnswer = (page: Page) =>
  page.evaluate(`{
    const send = fetch
    window.fetch = async (...question) => {
      if (!JSON.parse(question[1].body).query.startsWith('mutation')) return send(...question)
      window.fetch = send
      await send(...question)
      throw new TypeError('lost')
    }
  }`)
