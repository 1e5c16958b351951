import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findFaults, watchRequests } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'

describeInBrowser('limits and faults in the dashboard', {}, opened => {
  it('the overview shows a minute limit that is nearly or fully used, and a ban with its end', async () => {
    const project = await opened.app.makeProject({ plan: 'enterprise', perMinute: 10, perDay: 1000 })
    const page = await opened.open('/dashboard/', project.secret)
    const minute = page.getByRole('meter', { name: 'This minute' })
    await minute.waitFor()
    // Wait for the overview, which counts the pets once.
    await page.getByRole('heading', { name: '0 pets' }).waitFor()
    const refresh = () => page.getByRole('button', { name: 'Refresh the limits' }).click()

    for (let i = 0; i < 6; i++) await project.get('/v1/pets')
    await refresh()
    await expect.poll(() => minute.getAttribute('aria-valuetext')).toMatch(/^7 of 10 requests/)
    expect(await page.getByText('Approaching a limit').count()).toBe(0)
    await project.get('/v1/pets')
    await refresh()
    await page.getByText('Approaching a limit').waitFor()
    await expect.poll(() => minute.getAttribute('aria-valuetext')).toBe('8 of 10 requests (nearly used up)')

    for (let i = 0; i < 2; i++) await project.get('/v1/pets')
    await refresh()
    await page.getByText('Limit reached.').waitFor()
    expect(await findFaults(page)).toEqual([])

    for (let i = 0; i < 31; i++) await project.get('/v1/pets')
    await refresh()
    await page.getByText('This key is banned for now').waitFor()
    await page.getByText(/It works again in 4 min \d\d s/).waitFor()
    expect(await findFaults(page)).toEqual([])
  })

  it('the overview reads the rate limits again after each minute and when the tab becomes visible, without counting the pets again', async () => {
    const project = await opened.app.makeProject()
    await project.get('/v1/pets')
    // Write the counted request to the database before the page opens. If the project had no counted request, the
    // overview would not query the details of the usage.
    await opened.app.tools.usageCounter.flush()
    const page = await opened.open('/dashboard/', null)
    await page.clock.install()
    const allIsShown = watchRequests(page)
    const operations = namesOfQuestions(page)
    // Ignore the operation Attention, because only Attention may be sent twice: the page repeats the operation if its
    // answer comes before React shows the part of the page that uses the answer.
    const asked = () => operations.filter(name => name !== 'Attention')
    await page.getByLabel('API key').fill(project.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: '0 pets' }).waitFor()
    await page.getByRole('heading', { name: 'Deprecated API calls' }).waitFor()
    await page.getByText('Resets in').first().waitFor()
    // On a busy machine the response times may appear long after the parts above.
    await page.getByRole('region', { name: 'Response times' }).waitFor()
    await allIsShown()
    operations.length = 0

    // Only the page's clock is moved past the end of the minute, so the store has no new data. The first step is short,
    // because a slow machine may already have spent much of the minute.
    await page.clock.runFor(15_000)
    expect(asked()).toEqual([])
    await page.clock.runFor(50_000)
    await expect.poll(asked).toEqual(['RateLimit'])
    await page.waitForLoadState('networkidle')
    await page.clock.runFor(30_000)
    expect(asked()).toEqual(['RateLimit'])

    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await expect
      .poll(() => asked().toSorted())
      .toEqual(['Overview', 'RateLimit', 'RateLimit', 'Usage', 'UsageParts'])
    await page.context().close()
  })

  it('once the store answers again, all failed queries run again', async () => {
    const project = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', project.secret)
    await page.getByRole('meter', { name: 'This minute' }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.route('**/graphql', route => route.abort())
    await page.evaluate(`dispatchEvent(new Event('offline'))`)
    await page.getByText('The store cannot be reached').waitFor()
    await page.unroute('**/graphql')
    const operations = namesOfQuestions(page)

    await page.getByRole('button', { name: 'Refresh the limits' }).click()

    await expect.poll(() => operations).toContain('Usage')
    await page.context().close()
  })

  it('the overview does not count pets if no request is left', async () => {
    const project = await opened.app.makeProject({ plan: 'enterprise', perMinute: 1, perDay: 1000 })
    await project.get('/v1/pets')
    const page = await opened.open('/dashboard/', null)
    const operations = namesOfQuestions(page)
    await page.getByLabel('API key').fill(project.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()

    await page.getByText('Limit reached.').waitFor()
    await page.waitForLoadState('networkidle')

    expect(operations).toContain('RateLimit')
    expect(operations).not.toContain('Inventory')
    await page.context().close()
  })

  it('the overview names the key that calls a deprecated operation', async () => {
    const project = await opened.app.makeProject()
    await project.get('/v1/pets/1')

    const page = await opened.open('/dashboard/', project.secret)

    await expect
      .poll(
        async () => {
          await page.reload()
          const named = page.getByRole('cell', { name: 'getPet' })
          // The page loads the code of the table of deprecated calls only if the table has rows. So wait until either
          // the table or the text "No deprecated API calls" is shown.
          await named.or(page.getByText('No deprecated API calls')).first().waitFor()
          return named.isVisible()
        },
        { timeout: 30_000 },
      )
      .toBe(true)
    expect(await findFaults(page)).toEqual([])

    // The overview finds the key also if many newer keys have ended, and says so if it cannot check all working keys.
    const { db } = opened.app.tools
    const {
      id: _,
      hash: __,
      ...key
    } = await db.apiKey.findFirstOrThrow({
      where: { projectId: project.project.id, deprecatedUses: { some: {} } },
    })
    const keys = (ended: object) =>
      Array.from({ length: 85 }, () => ({
        ...{ ...key, ...ended, lastUsedAt: null },
        hash: Uint8Array.from(randomBytes(32)),
      }))
    await db.apiKey.createMany({ data: keys({ revokedAt: new Date() }) })
    await page.reload()
    await page.getByRole('cell', { name: 'getPet' }).waitFor()
    expect(await page.getByText('Only the 85 working keys').count()).toBe(0)

    await db.apiKey.createMany({ data: keys({}) })
    await page.reload()
    await page.getByText('Only the 85 working keys that were used last are checked.').waitFor()
    expect(await page.getByRole('cell', { name: 'getPet' }).count()).toBe(1)
    expect(await findFaults(page)).toEqual([])
  })

  it('a banner says that the store is unreachable, and disappears when the network is back', async () => {
    const project = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', project.secret)
    await page.getByRole('meter', { name: 'This minute' }).waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('columnheader', { name: 'Key' }).waitFor()

    await page.context().setOffline(true)
    await page.getByText('The store cannot be reached').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().setOffline(false)
    await page.getByText('The store cannot be reached').waitFor({ state: 'detached' })
  })

  it('a service that does not answer is reported with a button to retry', async () => {
    const project = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', project.secret)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    await page.route('**/graphql', route => route.abort())
    await page.getByRole('link', { name: 'Pets' }).click()
    // Wait for the page of the pets first, because a running query of the overview may fail too and show the same
    // error.
    await page.getByRole('heading', { level: 1, name: 'Pets' }).waitFor()
    await page.getByText('No connection').waitFor()
    expect(await findFaults(page)).toEqual([])

    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The store is empty').waitFor()
  })

  it('a slow network is reported as still loading', async () => {
    const project = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', project.secret)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    let answer = () => {}
    const held = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/graphql', async route => {
      await held
      await route.continue()
    })
    await page.getByRole('link', { name: 'Pets' }).click()
    await page.getByText('Still loading').waitFor()
    expect(await findFaults(page)).toEqual([])
    answer()
    await page.getByText('The store is empty').waitFor()
  })
})

/** Returns the operations that the page sends from now on. */
function namesOfQuestions(page: Page): string[] {
  const names: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/graphql')) names.push(request.postDataJSON().operationName)
  })
  return names
}
