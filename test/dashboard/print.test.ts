import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/dashboard.ts'

const pages = [
  '/dashboard/',
  '/dashboard/pets',
  '/dashboard/pets/categories',
  '/dashboard/orders',
  '/dashboard/keys',
  '/dashboard/deploys',
  '/dashboard/settings/domains',
  '/dashboard/settings/general',
  '/reference',
]

describeInBrowser('on paper', {}, opened => {
  it.each(pages)('the page %s prints only its content, dark on white', async path => {
    const store = await opened.app.makeProject()
    await store.post('/v1/pets', { name: 'Rex', categoryId: 1 })
    const page = await opened.open(path, store.secret, { colorScheme: 'dark' })
    const heading = page.getByRole('heading', { level: 1 }).first()
    await heading.waitFor()
    await page.waitForLoadState('networkidle')

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })

    // The page may just be rendering new data, so poll.
    await expect.poll(() => heading.isVisible()).toBe(true)
    for (const link of await page.getByRole('navigation').getByRole('link').all())
      expect(await link.isVisible()).toBe(false)
    expect(await page.locator('.button:visible').count()).toBe(0)
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light')
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgba(0, 0, 0, 0)',
    )
    await page.context().close()
  })

  it('a printed time is a date, because nobody knows when "3 hours ago" was printed', async () => {
    const store = await opened.app.makeProject()
    const page = await opened.open('/dashboard/keys', store.secret)
    const time = page.getByRole('main').locator('time').first()
    await time.waitFor()
    const date = await time.getAttribute('title')

    await page.emulateMedia({ media: 'print' })

    const shown = await page.evaluate(`(time => [
      getComputedStyle(time).fontSize,
      getComputedStyle(time, '::after').content,
    ])(document.querySelector('main time'))`)
    expect(shown).toEqual(['0px', `"${date}"`])
    await page.context().close()
  })
})
