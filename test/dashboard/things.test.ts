import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

describeInBrowser('the page of a thing', {}, opened => {
  let owner: TestProject
  let petId: number
  let orderId: number
  beforeAll(async () => {
    owner = await opened.app.makeProject({ plan: 'pro' })
    const { json } = await owner.post('/v1/pets', { name: 'Nimbus', categoryId: 7, status: 'available' })
    petId = (json as { id: number }).id
    await owner.patch(`/v1/pets/${petId}`, { name: 'Cirrus' })
    const { json: order } = await owner.post('/v1/store/orders', { petId, reference: 'EB-1' })
    orderId = (order as { id: number }).id
    await owner.post('/graphql', { query: 'mutation { deployCreate(input: {}) { deploy { id } } }' })
    const now = new Date(opened.app.tools.clock.now())
    await opened.app.tools.db.domain.create({
      data: { projectId: owner.project.id, name: 'shop.paws.test', createdAt: now, looksSince: now },
    })
  })
  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

  it('the pages of a pet and of its order link to each other, and show the history, the JSON and a curl command', async () => {
    for (const look of looks) {
      const page = await opened.open('/dashboard/pets', owner.secret, look)
      await page.getByRole('link', { name: 'Cirrus', exact: true }).click()
      await heading(page, 'Cirrus')
      expect(page.url()).toContain(`/dashboard/pets/${petId}`)
      await page.getByText('Updated: name from Nimbus to Cirrus').waitFor()
      await page.getByText('JSON', { exact: true }).click()
      await page.getByText(`"id":${petId}`).waitFor()
      await page.getByText(`/v1/pets/${petId}'`).waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await page.getByRole('link', { name: `Order ${orderId}` }).click()
      await heading(page, `Order ${orderId}`)
      await page.getByText('EB-1').waitFor()
      await page.getByText('Placed', { exact: true }).first().waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.reload()
      await page.getByRole('link', { name: `Cirrus (${petId})` }).click()
      await heading(page, 'Cirrus')
      await page.goBack()
      await heading(page, `Order ${orderId}`)
      await page.getByRole('link', { name: 'All orders' }).click()
      await heading(page, 'Orders')
      await page.context().close()
    }
  })

  it('the history of an open page shows each change soon after it was made, in this tab or elsewhere', async () => {
    const { json } = await owner.post('/v1/pets', { name: 'Willow', categoryId: 7 })
    const { id } = json as { id: number }
    const page = await opened.open(`/dashboard/pets/${id}`, owner.secret)
    const streamed = page.waitForResponse('**/v1/events?subject=*')
    for (const [before, name] of [
      ['Willow', 'Hazel'],
      ['Hazel', 'Rowan'],
    ]) {
      await page.getByRole('button', { name: 'Edit' }).click()
      await page
        .getByRole('dialog')
        .getByLabel('Name')
        .fill(name ?? '')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await heading(page, name ?? '')
      await page.getByText(`Updated: name from ${before} to ${name}`).waitFor({ timeout: 10_000 })
      await streamed
    }
    await owner.patch(`/v1/pets/${id}`, { name: 'Aspen' })
    await heading(page, 'Aspen')
    await page.getByText('Updated: name from Rowan to Aspen').waitFor({ timeout: 10_000 })
    await page.context().close()
  })

  it('the history of a pet shows each digit of a category beyond 2^53', async () => {
    const { json } = await owner.ask('/v1/pets', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Far","categoryId":9007199254740993}',
    })
    const { id } = json as { id: number }
    await owner.ask(`/v1/pets/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: '{"categoryId":9007199254740995}',
    })

    const page = await opened.open(`/dashboard/pets/${id}`, owner.secret)

    await page.getByText('from 9007199254740993 to 9007199254740995').waitFor()
    await page.context().close()
  })

  it('the JSON on the page of a pet follows its changes, and is loaded again when it is opened again after an error', async () => {
    const { json } = await owner.post('/v1/pets', { name: 'Fennel', categoryId: 7 })
    const { id } = json as { id: number }
    const page = await opened.open(`/dashboard/pets/${id}`, owner.secret)
    await page.route(`**/v1/pets/${id}`, route => route.abort())
    const toggle = page.getByText('JSON', { exact: true })
    await toggle.click()
    await page.getByRole('code').getByText('The store cannot be reached').waitFor()
    await page.unrouteAll()
    await toggle.click()
    await toggle.click()
    await page.getByText('"name":"Fennel"').waitFor()

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Chervil')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()

    await page.getByText('"name":"Chervil"').waitFor()
    await page.context().close()
  })

  it('the open page of a pet shows an order that was placed and then delivered elsewhere', async () => {
    const { json } = await owner.post('/v1/pets', { name: 'Sorrel', categoryId: 7 })
    const { id: petId } = json as { id: number }
    const page = await opened.open(`/dashboard/pets/${petId}`, owner.secret)
    await page.waitForResponse('**/v1/events?subject=*')
    const { json: order } = await owner.post('/v1/store/orders', { petId })
    const { id } = order as { id: number }
    const line = page.getByRole('region', { name: 'Orders' }).getByRole('listitem')
    await line.filter({ hasText: `Order ${id}placed` }).waitFor({ timeout: 10_000 })
    for (const step of ['orderApprove', 'orderDeliver'])
      await owner.post('/graphql', {
        query: `mutation { ${step}(input: { id: "order_${id}" }) { order { id } } }`,
      })
    await line.filter({ hasText: `Order ${id}delivered` }).waitFor({ timeout: 10_000 })
    await page.context().close()
  })

  it('the history of a key and of an endpoint shows what was just changed on the open page or elsewhere', async () => {
    const { keyId } = await owner.issueKey()
    const page = await opened.open(`/dashboard/keys/${keyId}`, owner.secret)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Rename' }).click()
    await dialog.getByLabel('Name').fill('Web shop')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await heading(page, 'Web shop')
    await page.getByText(/changed the API key \(name from .+ to Web shop\)/).waitFor({ timeout: 10_000 })
    const input = `{ id: "key_${keyId}", name: "Kiosk" }`
    await owner.post('/graphql', { query: `mutation { apiKeyRename(input: ${input}) { apiKey { id } } }` })
    await heading(page, 'Kiosk')
    await page.getByText('(name from Web shop to Kiosk)').waitFor({ timeout: 10_000 })
    await page.context().close()

    const { json } = await owner.post('/v1/webhooks', { url: 'https://shop.example/events' })
    const { id } = json as { id: string }
    const other = await opened.open(`/dashboard/settings/webhooks/${id}`, owner.secret)
    await other.getByRole('button', { name: 'Pause' }).click()
    await other.getByText(/changed the endpoint \(enabled from true to false\)/).waitFor({ timeout: 10_000 })
    await other.context().close()
  })

  it('a double click on Delete deletes a pet once, and Back shows that the pet is deleted until Undo', async () => {
    const { json } = await owner.post('/v1/pets', { name: 'Moss', categoryId: 7 })
    const page = await opened.open(`/dashboard/pets/${(json as { id: number }).id}`, owner.secret)
    const remove = page.getByRole('button', { name: 'Delete' })
    await remove.dblclick()
    await heading(page, 'Pets')
    const undo = page.getByRole('button', { name: 'Undo' })
    expect(await undo.count()).toBe(1)

    await page.goBack()
    await page.getByText('This pet is deleted').waitFor()
    expect(await remove.count()).toBe(0)
    // Focus the message, so that it does not disappear during the check.
    await undo.focus()
    expect(await findFaults(page)).toEqual([])
    await undo.click()
    await remove.waitFor()
    await page.context().close()
  })

  it('keys, deploys and domains have pages that their lists link to', async () => {
    for (const look of looks) {
      const page = await opened.open('/dashboard/keys', owner.secret, look)
      const { name } = await opened.app.tools.db.apiKey.findFirstOrThrow({
        where: { projectId: owner.project.id },
      })
      await page.getByRole('link', { name, exact: true }).click()
      await heading(page, name)
      await page.getByRole('region', { name: 'API key' }).getByText('pets:read').waitFor()
      await page.getByText('node(id:').waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await page.goto(`${opened.app.url}/dashboard/deploys`)
      await page.getByRole('button', { name: /^Deploy \d+/ }).click()
      await page.getByRole('link', { name: /^Page of Deploy/ }).click()
      await page.getByRole('heading', { level: 2, name: 'Log' }).waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await page.goto(`${opened.app.url}/dashboard/settings/domains`)
      const article = page.getByRole('article', { name: 'shop.paws.test' })
      await article.waitFor()
      const link = page.getByRole('link', { name: 'Page of shop.paws.test' })
      if (!(await link.isVisible()))
        await article
          .getByRole('button', { name: /shop\.paws\.test/ })
          .first()
          .click()
      await link.click()
      await heading(page, 'shop.paws.test')
      await page.getByRole('heading', { name: 'DNS records' }).waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.context().close()
    }
  })

  it('the page of a record of another project looks like the page of a missing one', async () => {
    const stranger = await opened.app.makeProject()
    for (const [key, id] of [
      [stranger.secret, petId],
      [owner.secret, 987_654],
    ] as const) {
      const page = await opened.open(`/dashboard/pets/${id}`, key)
      await page.getByText(`There is no pet ${id}`).waitFor()
      expect(await findFaults(page)).toEqual([])
      await page.context().close()
    }
  })
})

describeInBrowser('search and shortcuts', {}, opened => {
  let owner: TestProject
  let ids: number[]
  beforeAll(async () => {
    owner = await opened.app.makeProject({ plan: 'pro' })
    ids = []
    for (const name of ['Professor Whiskers', 'Waffles', 'Biscuit']) {
      const { json } = await owner.post('/v1/pets', { name, categoryId: 7 })
      ids.push((json as { id: number }).id)
    }
    await owner.post('/v1/store/orders', { petId: ids[1], reference: 'EB-77' })
  })
  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

  it('Ctrl K finds things by a part of their name or by their id, and also pages and actions', async () => {
    for (const look of looks) {
      const page = await opened.open('/dashboard/', owner.secret, look)
      await heading(page, 'Overview')
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox', { name: /^Search pets/ })
      await field.fill('whisk')
      await page.getByRole('option', { name: /^Professor Whiskers/ }).waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.keyboard.press('Enter')
      await heading(page, 'Professor Whiskers')

      await page.getByRole('button', { name: /^Search/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('/')
      await field.fill('EB-77')
      await page.getByRole('option', { name: /^Order \d+, Waffles, EB-77/ }).waitFor()
      await field.fill(String(ids[2]))
      await page.getByRole('option', { name: /^Biscuit/ }).waitFor()
      await field.fill('zzzz')
      await page.getByText('No results.').waitFor()
      await field.fill('new ord')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'New order' }).waitFor()
      expect(page.url()).not.toContain('do=')
      await page.context().close()
    }
  })

  it('a search that the store refuses for now says so in place of "No results"', async () => {
    const page = await opened.open('/dashboard/', owner.secret)
    await heading(page, 'Overview')
    const json = {
      errors: [{ message: 'Too many.', path: ['pets'], extensions: { code: 'rate_limited' } }],
      data: null,
    }
    await page.route('**/graphql', route =>
      route.request().postData()?.includes('FindPets') ? route.fulfill({ json }) : route.continue(),
    )
    await page.keyboard.press('Control+k')

    await page.getByRole('combobox', { name: /^Search pets/ }).fill('zzzz')

    await page.getByRole('dialog').getByText('Too many.').waitFor()
    expect(await page.getByText('No results.').count()).toBe(0)
    await page.context().close()
  })

  it('j and k move in a list, x chooses, Enter opens, and ? lists the shortcuts, which can be turned off', async () => {
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByRole('link', { name: 'Waffles' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    expect(await page.getByRole('checkbox', { name: 'Choose Waffles' }).isChecked()).toBe(true)
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await heading(page, 'Professor Whiskers')

    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByLabel('Shortcuts with a single key').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search and act' }).waitFor()
    expect(await page.getByRole('combobox', { name: /^Search pets/ }).inputValue()).toBe('')
    await page.context().close()
  })

  it('a letter that is typed into a field triggers no shortcut', async () => {
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByLabel('Search by name').pressSequentially('jkx/?')
    expect(await page.getByLabel('Search by name').inputValue()).toBe('jkx/?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.context().close()
  })
})
