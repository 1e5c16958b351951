import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

describeInBrowser('filter and page of a list', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
    for (let i = 1; i <= 45; i++)
      await owner.post('/v1/pets', { name: `Pet ${i}`, categoryId: 7, status: i > 22 ? 'sold' : 'available' })
  })

  it('live in the address: Back and reload keep them, and another tab finds the same', async () => {
    const page = await opened.open('/dashboard/pets', owner.secret)
    const shows = (name: string) => page.getByRole('rowheader', { name, exact: true }).waitFor()
    await shows('Pet 1')
    await page.getByRole('button', { name: 'Sold' }).click()
    await shows('Pet 23')
    await page.getByRole('button', { name: 'Next' }).click()
    await shows('Pet 45')
    await page.getByText('Page 2').waitFor()

    await page.reload()
    await shows('Pet 45')
    expect(await page.getByRole('button', { name: 'Sold' }).getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Previous' }).click()
    await shows('Pet 23')
    await page.goBack()
    await shows('Pet 45')
    const elsewhere = await opened.open(page.url().slice(opened.app.url.length), owner.secret)
    await elsewhere.getByRole('rowheader', { name: 'Pet 45', exact: true }).waitFor()

    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    await page.goBack()
    await shows('Pet 45')
    await page.goBack()
    await shows('Pet 23')
    await page.goBack()
    await shows('Pet 1')
    expect(await page.getByRole('button', { name: 'All' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('of another project or of nonsense is said to be wrong, with a way to the first page', async () => {
    const page = await opened.open('/dashboard/pets?status=eaten&after=nonsense', owner.secret)
    await page.getByText('The pets could not be loaded').waitFor()
    await page.getByRole('button', { name: 'To the first page' }).click()
    await page.getByRole('rowheader', { name: 'Pet 1', exact: true }).waitFor()
  })
})
