import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { progressOf } from '../../src/dashboard/pages/pets/progress.ts'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'

it.each([
  [20_000, 80_000, 5_000, '20,000 of 80,000 pets, 4,000 a second, 15 s left'],
  [10_000, 1_000_000, 10_000, '10,000 of 1,000,000 pets, 1,000 a second, 17 min left'],
  [20_000, null, 500, '20,000 pets'],
])('the progress of %j of %j pets after %j ms is shown as %j', (pets, total, elapsed, line) => {
  expect(progressOf(pets, total, elapsed)).toBe(line)
})

describeInBrowser('exporting pets in the dashboard', {}, opened => {
  it('an export shows its price first and downloads the filtered pets', async () => {
    const owner = await opened.app.makeProject()
    const projectId = owner.project.id
    await opened.app.tools.db.pet.createMany({
      data: Array.from({ length: 1_200 }, (_, i) => ({
        projectId,
        name: `Pet ${i}`,
        categoryId: 1n,
        status: i < 3 ? ('sold' as const) : null,
      })),
    })
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.context().addCookies([{ name: 'of', value: 'another-page', url: opened.app.url }])
    const cookies: Promise<string | null>[] = []
    page.on('request', request => {
      // Ignore errors, because the stream of events may begin at any moment, also while the page closes.
      if (/\/graphql$|\/v1\//.test(request.url()))
        cookies.push(request.headerValue('cookie').catch(() => null))
    })
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByText('All pets, as a file that can be imported again.').waitFor()
    await page.getByText('It costs 2 requests.').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Sold' }).click()
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByText('Pets that match the list’s filters').waitFor()
    await page.getByText('It costs 1 request.').waitFor()
    const dialog = page.getByRole('dialog')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export', exact: true }).click(),
    ])

    expect(file.suggestedFilename()).toBe('pets.csv')
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(lines.length).toBe(4)
    expect(lines[1]).toContain('Pet 0')
    await page.getByText('Pets exported.').waitFor()
    expect(cookies.length).toBeGreaterThan(1)
    expect(new Set(await Promise.all(cookies))).toEqual(new Set([null]))
    await page.context().close()
  })

  it('a running export can be stopped, and then started again', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/pets', owner.secret)
    let isHeld = false
    await page.route('**/v1/pets/export?**', async route => {
      if (route.request().method() === 'HEAD' || isHeld) return route.continue()
      isHeld = true
    })
    await page.getByRole('button', { name: 'Export' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It costs').waitFor()
    await dialog.getByRole('button', { name: 'Export', exact: true }).click()
    await expect.poll(() => isHeld).toBe(true)

    await dialog.getByRole('button', { name: 'Stop' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export', exact: true }).click(),
    ])

    expect(file.suggestedFilename()).toBe('pets.csv')
    expect(await page.getByText('The pets could not be exported').count()).toBe(0)
    await page.context().close()
  })

  it('a refused export says why and keeps the dialog open to try again', async () => {
    const owner = await opened.app.makeProject({ plan: 'enterprise', perMinute: 2, perDay: 100 })
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByText('The store is empty').waitFor()
    await owner.get('/v1/pets')

    await page.getByRole('button', { name: 'Export' }).click()

    await page.getByText('The pets could not be exported').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })
})
