import { beforeAll, expect, it } from 'vitest'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { graphqlOf } from '../support/graphql.ts'
import type { TestProject } from '../support/start-app.ts'

describeInBrowser('categories in the dashboard', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
    for (const name of ['Nimbus', 'Waffles']) await owner.post('/v1/pets', { name, categoryId: 7 })
  })
  const listed = async () => {
    const { json } = await owner.get('/v1/categories')
    return (json as { id: number | bigint; name: string; petCount: number }[]).map(
      ({ id, name, petCount }) => `${id} ${name} ${petCount}`,
    )
  }

  it('categories are added, renamed and removed, and show how many pets they have', async () => {
    for (const look of [
      { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const page = await opened.open('/dashboard/pets', owner.secret, look)
      const dialog = page.getByRole('dialog')
      const row = (name: string) => page.getByRole('row').filter({ hasText: name })
      const act = async (category: string, name: string) => {
        await page.getByRole('button', { name: `Actions for ${category}`, exact: true }).click()
        await page.getByRole('menuitem', { name }).click()
      }
      await page.getByRole('link', { name: 'Categories' }).click()
      await page.getByText('No category has a name').waitFor()
      expect(await findFaults(page)).toEqual([])

      await page.getByRole('button', { name: 'Add category' }).click()
      await dialog.getByLabel('Number').fill('dogs')
      await dialog.getByLabel('Name').fill('Dogs')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Enter the number of a category, such as 7.').waitFor()
      await dialog.getByLabel('Number').fill('7')
      await dialog.getByLabel('Name').fill(' ')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Enter a name of at most 100 characters.').waitFor()
      expect(await findFaults(page)).toEqual([])
      await dialog.getByLabel('Name').fill('Dogs')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Named category 7 Dogs.').waitFor()
      await row('Dogs').getByRole('cell', { name: '2', exact: true }).waitFor()
      expect(await row('Dogs').getAttribute('data-marked')).toBe('true')

      await page.getByRole('button', { name: 'Add category' }).click()
      await dialog.getByLabel('Number').fill('-9223372036854775808')
      await dialog.getByLabel('Name').fill('Fish')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await row('Fish').getByRole('cell', { name: '0', exact: true }).waitFor()
      await act('Dogs', 'Rename')
      await dialog.getByLabel('Name').fill('Hounds')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Renamed Dogs to Hounds.').waitFor()
      await row('Hounds').waitFor()
      expect(await listed()).toEqual(['-9223372036854775808 Fish 0', '7 Hounds 2'])
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      for (const name of ['Hounds', 'Fish']) {
        await act(name, 'Remove')
        await dialog.getByRole('button', { name: 'Remove' }).click()
        await page.getByText(`Removed ${name}.`).waitFor()
        await row(name).waitFor({ state: 'detached' })
      }
      await page.getByText('No category has a name').waitFor()
      expect(await listed()).toEqual([])
      await page.context().close()
    }
  })

  it('a rename does not replace a name that someone else gives while the form is open', async () => {
    const shop = await opened.app.makeProject()
    const send = graphqlOf(opened.app, shop)
    const rename = (name: string) =>
      send(`mutation { categorySet(input: { id: "category_7", name: "${name}" }) { category { id } } }`)
    await rename('Dogs')
    const page = await opened.open('/dashboard/pets/categories', shop.secret)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Actions for Dogs' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await rename('Canines')
    await dialog.getByLabel('Name').fill('Hounds')
    await dialog.getByRole('button', { name: 'Save' }).click()

    await dialog.getByText('Someone else changed this category').waitFor()

    expect(await findFaults(page)).toEqual([])
    expect((await shop.get('/v1/categories/7')).json).toMatchObject({ name: 'Canines' })
    await dialog.getByRole('button', { name: 'View latest' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions for Canines' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await dialog.getByLabel('Name').fill('Hounds')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Renamed Canines to Hounds.').waitFor()
    await page.context().close()
  })

  it('after the last category of a page is removed, the page says so and leads back to the previous page', async () => {
    const shop = await opened.app.makeProject()
    const projectId = shop.project.id
    await opened.app.tools.db.category.createMany({
      data: Array.from({ length: 51 }, (_, i) => ({ projectId, id: BigInt(i + 1), name: `Kind ${i + 1}` })),
    })
    const page = await opened.open('/dashboard/pets/categories', shop.secret)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Page 2').waitFor()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(1)
    await page.getByRole('button', { name: 'Actions for' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()

    await page.getByText('Nothing is left on this page').waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(50)
    await page.context().close()
  })

  it('the last page of a search without a match says that the search ends, and not that rows are gone', async () => {
    const shop = await opened.app.makeProject()
    const projectId = shop.project.id
    await opened.app.tools.db.category.createMany({
      data: Array.from({ length: 5_001 }, (_, i) => ({
        projectId,
        id: BigInt(i + 1),
        name: `Kind ${i + 1}`,
      })),
    })
    const page = await opened.open('/dashboard/pets/categories?name=zzz', shop.secret)
    await page.getByText('No matches so far').waitFor()

    await page.getByRole('button', { name: 'Next' }).click()

    await page.getByText('No more matches').waitFor()
    expect(await page.getByText('Nothing is left on this page').count()).toBe(0)
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })

  it('a key without the write scope can only read categories, and a key without the read scope sees none', async () => {
    const shop = await opened.app.makeProject()
    await shop.post('/graphql', { query: 'mutation { setCategory(categoryId: "1", name: "Cats") { id } }' })
    const onlooker = await shop.issueKey(['pets:read', 'project:read'])
    const page = await opened.open('/dashboard/pets/categories', onlooker.secret)
    const name = page.getByRole('button', { name: 'Add category' })
    expect(await name.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('button', { name: 'Actions for Cats' }).click()
    for (const item of ['Rename', 'Remove'])
      expect(await page.getByRole('menuitem', { name: item }).getAttribute('aria-disabled')).toBe('true')
    await page.context().close()

    const stranger = await shop.issueKey(['project:read'])
    const refused = await opened.open('/dashboard/pets/categories', stranger.secret)
    await refused.getByText('You don’t have access to categories').waitFor()
    await refused.context().close()
  })
})
