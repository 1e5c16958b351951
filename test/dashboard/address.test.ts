import { beforeAll, expect, it } from 'vitest'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

describeInBrowser('filter and page of a list', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
    for (let i = 1; i <= 45; i++)
      await owner.post('/v1/pets', { name: `Pet ${i}`, categoryId: 7, status: i > 22 ? 'sold' : 'available' })
  })

  it('the URL contains filters and pages, so Back, reload and another tab keep them', async () => {
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

  it('a second click on Next before the next page has arrived does nothing', async () => {
    const page = await opened.open('/dashboard/pets', owner.secret)
    const shows = (name: string) => page.getByRole('rowheader', { name, exact: true }).waitFor()
    const clicked = Promise.withResolvers<void>()
    await shows('Pet 1')
    await page.route('**/graphql', async route => {
      await clicked.promise
      await route.continue()
    })
    const next = page.getByRole('button', { name: 'Next' })
    await next.click()
    await next.click({ force: true })

    clicked.resolve()

    await shows('Pet 21')
    await page.getByText('45 pets, page 2 of 3').waitFor()
    await page.context().close()
  })

  it('a click on Next while the previous page is loading does not skip a page', async () => {
    const page = await opened.open('/dashboard/pets', owner.secret)
    const shows = (name: string) => page.getByRole('rowheader', { name, exact: true }).waitFor()
    const next = page.getByRole('button', { name: 'Next' })
    await next.click()
    await shows('Pet 21')
    await page.reload()
    await shows('Pet 21')
    const clicked = Promise.withResolvers<void>()
    await page.route('**/graphql', async route => {
      await clicked.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Previous' }).click()
    await next.click({ force: true })

    clicked.resolve()

    await shows('Pet 1')
    await page.getByText('45 pets, page 1 of 3').waitFor()
    await next.click()
    await shows('Pet 21')
    await page.context().close()
  })

  it('a URL with an invalid percent-encoding leads to "Nothing here", with the menu', async () => {
    const page = await opened.open('/dashboard/pets/%ff', owner.secret)
    await page.getByRole('heading', { level: 1, name: 'Nothing here' }).waitFor()

    await page.getByRole('link', { name: 'Pets' }).click()

    await page.getByRole('rowheader', { name: 'Pet 1', exact: true }).waitFor()
    await page.context().close()
  })

  it('the URL contains the last twenty pages to go back to; beyond them Back leads to the first page', async () => {
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByRole('button', { name: 'Next' }).click()
    const shows = (name: string) => page.getByRole('rowheader', { name, exact: true }).waitFor()
    await shows('Pet 21')
    const after = String(new URL(page.url()).searchParams.get('after'))
    const query = new URLSearchParams([['page', '21'], ...Array.from({ length: 20 }, () => ['after', after])])

    await page.goto(`${opened.app.url}/dashboard/pets?${query}`)
    await shows('Pet 21')
    await page.getByRole('button', { name: 'Next' }).click()
    await shows('Pet 41')
    await page.getByText('Page 22').waitFor()
    expect(new URL(page.url()).searchParams.getAll('after').length).toBe(20)

    await page.goto(`${opened.app.url}/dashboard/pets?${new URLSearchParams({ page: '22', after })}`)
    await page.getByText('Page 22').waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await shows('Pet 1')
    expect(new URL(page.url()).search).toBe('')
    await page.context().close()
  })

  it('screen readers are told how many rows a search found', async () => {
    const page = await opened.open('/dashboard/pets?status=sold', owner.secret)
    await page.getByText('23 pets, page 1 of 2').waitFor()
    // Only a change of an element that exists already is announced.
    await page.evaluate(
      `for (const each of document.querySelectorAll('[role=status]')) each.dataset.old = ''`,
    )
    const says = (text: string) => page.locator('[role=status][data-old]').getByText(text, { exact: true })
    const search = page.getByLabel('Search by name')
    await search.fill('Pet 31')
    await says('1 result').waitFor({ state: 'attached' })
    await search.fill('zzzz')
    await says('No results').waitFor({ state: 'attached' })
    await search.fill('Pet 2')
    await says('7 results').waitFor({ state: 'attached' })
    await page.context().close()
  })

  it('a list says how many pets and pages it has, and the URL contains the page size and the sort', async () => {
    const page = await opened.open('/dashboard/pets', owner.secret)
    const status = page.getByRole('navigation', { name: 'Pages' }).getByRole('status')
    const says = (text: string) => expect.poll(() => status.textContent()).toBe(text)
    await says('45 pets, page 1 of 3')
    await page.getByRole('button', { name: 'Sold' }).click()
    await says('23 pets, page 1 of 2')
    await page.getByRole('button', { name: 'Next' }).click()
    await says('23 pets, page 2 of 2')
    await page.getByRole('button', { name: 'All' }).click()

    await page.getByLabel('Rows a page').selectOption('50 a page')
    await says('45 pets, page 1 of 1')
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(45)
    await page.getByRole('columnheader', { name: 'Id' }).getByRole('button').click()
    await page.reload()
    await says('45 pets, page 1 of 1')
    await expect.poll(() => page.getByRole('rowheader').first().textContent()).toContain('Pet 45')
    const id = page.getByRole('columnheader', { name: 'Id' })
    expect(await id.getAttribute('aria-sort')).toBe('descending')
    expect(await findFaults(page)).toEqual([])
    await id.getByRole('button').click()
    await expect.poll(() => id.getAttribute('aria-sort')).toBe('ascending')
    expect(new URL(page.url()).search).toBe('?size=50')
    await page.context().close()
  })

  it('the URL changes when the typing in the search field pauses, not with each letter', async () => {
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByRole('rowheader', { name: 'Pet 1', exact: true }).waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const searched: string[] = []
    page.on('request', request => {
      const question = request.postDataJSON()
      if (question?.operationName === 'Pets') searched.push(question.variables.name)
    })

    for (const letter of 'Pet 45') {
      await page.getByLabel('Search by name').press(letter === ' ' ? 'Space' : letter)
      await page.clock.runFor(200)
    }
    expect(searched).toEqual([])
    await page.clock.runFor(100)

    await page.getByRole('rowheader', { name: 'Pet 1', exact: true }).waitFor({ state: 'detached' })
    expect(searched).toEqual(['Pet 45'])
    expect(page.url()).toContain('name=Pet+45')

    // If the reader pauses after a space, the field keeps the space.
    const field = page.getByLabel('Search by name')
    await field.fill('Pet ')
    await page.clock.runFor(400)
    await page.getByRole('rowheader', { name: 'Pet 1', exact: true }).waitFor()
    await field.press('4')
    expect(await field.inputValue()).toBe('Pet 4')
    await page.context().close()
  })

  it('pets are found by a part of their name and by category, newest first', async () => {
    const shop = await opened.app.makeProject()
    for (const [name, categoryId] of [
      ['Nimbus', 7],
      ['Cumulus Nimbus', 8],
      ['Waffles', 7],
      ['Old nimbus', 7],
    ])
      await shop.post('/v1/pets', { name, categoryId, status: 'available' })
    const page = await opened.open('/dashboard/pets', shop.secret)
    const names = () => page.getByRole('rowheader').locator('> a').allTextContents()
    await expect.poll(names).toEqual(['Nimbus', 'Cumulus Nimbus', 'Waffles', 'Old nimbus'])
    await page.getByLabel('Sort by').selectOption('Newest first')
    await expect.poll(names).toEqual(['Old nimbus', 'Waffles', 'Cumulus Nimbus', 'Nimbus'])
    await page.getByLabel('Search by name').fill('NIMBUS')
    await expect.poll(names).toEqual(['Old nimbus', 'Cumulus Nimbus', 'Nimbus'])
    await page.getByLabel('Category').fill('7')
    await expect.poll(names).toEqual(['Old nimbus', 'Nimbus'])
    await page.reload()
    await expect.poll(names).toEqual(['Old nimbus', 'Nimbus'])
    await page.getByLabel('Category').fill('9')
    await page.getByText('No pets match your search').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })

  it('an invalid cursor is reported with a link to the first page', async () => {
    const page = await opened.open('/dashboard/pets?status=eaten&after=nonsense', owner.secret)
    await page.getByText('The pets could not be loaded').waitFor()
    await page.getByRole('button', { name: 'To the first page' }).click()
    await page.getByRole('rowheader', { name: 'Pet 1', exact: true }).waitFor()
  })
})
