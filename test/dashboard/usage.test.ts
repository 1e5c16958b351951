import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findFaults, overflow } from '../support/browser.ts'
import { untilHourHasRoom } from '../support/clock.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { graphqlOf } from '../support/graphql.ts'
import { furnishUse } from '../support/month-of-use.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

describeInBrowser('usage in the dashboard', { env: { OPERATOR_KEY: operatorKey } }, opened => {
  const makeUsed = async () => {
    const owner = await opened.app.makeProject({ plan: 'pro' })
    const mutation = `mutation { issueApiKey(input: { name: "=Web, \\"shop\\"", scopes: [pets_read] }) { apiKey { id prefix } } }`
    const { apiKey } = (await graphqlOf(opened.app, owner)(mutation)).data.issueApiKey
    const keys = [apiKey.id.slice('key_'.length), owner.keyId]
    await furnishUse(opened.app.tools, owner.project.id, keys)
    return { owner, prefix: apiKey.prefix as string }
  }
  const tableOf = (page: Page, by: string) => page.getByRole('region', { name: `Requests by ${by}` })
  /** Waits for the cards above the usage, because they move the chart under the mouse when they appear. */
  const cardsAbove = async (page: Page) => {
    await page.getByRole('heading', { name: '0 pets' }).waitFor()
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
  }

  it('usage is shown for 30 days, 7 days and 24 hours, by API, key and result', async () => {
    const { owner, prefix } = await makeUsed()
    for (const look of looks) {
      const page = await opened.open('/dashboard/', owner.secret, look)
      await page.getByRole('img', { name: 'Requests of the last 30 days' }).waitFor()
      await cardsAbove(page)
      await page.getByText('Show as table').click()
      await expect.poll(() => tableOf(page, 'day').getByRole('row').count()).toBe(31)
      expect(await findFaults(page)).toEqual([])
      await page.locator('svg.chart text', { hasText: /^now$/ }).waitFor()
      // The chart, read by keyboard, has the same figures as the table.
      const chart = page.getByRole('slider', { name: 'Read requests of the last 30 days' })
      await chart.press('Home')
      const said: string[] = []
      for (let day = 0; day < 30; day++) {
        said.push((await chart.getAttribute('aria-valuetext')) ?? '')
        await page.getByText(said.at(-1) ?? '', { exact: true }).waitFor()
        await chart.press('ArrowRight')
      }
      const box = await chart.boundingBox()
      const [width = 0, height = 0] = [box?.width, box?.height]
      await chart.click({ position: { x: width * (2.5 / 30), y: height / 2 } })
      expect(await chart.getAttribute('aria-valuetext')).toBe(said[2])
      const days = await tableOf(page, 'day').getByRole('rowheader').allTextContents()
      expect(said.map(title => title.split(': ')[0])).toEqual(days.toReversed())
      expect(said.filter(title => /: [1-9][\d,]* served/.test(title)).length).toBeGreaterThan(10)

      await page.getByRole('button', { name: '90 days' }).click()
      await page.getByRole('img', { name: 'Requests of the last 90 days' }).waitFor()
      expect(await overflow(page)).toBe(0)
      await page.getByRole('button', { name: '24 hours' }).click()
      await page.getByRole('img', { name: 'Requests of the last 24 hours' }).waitFor()
      expect(page.url()).toContain('?span=24h')
      if (!(await tableOf(page, 'hour').isVisible())) await page.getByText('Show as table').click()
      await expect.poll(() => tableOf(page, 'hour').getByRole('row').count()).toBe(25)
      for (const became of ['served', 'faulty', 'failed', 'refused']) {
        await page
          .getByText(new RegExp(`^[1-9][\\d,]* ${became}$`))
          .first()
          .waitFor()
      }
      await tableOf(page, 'API').getByRole('rowheader', { name: 'GraphQL' }).waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await page.reload()
      await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor()
      await page.getByRole('button', { name: '7 days' }).click()
      await page.getByRole('img', { name: 'Requests of the last 7 days' }).waitFor()
      await page.goBack()
      await page.getByRole('img', { name: 'Requests of the last 24 hours' }).waitFor()

      await page.getByRole('link', { name: '=Web, "shop"' }).click()
      await page.getByRole('rowheader', { name: prefix }).waitFor()
      expect(await page.getByRole('rowheader').count()).toBe(1)
      await page.context().close()
    }
  })

  it('the chart also shows the previous period; a click or Enter on a bar filters the usage below by its day or hour', async () => {
    const { owner } = await makeUsed()
    const { usage } = (
      await graphqlOf(opened.app, owner)('{ usage(days: 30) { days { date requests refusals } } }')
    ).data
    for (const look of looks) {
      const page = await opened.open('/dashboard/', owner.secret, look)
      const card = page.getByRole('region', { name: 'Last 30 days' })
      await card.getByText(/^[\d,]+ in the 30 days before$/).waitFor()
      // In the test data, the 30 days before the last 30 days have four fifths as many requests.
      await card.getByText(/^Without today: \d\d % more requests than in the 30 days before\.$/).waitFor()
      expect(await card.locator('svg.chart path.line').count()).toBe(1)
      await cardsAbove(page)
      await card.getByRole('region', { name: 'Response times' }).waitFor()
      const rest = card.getByRole('row', { name: /^REST/ }).first()
      expect(await rest.textContent()).toMatch(/^REST[23](\.\d)? ms[56]\d ms[\d,]+$/)
      const shownByApi = () =>
        card.getByRole('listitem').filter({ hasText: 'REST' }).locator('.soft').textContent()
      const ofAll = await shownByApi()

      const chart = card.getByRole('slider')
      const box = await chart.boundingBox()
      const [width = 0, height = 0] = [box?.width, box?.height]
      const picked = usage.days[2]
      await chart.click({ position: { x: width * (2.5 / 30), y: height / 2 } })
      await card.getByText(/^Only .*: \d.* served/).waitFor()
      expect(new URL(page.url()).searchParams.get('at')).toBe(picked.date)
      await expect.poll(shownByApi).not.toBe(ofAll)
      const parts = await card.getByRole('listitem').locator('.who + .soft').allTextContents()
      const counted = parts.map(text => Number(text.replaceAll(',', '')))
      expect(counted.slice(0, 3).reduce((sum, each) => sum + each, 0)).toBe(picked.requests + picked.refusals)
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await page.reload()
      await card.getByText(/^Only /).waitFor()
      await expect.poll(shownByApi).not.toBe(ofAll)
      const link = await card.getByRole('link', { name: 'Activity of that day' }).getAttribute('href')
      expect(link).toMatch(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/)
      await card.getByRole('button', { name: 'Show the last 30 days' }).click()
      await expect.poll(shownByApi).toBe(ofAll)
      expect(page.url()).not.toContain('at=')

      // Enter chooses the bar that was reached with the arrow keys. A second Enter undoes the choice.
      await page.mouse.move(0, 0)
      await chart.focus()
      await chart.press('End')
      await chart.press('ArrowLeft')
      await chart.press('Enter')
      await card.getByText(/^Only /).waitFor()
      expect(new URL(page.url()).searchParams.get('at')).toBe(usage.days[28].date)
      await chart.press('Enter')
      await expect.poll(() => card.getByText(/^Only /).count()).toBe(0)

      // Dragging over the bars shows their values, and chooses none of them.
      await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 60)
      await page.mouse.down()
      await page.mouse.move((box?.x ?? 0) + 140, (box?.y ?? 0) + 60, { steps: 4 })
      await page.mouse.up()
      expect(page.url()).not.toContain('at=')

      await card.getByRole('button', { name: '24 hours' }).click()
      const hours = page.getByRole('region', { name: 'Last 24 hours' })
      await hours
        .getByText(/in the 24 hours before$/)
        .first()
        .waitFor()
      // The chart shows the days until the hours are loaded.
      await expect.poll(() => hours.getByRole('slider').getAttribute('max')).toBe('23')
      await hours.getByRole('slider').focus()
      // Choose the oldest hour, because the newest one may have begun after the test data was created.
      await hours.getByRole('slider').press('Home')
      await hours.getByRole('slider').press('Enter')
      await hours.getByText(/^Only /).waitFor()
      await hours.getByRole('link', { name: '=Web, "shop"' }).waitFor()
      expect(await findFaults(page)).toEqual([])
      await page.context().close()
    }
  })

  it('a URL with a day that the chart does not show filters nothing', async () => {
    const { owner } = await makeUsed()
    for (const at of ['2020-01-01', 'nonsense', '"><b>']) {
      const page = await opened.open(`/dashboard/?at=${encodeURIComponent(at)}`, owner.secret)
      await page.getByRole('region', { name: 'Response times' }).waitFor()
      expect(await page.getByText(/^Only /).count()).toBe(0)
      await page.context().close()
    }
  })

  it('in the list of keys, a button shows the usage of a key by day, API and result', async () => {
    const { owner } = await makeUsed()
    for (const look of looks) {
      const page = await opened.open('/dashboard/keys', owner.secret, look)
      await page.getByRole('button', { name: 'Usage of =Web, "shop"' }).click()
      const use = page.getByRole('region', { name: 'Usage of =Web, "shop"' })
      await use.getByRole('img', { name: 'Requests of =Web, "shop" in the last 30 days' }).waitFor()
      await use.getByText(/^[1-9][\d,]* failed$/).waitFor()
      // The column of the keys stays wide, even if other columns are left out.
      const key = page.getByRole('rowheader').filter({ hasText: '=Web' }).first()
      expect((await key.boundingBox())?.width).toBeGreaterThan(120)
      await use.getByText('Show as table').click()
      await expect.poll(() => tableOf(page, 'API').getByRole('row').count()).toBe(4)
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await use.getByRole('button', { name: '7 days' }).click()
      await use.getByRole('img', { name: 'in the last 7 days' }).waitFor()
      expect(page.url()).toContain('?span=7d')
      await page.context().close()
    }
  })

  it('the usage of an unused key shows no requests', async () => {
    const { secret } = await opened.app.makeProject()
    // Days are in UTC, even in a time zone where it is still yesterday.
    const page = await opened.open('/dashboard/keys', secret, { timezoneId: 'Pacific/Honolulu' })
    const { format } = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
    const today = format(Date.now())
    await page.getByRole('button', { name: /^Usage of/ }).click()

    const use = page.getByRole('region', { name: /^Usage of/ })
    await expect.poll(() => use.getByRole('listitem').allTextContents()).toEqual(['0 served'])
    await use.getByText('Show as table').click()
    const newest = await tableOf(page, 'day').getByRole('rowheader').first().textContent()
    expect([today, format(Date.now())]).toContain(newest)
    await page.context().close()
  })

  it.each(['=1+1', '+1+1', '-1+cmd', '@SUM(1)'])(
    'in the CSV of the usage, a key name that a spreadsheet would run as a formula begins with an apostrophe: %s',
    async name => {
      const owner = await opened.app.makeProject({ plan: 'pro' })
      const issue = `mutation ($name: String!) { apiKeyIssue(input: { name: $name, scopes: [pets_read] }) { apiKey { id } } }`
      const { data } = await graphqlOf(opened.app, owner)(issue, { variables: { name } })
      await furnishUse(opened.app.tools, owner.project.id, [data.apiKeyIssue.apiKey.id.slice('key_'.length)])
      const page = await opened.open('/dashboard/', owner.secret)

      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV' }).click(),
      ])

      const cells = readFileSync(await file.path(), 'utf8')
        .split('\r\n')
        .map(line => line.split(',')[1])
      expect(cells).toContain(`'${name}`)
      expect(cells).not.toContain(name)
      await page.context().close()
    },
  )

  it('usage downloads as CSV with a line for each hour, key and API, safe in a spreadsheet; a second download that fails says so', async () => {
    await untilHourHasRoom()
    const { owner, prefix } = await makeUsed()
    const page = await opened.open('/dashboard/?span=24h', owner.secret)
    // The page's own requests are counted after some seconds, so the total is between the counts before and after.
    const shown = async () =>
      (await graphqlOf(opened.app, owner)('{ usage(hours: 24) { requests refusals } }')).data.usage
    const before = await shown()

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])

    expect(file.suggestedFilename()).toBe(`usage-${owner.project.slug}-24h.csv`)
    const [head, ...lines] = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(head).toBe('from,key,prefix,door,requests,served,faulty,failed,refusals')
    expect(lines.length).toBeGreaterThan(40)
    expect(lines[0]).toMatch(
      new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d:00:00.000Z,"'=Web, ""shop""",${prefix},rest,\\d+,`),
    )
    const after = await shown()
    const sum = (column: number) => lines.reduce((all, line) => all + Number(line.split(',').at(column)), 0)
    expect(sum(-5)).toBeGreaterThanOrEqual(before.requests)
    expect(sum(-5)).toBeLessThanOrEqual(after.requests)
    expect(sum(-1)).toBe(after.refusals)

    await page.route('**/graphql', route => route.abort())
    await page.getByRole('button', { name: 'CSV' }).click()
    await page.locator('.toast').getByText('The service cannot be reached right now.').waitFor()
    await page.context().close()
  })

  it('a sentence with a link warns if the daily limit or the limit of domains is nearly reached', async () => {
    const owner = await opened.app.makeProject({ plan: 'enterprise', perMinute: 5, perDay: 5 })
    await opened.app.tools.db.domain.createMany({
      data: Array.from({ length: 41 }, (_, i) => ({
        projectId: owner.project.id,
        name: `www.near-${i}.example`,
        createdAt: new Date(),
        looksSince: new Date(),
      })),
    })
    for (let i = 0; i < 4; i++) await owner.get('/v1/pets')

    const page = await opened.open('/dashboard/', owner.secret)

    await page.getByText('Approaching a limit').waitFor()
    await page.getByText(/^[45] of this day’s 5 requests are used/).waitFor()
    await page.getByText('41 of 50 domains are in use.').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'See which keys used them' }).first().click()
    await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor()
    await page.getByRole('link', { name: 'Remove unused domains' }).click()
    await page.getByRole('heading', { name: 'Project settings' }).waitFor()
    await page.context().close()
  })

  it('the pets by status are shown in a chart that costs one request', async () => {
    const owner = await opened.app.makeProject()
    await opened.app.tools.db.pet.createMany({
      data: [null, 'available', 'available', 'sold'].map(status => ({
        projectId: owner.project.id,
        name: 'Rex',
        categoryId: 1n,
        status: status as 'available' | 'sold' | null,
      })),
    })
    for (const look of looks) {
      const page = await opened.open('/dashboard/', owner.secret, look)
      const card = page.getByRole('region', { name: '4 pets' })
      await card.getByText('2 available').waitFor()
      await card.getByText('0 pending').waitFor()
      await card.getByText('1 without a status').waitFor()
      await page
        .getByRole('link', { name: 'API keys' })
        .or(page.getByRole('link', { name: 'Keys' }))
        .first()
        .click()
      await page.getByRole('heading', { name: 'API keys' }).waitFor()
      await page.getByRole('link', { name: 'Overview' }).click()
      await card.getByRole('link', { name: 'sold' }).click()
      await page
        .getByRole('cell', { name: 'Rex' })
        .or(page.getByRole('rowheader', { name: 'Rex' }))
        .first()
        .waitFor()
      expect(page.url()).toContain('?status=sold')
      await page.context().close()
    }
    // For each look, the test opened a page. Each page sent two requests that count towards the rate limit: one request
    // counts the pets, and one request lists the pets.
    const { headers } = await owner.get('/v1/rate-limit')
    // Use the day's window of the rate limit, because the minute's window may end before the page of the second look is
    // shown.
    const inDay = (name: string) => Number(/"day";[qr]=(\d+)/.exec(String(headers[name]))?.[1])
    expect(inDay('ratelimit-policy') - inDay('ratelimit')).toBe(4)
  })

  it('an operator sees the usage of a project as its owner does', async () => {
    const { owner } = await makeUsed()
    await owner.get('/v1/pets')
    const page = await opened.open(`/dashboard/projects/${owner.project.slug}/`, operatorKey)

    const minute = page.getByRole('meter', { name: 'This minute' })
    await expect.poll(() => minute.getAttribute('aria-valuetext')).toBe('1 of 300 requests')
    await page.getByRole('img', { name: 'Requests of the last 30 days' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })
})
