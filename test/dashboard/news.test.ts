import { expect, it } from 'vitest'
import { subjectsIn } from '../../src/dashboard/app/own-changes.ts'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'

const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const

it('the dashboard finds the ids of all pets and orders in a GraphQL answer, at any depth, and also the ids of deleted pets', () => {
  const answer = {
    orderApprove: { order: { __typename: 'Order', id: 'order_3', petId: '7' } },
    pets: { nodes: [{ __typename: 'Pet', id: '1' }, null] },
    petsUpdate: { updatedIds: ['5', '6'] },
    petsDelete: { deletedIds: ['8', '9'] },
    petDelete: { deletedId: '4' },
  }
  expect(subjectsIn(answer).toSorted()).toEqual([
    ...['order:3', 'pet:1', 'pet:4', 'pet:5', 'pet:6', 'pet:7', 'pet:8', 'pet:9'],
  ])
})

describeInBrowser('changes by others in open lists', {}, opened => {
  it('an open list of pets counts the changes that were not made in this tab, however long ago, and a click shows the changed pets', async () => {
    const owner = await opened.app.makeProject()
    await owner.post('/v1/pets', { name: 'Nimbus', categoryId: 7 })
    const page = await opened.open('/dashboard/pets', owner.secret, phone)
    const paths: string[] = []
    page.on('response', answer => paths.push(new URL(answer.url()).pathname))
    await page.getByRole('rowheader', { name: 'Nimbus' }).waitFor()
    await expect.poll(() => paths.filter(path => path === '/v1/events').length, { timeout: 10_000 }).toBe(1)

    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add pet' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill(name)
      await page.getByRole('dialog').getByLabel('Category').fill('7')
      await page.getByRole('dialog').getByRole('button', { name: 'Add pet' }).click()
      await page.getByRole('rowheader', { name }).waitFor()
    }
    await add('My own')
    const { json } = await owner.post('/v1/pets', { name: 'Biscuit', categoryId: 7 })
    await owner.post('/v1/pets', { name: 'Waf\u2028fles', categoryId: 7 })
    await owner.patch(`/v1/pets/${(json as { id: number }).id}`, { name: 'Biscuits' })

    await page.getByText('2 changed by others, show').waitFor()
    expect(await page.getByRole('rowheader', { name: /Waf/ }).count()).toBe(0)
    expect(await findFaults(page)).toEqual([])
    expect(await overflow(page)).toBe(0)

    const start = Date.now()
    await page.clock.setFixedTime(start + 40_000)
    await add('My next')
    expect(await page.getByText('changed by others').textContent()).toBe('2 changed by others, show')
    // Events come in their order, so the event of `My next` has come before this one.
    await owner.post('/v1/pets', { name: 'Otis', categoryId: 7 })
    await page.getByText('3 changed by others, show').waitFor()
    await page.clock.setFixedTime(start + 80_000)
    const { json: found } = await owner.get('/v1/pets?name=My%20next')
    await owner.patch(`/v1/pets/${(found as [{ id: number }])[0].id}`, { name: 'Theirs now' })
    await page.getByRole('button', { name: '4 changed by others, show' }).click()
    await page.getByRole('rowheader', { name: 'Theirs now' }).waitFor()
    expect(await page.getByText('changed by others').count()).toBe(0)
    await page.context().close()
  })

  it('after each refusal by a limit, an open list waits twice as long for its stream, and at least until the service accepts it again', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/livez', owner.secret)
    await page.clock.install()
    await page.addInitScript(`
      globalThis.asked = []
      const fetchPage = fetch
      globalThis.fetch = (url, ...how) => {
        if (String(url).startsWith('/v1/events?')) asked.push(Date.now())
        return fetchPage(url, ...how)
      }
    `)
    const waits = [10, 10, 10, 1_800]
    let refusals = 0
    await page.route('**/v1/events?*', route =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': String(waits[refusals++] ?? 10) },
        json: { code: 'rate_limited', message: 'This API key has 5 streams open already.' },
      }),
    )
    await page.goto(`${opened.app.url}/dashboard/orders`)
    await page.getByText('No orders yet').waitFor()

    const askedLater = async () => {
      await page.clock.runFor(30_000)
      return page.evaluate<number[]>('asked')
    }
    await expect.poll(askedLater, { timeout: 60_000, interval: 1 }).toHaveLength(5)

    const asked = await askedLater()
    const pausedMs = asked.slice(1).map((at, i) => at - (asked[i] ?? 0))
    for (const [i, leastMs] of [60_000, 120_000, 240_000, 1_800_000].entries())
      expect(pausedMs[i]).toBeGreaterThanOrEqual(leastMs)
    await page.context().close()
  })

  it('a list reports new changes only if they match its filters, also after the store was unavailable', async () => {
    const owner = await opened.app.makeProject()
    const { json } = await owner.post('/v1/pets', { name: 'Nimbus', categoryId: 7, status: 'available' })
    const page = await opened.open('/livez', owner.secret)
    await page.clock.install()
    const away = { status: 503, json: { code: 'unavailable', message: 'The database is away.' } }
    await page.route('**/v1/events?*', route => route.fulfill(away), { times: 1 })
    const streams: number[] = []
    page.on('response', answer => {
      if (answer.url().includes('/v1/events?')) streams.push(answer.status())
    })
    await page.goto(`${opened.app.url}/dashboard/orders?status=approved`)
    await page.getByText('No orders match your search').waitFor()
    const later = async () => {
      await page.clock.runFor(10_000)
      return streams
    }
    await expect.poll(later, { timeout: 10_000 }).toEqual([503, 200])
    const { json: order } = await owner.post('/v1/store/orders', { petId: (json as { id: number }).id })
    const { id } = order as { id: number }
    await owner.post('/graphql', {
      query: `mutation { orderApprove(input: { id: "order_${id}" }) { order { id } } }`,
    })

    await page.getByRole('button', { name: '1 changed by others, show' }).click()
    await page.getByRole('link', { name: `Order ${id}` }).waitFor()
    await page.context().close()
  })
})
