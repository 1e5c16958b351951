import { expect, it } from 'vitest'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'
import { dayMs, writeDomain } from '../support/written-domain.ts'

const problem = {
  code: 'ca_unreachable',
  message: 'The certificate authority cannot be reached.',
  record: null,
}
const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const
const lost = { ownedName: null, state: 'stale' } as const

describeInBrowser('domains in trouble, on the overview', {}, opened => {
  const inDays = (days: number) => new Date(opened.app.tools.clock.now() + days * dayMs)

  async function openOverview(owner: TestProject, look = {}) {
    const page = await opened.open('/dashboard/', owner.secret, look)
    await page.getByRole('heading', { name: 'Deprecated API calls' }).waitFor()
    const notice = page.locator('.notice', { hasText: /needs? your attention/ })
    const texts = async (): Promise<string[]> => {
      await notice.waitFor()
      return notice.locator('li, .title').allTextContents()
    }
    return { page, notice, texts }
  }

  it('the overview shows nothing about domains that are in order', async () => {
    const owner = await opened.app.makeProject({ plan: 'pro' })
    await writeDomain(opened.app, owner, 'fine.test')

    const { page, notice } = await openOverview(owner)

    await page.waitForLoadState('networkidle')
    expect(await notice.count()).toBe(0)
    await page.context().close()
  })

  it('the overview names a lost domain, and links to its details', async () => {
    const owner = await opened.app.makeProject({ plan: 'pro' })
    await writeDomain(opened.app, owner, 'fine.one.test')
    await writeDomain(opened.app, owner, 'lost.one.test', { domain: lost })

    const { page, notice, texts } = await openOverview(owner)

    expect(await texts()).toEqual([
      'A domain needs your attention',
      expect.stringContaining('lost.one.test is not served any more'),
    ])
    await notice.getByRole('link', { name: 'Details of lost.one.test' }).click()
    const card = page.getByRole('article', { name: 'lost.one.test' })
    await card.getByRole('button', { expanded: true }).first().waitFor()
    await page.context().close()
  })

  it('the overview names the five worst of many domains in trouble, links to the others, and passes axe', async () => {
    const owner = await opened.app.makeProject({ plan: 'pro' })
    const add = (name: string, written: Parameters<typeof writeDomain>[3]) =>
      writeDomain(opened.app, owner, name, written)
    await add('ending.many.test', { certificate: { notAfter: inDays(6), renewAt: inDays(-1) } })
    await add('failing.many.test', { certificate: { problem } })
    await add('one.many.test', { domain: { state: 'drifted', driftedAt: inDays(-2) } })
    await add('two.many.test', { domain: { state: 'drifted', driftedAt: inDays(-4) } })
    await add('none.many.test', { certificate: { problem, notAfter: inDays(-1) } })
    await add('gone.many.test', { domain: lost })
    await add('three.many.test', { certificate: { problem } })

    for (const look of looks) {
      const { page, notice, texts } = await openOverview(owner, look)
      expect(await texts()).toEqual([
        '7 domains need your attention',
        expect.stringContaining('gone.many.test is not served any more'),
        expect.stringContaining('none.many.test has no valid certificate'),
        expect.stringContaining('The DNS record of one.many.test has changed.'),
        expect.stringContaining('The DNS record of two.many.test has changed.'),
        expect.stringContaining('The certificate of failing.many.test could not be renewed'),
      ])
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await notice.getByRole('link', { name: 'and 2 more' }).click()
      await page.getByRole('heading', { name: 'Domains', exact: true }).waitFor()
      await page.context().close()
    }
  })
})
