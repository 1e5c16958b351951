import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditTypes, eventTypes } from '../../src/core/events/types.ts'
import { typeGroups } from '../../src/dashboard/pages/webhooks/event-types.ts'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import type { TestProject } from '../support/start-app.ts'

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

it('the form of a webhook endpoint offers every event type except the types of the audit log', () => {
  const audit: readonly string[] = auditTypes
  const wanted = eventTypes.filter(type => !audit.includes(type))
  expect(typeGroups.flatMap(group => [...group.types]).toSorted()).toEqual(wanted.toSorted())
})

describeInBrowser('webhooks in the dashboard', { env: { DATABASE_URL: '' } }, opened => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.stop())

  const list = '/dashboard/settings/webhooks'
  const isFaultless = async (page: Page) => {
    expect(await findFaults(page)).toEqual([])
    expect(await overflow(page)).toBe(0)
  }
  async function addEndpoint(owner: TestProject, input: object = {}) {
    const { json } = await owner.post('/v1/webhooks', { url: receiver.url, ...input })
    return json as { id: string; secret: string }
  }
  const rowsOf = (page: Page) => page.getByRole('region', { name: 'Deliveries' }).locator('tbody tr')

  it('an endpoint is added with some events, its secret is shown once, and its deliveries are listed', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open(list, owner.secret, looks[1])
    await page.getByText('No endpoints yet').waitFor()
    await isFaultless(page)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add an endpoint' })
    const add = () => dialog.getByRole('button', { name: 'Add endpoint' }).click()
    await dialog.getByLabel('Address').fill('http://shop.example')
    await dialog.getByLabel('Only these').check()
    await add()
    await dialog.getByText('Choose at least one event.').waitFor()
    await dialog.getByLabel('pet.created', { exact: true }).check()
    await add()
    await dialog.getByText('The address must be an https address.').waitFor()
    await isFaultless(page)
    await dialog.getByLabel('Address').fill(receiver.url)
    await dialog.getByLabel('Description').fill('Web shop')
    await add()
    const secret = (await page.getByLabel('The new signing secret').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    await isFaultless(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('You haven’t copied this secret.').waitFor()
    await page.getByLabel('I’ve saved this secret somewhere safe').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('cell', { name: 'Enabled' }).waitFor()
    await isFaultless(page)

    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByText('Nothing was sent in the last 30 days.').waitFor()
    await isFaultless(page)
    await owner.post('/v1/pets', { name: 'Biscuit', categoryId: 7 })
    await owner.get('/v1/events')
    await expect
      .poll(
        async () => {
          await page.reload()
          await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
          await page.waitForLoadState('networkidle')
          return rowsOf(page).count()
        },
        { timeout: 20_000 },
      )
      .toBe(1)
    await page.getByRole('button', { name: 'pet.created' }).click()
    await page.getByText('The answer was empty.').waitFor()
    expect(await page.content()).not.toContain(secret)
    await isFaultless(page)
    await page.context().close()
  })

  it('an endpoint that someone deleted is shown as missing after the store refused to pause it', async () => {
    const owner = await opened.app.makeProject()
    const { id } = await addEndpoint(owner)
    const page = await opened.open('/livez', owner.secret)
    // Refuse the stream of events, which also runs the queries again.
    await page.route('**/v1/events?*', route => route.fulfill({ status: 403, json: {} }))
    await page.goto(`${opened.app.url}${list}/${id}`)
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    await owner.delete(`/v1/webhooks/${id}`)

    await page.getByRole('button', { name: 'Pause' }).click()

    await page.getByText('The project has no such webhook endpoint.').waitFor()
    await page.getByText('There is no webhook endpoint').waitFor()
    await isFaultless(page)
    await page.context().close()
  })

  it('a test event shows the answer of the endpoint, and a failed delivery is sent again', async () => {
    const owner = await opened.app.makeProject()
    const { id } = await addEndpoint(owner, { types: ['pet.created'] })
    receiver.answerNext(500)
    await owner.post('/v1/pets', { name: 'Biscuit', categoryId: 7 })
    const delivered = () => owner.get(`/v1/webhooks/${id}/deliveries`).then(({ json }) => json as unknown[])
    await expect.poll(async () => (await delivered()).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2)
    const page = await opened.open(`${list}/${id}`, owner.secret)
    await page.getByRole('cell', { name: '500' }).waitFor()
    await page.getByRole('button', { name: 'pet.created' }).last().click()
    await page.getByText('status 500').waitFor()
    await isFaultless(page)

    await page
      .getByRole('button', { name: /^Redeliver event/ })
      .first()
      .click()
    await page.getByText(/^Event \d+ is on its way again.$/).waitFor()
    await expect.poll(() => rowsOf(page).getByRole('rowheader').count(), { timeout: 20_000 }).toBe(3)

    receiver.answerNext(418)
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText(/^Answered 418 after/).waitFor()
    await page.getByRole('dialog').getByText('status 418').waitFor()
    await isFaultless(page)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText(/^Answered 204 after/).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'webhook.test' }).first().waitFor()
    await page.context().close()
  })

  it('an event that is still being retried is sent at once', async () => {
    const owner = await opened.app.makeProject()
    const { id } = await addEndpoint(owner, { types: ['pet.created'] })
    const { db } = opened.app.tools
    receiver.answerNext(500)
    await owner.post('/v1/pets', { name: 'Biscuit', categoryId: 7 })
    const find = () => db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
    await expect.poll(async () => (await find()).nextTryAt, { timeout: 20_000 }).not.toBe(null)
    // An hour is far longer than any pause between retries here: only the button can cause an attempt during this test.
    await db.webhookEndpoint.update({ where: { id }, data: { nextTryAt: new Date(Date.now() + 3_600_000) } })
    const page = await opened.open(`${list}/${id}`, owner.secret)
    await page.getByRole('button', { name: /^Redeliver event/ }).click()
    await page.getByText(/^Event \d+ is on its way again.$/).waitFor()
    await expect.poll(() => rowsOf(page).getByRole('rowheader').count(), { timeout: 20_000 }).toBe(2)
    await page.getByRole('cell', { name: '204' }).waitFor()
    expect((await find()).failingSince).toBe(null)
    await page.context().close()
  })

  it('a webhook endpoint is paused, enabled, edited and deleted, its secret is rotated, and its past events are sent again', async () => {
    const owner = await opened.app.makeProject()
    const { id } = await addEndpoint(owner, { description: 'Old words' })
    const find = async () => (await owner.get(`/v1/webhooks/${id}`)).json as Record<string, unknown>
    const page = await opened.open(`${list}/${id}`, owner.secret, looks[1])
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for this endpoint' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('This endpoint is paused').waitFor()
    expect((await find()).enabled).toBe(false)
    await isFaultless(page)
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('This endpoint is paused').waitFor({ state: 'detached' })

    await choose('Edit')
    await page.getByLabel('Description').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Old words', { exact: true }).waitFor({ state: 'detached' })

    await choose('Rotate secret')
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByLabel('The new signing secret').waitFor()
    await page.getByLabel('I’ve saved this secret somewhere safe').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Old secret also signs until').waitFor()

    await owner.post('/v1/pets', { name: 'Biscuit', categoryId: 7 })
    await expect.poll(async () => Number((await find()).delivered), { timeout: 20_000 }).toBeGreaterThan(0)
    const before = receiver.received.length
    await choose('Send events again')
    const focused = () => page.evaluate('document.activeElement.labels?.[0]?.textContent')
    await expect.poll(focused).toBe('Start')
    await page.keyboard.press('ArrowDown')
    await page.getByLabel('Events of this time and later').waitFor()
    await page.keyboard.press('ArrowUp')
    await page.getByLabel('After the event with the number').waitFor()
    expect(await focused()).toBe('Start')
    await page.getByLabel('After the event with the number').fill('12345678')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Enter the number of an event, or 0.').waitFor()
    await isFaultless(page)
    await page.getByLabel('After the event with the number').fill('0')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('The events after number 0 are on their way again.').waitFor()
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(before)

    const afterNumber = receiver.received.length
    await choose('Send events again')
    await page.getByLabel('Start').selectOption('At a time')
    await page.getByLabel('Events of this time and later').fill('2999-01-01T00:00')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Enter a time in the past.').waitFor()
    await isFaultless(page)
    await page.getByLabel('Events of this time and later').fill('202611-11-28T10:00')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Enter a time in the past.').waitFor()
    await page.getByLabel('Events of this time and later').fill('2026-01-01T00:00')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText(/^The events since .* are on their way again.$/).waitFor()
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(afterNumber)

    await choose('Delete')
    await isFaultless(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No endpoints yet').waitFor()
    expect((await owner.get('/v1/webhooks')).json).toEqual([])
    await page.context().close()
  })

  it('an edit of an endpoint keeps the fields that someone else changes while the form is open', async () => {
    const owner = await opened.app.makeProject()
    const { id } = await addEndpoint(owner, { types: ['pet.created'] })
    const page = await opened.open(`${list}/${id}`, owner.secret)
    const edit = async () => {
      await page.getByRole('button', { name: 'Actions for this endpoint' }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
    }
    const dialog = page.getByRole('dialog')
    const theirs = { url: `${receiver.url}/moved`, types: ['pet.deleted'] }
    await edit()
    await owner.patch(`/v1/webhooks/${id}`, theirs)
    await dialog.getByLabel('Description').fill('Web shop')
    await dialog.getByRole('button', { name: 'Save' }).click()

    await page.getByText('Saved the endpoint.').waitFor()

    expect((await owner.get(`/v1/webhooks/${id}`)).json).toMatchObject({ ...theirs, description: 'Web shop' })
    await edit()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('the pages of a failing, a resting and a disabled webhook endpoint say why deliveries fail or stopped, and what happens next', async () => {
    const owner = await opened.app.makeProject()
    const { id } = await addEndpoint(owner)
    const now = opened.app.tools.clock.now()
    const at = (ms: number) => new Date(now + ms)
    const states = [
      [{ failingSince: at(-60_000), nextTryAt: at(100_000) }, 'Deliveries are failing', 'Failing'],
      [{ failingSince: at(-9_000_000), nextTryAt: at(1_800_000) }, 'Deliveries are paused', 'Resting'],
      [
        { failingSince: at(-9_000), nextTryAt: null, disabledAt: at(-5_000), disabledWhy: 'gone' },
        'It answered 410 Gone',
        'Disabled',
      ],
      [{ disabledWhy: 'failing' }, 'No attempt succeeded for five days', 'Disabled'],
    ] as const
    for (const [data, words, badge] of states) {
      await opened.app.tools.db.webhookEndpoint.update({ where: { id }, data })
      for (const look of [looks[badge === 'Failing' ? 1 : 0]]) {
        // Force colours only in light mode: in dark mode, axe reads the original colours instead of the forced ones.
        const forcedColors = look.colorScheme === 'light' ? 'active' : 'none'
        const page = await opened.open(`${list}/${id}`, owner.secret, { ...look, forcedColors })
        await page.getByText(words).waitFor()
        await isFaultless(page)
        await page.getByRole('link', { name: 'All endpoints' }).click()
        await page.getByRole('cell', { name: badge }).waitFor()
        await isFaultless(page)
        await page.context().close()
      }
    }
  })

  it('a key without webhooks:write, and a key of another project, see no endpoints', async () => {
    const owner = await opened.app.makeProject()
    const { id } = await addEndpoint(owner)
    const onlooker = await owner.issueKey(['project:read'])
    const page = await opened.open(list, onlooker.secret)
    await page.getByText('You don’t have access to webhooks').waitFor()
    await isFaultless(page)
    await page.context().close()
    const stranger = await opened.app.makeProject()
    const theirs = await opened.open(`${list}/${id}`, stranger.secret)
    await theirs.getByText('There is no webhook endpoint').waitFor()
    await isFaultless(theirs)
    await theirs.context().close()
  })
})
