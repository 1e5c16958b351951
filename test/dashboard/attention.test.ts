import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { handleLeak } from '../../src/core/keys/leaks.ts'
import { hashSecret } from '../../src/core/secrets.ts'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { numberAll } from '../support/events.ts'

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 }, forcedColors: 'active' },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

describeInBrowser('the overview of a project', {}, opened => {
  const isFaultless = async (page: Page) => {
    expect(await findFaults(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
  }

  it('the overview names disabled endpoints, endpoints with paused deliveries and leaked keys, with links', async () => {
    const { db, clock, seal } = { ...opened.app.tools, seal: new Uint8Array(1) }
    const owner = await opened.app.makeProject()
    const leaked = await owner.issueKey(['pets:read'])
    const answer = await opened.app.ask('/revocations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ keys: [leaked.secret] }),
    })
    expect(answer.status).toBeLessThan(300)
    const now = clock.now()
    const endpoint = (name: string, more: object) =>
      db.webhookEndpoint.create({
        data: {
          ...{
            projectId: owner.project.id,
            url: `https://${name}.example/`,
            delivered: 0n,
            sealedSecret: seal,
          },
          ...{ createdAt: new Date(now), enabled: true, ...more },
        },
      })
    await endpoint('fine', { enabled: false })
    await endpoint('resting', {
      failingSince: new Date(now - 9_000_000),
      nextTryAt: new Date(now + 1_800_000),
    })
    const { id } = await endpoint('gone', { disabledAt: new Date(now - 5_000), disabledWhy: 'gone' })
    await numberAll(opened.app.tools)
    for (const look of looks) {
      const page = await opened.open('/dashboard/', owner.secret, look)
      await page.getByText('Webhook endpoints do not get their events').waitFor()
      await page.getByText('An API key was found in public').waitFor()
      await page.getByText('It was revoked.').waitFor()
      expect(await page.getByText('https://fine.example').count()).toBe(0)
      expect(await page.getByText('https://resting.example').count()).toBe(1)
      await page.waitForLoadState('networkidle')
      await isFaultless(page)
      await page.getByRole('link', { name: 'https://gone.example' }).click()
      await page.getByText('The store disabled this endpoint').waitFor()
      expect(page.url()).toContain(id)
      await page.goBack()
      await page.getByText('An API key was found in public').waitFor()
      await page.context().close()
    }
  })

  it('the overview names a leaked key only until the owner has ended it', async () => {
    const { db, clock } = opened.app.tools
    const owner = await opened.app.makeProject()
    await db.project.update({ where: { id: owner.project.id }, data: { leakedKeys: 'tell' } })
    const leaked = await owner.issueKey(['pets:read'])
    const { id } = await db.apiKey.findUniqueOrThrow({
      where: { hash: Uint8Array.from(hashSecret(leaked.secret)) },
    })
    for (const place of ['https://paste.example/1', 'https://paste.example/2'])
      await handleLeak(db, clock, leaked.secret, place)
    await numberAll(opened.app.tools)
    const page = await opened.open('/dashboard/', owner.secret)
    await page.getByText('It still works: rotate it now.').waitFor()
    expect(await page.getByText('It still works').count()).toBe(1)
    await page.getByText('An API key was found in public').waitFor()

    await owner.post('/graphql', {
      query: 'mutation ($id: ID!) { apiKeyRevoke(input: { id: $id }) { apiKey { id } } }',
      variables: { id: `key_${id}` },
    })
    await page.reload()

    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByText('It still works').count()).toBe(0)
    expect(await page.getByText('found in public').count()).toBe(0)
    await page.context().close()
  })

  it('the first steps of a new project mark themselves as done, link to the forms, and can be hidden', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', owner.secret, looks[1])
    await page.getByText('1 of 5 done').waitFor()
    await page.waitForLoadState('networkidle')
    await isFaultless(page)
    await page.getByRole('link', { name: 'Add a pet' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add pet' })
    await dialog.getByLabel('Name').fill('Nimbus')
    await dialog.getByLabel('Category').fill('7')
    await dialog.getByRole('button', { name: 'Add pet' }).click()
    await page.getByRole('rowheader', { name: 'Nimbus' }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('2 of 5 done').waitFor()
    await page.getByRole('link', { name: 'Publish the project' }).click()
    await page.getByRole('dialog', { name: 'Publish' }).getByRole('button', { name: 'Publish' }).click()
    await page.getByText('is in service.').waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('3 of 5 done').waitFor()

    await page.getByRole('button', { name: 'Hide the first steps' }).click()
    expect(await page.getByText('First steps').count()).toBe(0)
    await page.reload()
    await page.getByRole('heading', { name: '1 pet' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByText('First steps').count()).toBe(0)
    await page.context().close()
  })

  it('the overview sends its query for problems once per visit, even if parts of the page load late', async () => {
    for (const [partMs, answerMs] of [
      [0, 0],
      [0, 200],
      [100, 300],
    ] as const) {
      const owner = await opened.app.makeProject()
      const page = await opened.open('/livez', null)
      let asked = 0
      await page.route('**/graphql', async route => {
        if (route.request().postData()?.includes('query Attention')) asked++
        else await new Promise(resolve => setTimeout(resolve, answerMs))
        await route.continue()
      })
      await page.route('**/attention-*.js', async route => {
        await new Promise(resolve => setTimeout(resolve, partMs))
        await route.continue()
      })
      await page.goto(`${opened.app.url}/dashboard/`)
      await page.getByLabel('API key').fill(owner.secret)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('1 of 5 done').waitFor()
      await page.waitForLoadState('networkidle')
      expect(asked).toBe(1)
      await page.getByRole('link', { name: 'Deploys' }).click()
      await page.getByRole('heading', { level: 1, name: 'Deploys' }).waitFor()
      await page.getByRole('link', { name: 'Overview' }).click()
      await page.getByText('1 of 5 done').waitFor()
      await expect.poll(() => asked).toBe(2)
      await page.waitForLoadState('networkidle')
      expect(asked).toBe(2)
      await page.context().close()
    }
  })
})
