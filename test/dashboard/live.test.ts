import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../support/dashboard.ts'

describeInBrowser('what is pending in the dashboard', {}, opened => {
  /** Opens the page with keys. One is rotated and still active, so the page polls every ten seconds. */
  const openPending = async () => {
    const owner = await opened.app.makeProject()
    const { keyId } = await owner.issueKey()
    await owner.post('/graphql', { query: `mutation { rotateApiKey(id: "key_${keyId}") { secret } }` })
    const page = await opened.open('/dashboard/keys', null)
    const questions = countQuestions(page)
    await page.clock.install()
    await page.getByLabel('API key').fill(owner.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('row').filter({ hasText: 'Rotated, expiring' }).waitFor()
    // Stop the page's clock, so that nothing becomes due, however slow the machine is.
    await page.clock.pauseAt(Date.now() + 60_000)
    await questions.settle()
    return { page, questions }
  }
  const seenAs = (page: Page, state: 'hidden' | 'visible') =>
    page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
      document.dispatchEvent(new Event('visibilitychange'))
    `)

  it('until a rotated key expires, a tab reads the list of keys every ten seconds, never while hidden, and at once when shown', async () => {
    const { page, questions } = await openPending()
    const before = questions.count()

    await page.clock.runFor(10_000)
    await questions.settle()
    expect(questions.count() - before).toBe(1)

    await seenAs(page, 'hidden')
    await page.clock.runFor(60_000)
    await questions.settle()
    expect(questions.count() - before).toBe(1)

    await seenAs(page, 'visible')
    await questions.settle()
    expect(questions.count() - before).toBe(2)
    await page.context().close()
  })

  it('the page of a rotated key and the page of a pending domain read the key or the domain every ten seconds', async () => {
    const owner = await opened.app.makeProject()
    const { keyId } = await owner.issueKey()
    await owner.post('/graphql', { query: `mutation { rotateApiKey(id: "key_${keyId}") { secret } }` })
    const now = new Date(opened.app.tools.clock.now())
    const domain = await opened.app.tools.db.domain.create({
      data: { projectId: owner.project.id, name: 'shop.paws.test', createdAt: now, looksSince: now },
    })
    for (const [path, operation] of [
      [`keys/${keyId}`, 'OneKey'],
      [`settings/domains/${domain.id}`, 'OneDomain'],
    ] as const) {
      const page = await opened.open(`/dashboard/${path}`, owner.secret)
      // Refuse the stream of events, which also runs the queries again.
      await page.route('**/v1/events?*', route => route.fulfill({ status: 403, json: {} }))
      await page.clock.install()
      // Timers that were set before the clock was installed would go on in real time.
      await page.reload()
      await page.getByRole('heading', { name: 'Read it with the API' }).waitFor()
      const operations: (string | undefined)[] = []
      page.on('request', request => operations.push(/query (\w+)/.exec(request.postData() ?? '')?.[1]))
      await page.clock.runFor(10_000)
      await expect.poll(() => operations).toContain(operation)
      await page.context().close()
    }
  })
})

function countQuestions(page: Page) {
  let [count, answered] = [0, 0]
  page.on('request', request => {
    if (request.url().endsWith('/graphql')) count += 1
  })
  page.on('response', response => {
    if (response.url().endsWith('/graphql')) answered += 1
  })
  return {
    count: () => count,
    /**
     * Waits until all queries sent so far are answered. The probe is sent after these queries, so when it is seen,
     * `count` includes all of them.
     */
    async settle() {
      const probe = page.waitForRequest('**/livez')
      await page.evaluate(`fetch('/livez')`)
      await probe
      await expect.poll(() => count - answered).toBe(0)
    },
  }
}
