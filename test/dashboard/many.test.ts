import type { Page, Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

describeInBrowser('many pets at once', {}, opened => {
  async function shopOf(count: number) {
    const shop = await opened.app.makeProject()
    const lines = Array.from({ length: count }, (_, n) => `{"name":"Pet ${n + 1}","categoryId":7}\n`)
    const headers = { 'content-type': 'application/x-ndjson' }
    await shop.ask('/v1/pets/import', { method: 'POST', headers, body: lines.join('') })
    return shop
  }
  const statusesOf = async (shop: TestProject) => {
    const { json } = await shop.get('/v1/pets?limit=100')
    return (json as { status?: string }[]).map(({ status }) => status ?? 'unset')
  }
  const choose = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
  const mark = async (page: Page, as: string) => {
    await page.getByRole('button', { name: 'Mark as: the chosen pets' }).click()
    await page.getByRole('menuitem', { name: as }).click()
  }

  it('a page of pets is marked as sold in four clicks, and Undo gives each pet its status back', async () => {
    for (const look of looks) {
      const shop = await shopOf(21)
      const { json } = await shop.get('/v1/pets?limit=1')
      await shop.patch(`/v1/pets/${(json as { id: number }[])[0]?.id}`, { status: 'available' })
      const page = await opened.open('/dashboard/pets', shop.secret, look)
      await choose(page, 'Choose all on this page').check()
      await page.getByText('20 chosen').waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await mark(page, 'Sold')
      await page.getByText('Marked 20 pets as sold.').waitFor()
      expect((await statusesOf(shop)).filter(status => status === 'sold')).toHaveLength(20)
      // Focus the message, so that it does not disappear during the checks.
      await page.getByRole('button', { name: 'Undo' }).focus()
      expect(await findFaults(page)).toEqual([])

      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('20 pets are as they were.').waitFor()
      expect(await statusesOf(shop)).toEqual(['available', ...Array.from({ length: 20 }, () => 'unset')])
      await page.context().close()
    }
  })

  it('Undo of a bulk change keeps what someone else has changed since, and says if the service cannot be reached', async () => {
    const shop = await shopOf(3)
    const page = await opened.open('/dashboard/pets', shop.secret)
    await choose(page, 'Choose all on this page').check()
    await mark(page, 'Sold')
    await page.getByText('Marked 3 pets as sold.').waitFor()
    const { json } = await shop.get('/v1/pets')
    await shop.patch(`/v1/pets/${(json as { id: number }[])[1]?.id}`, { status: 'pending' })

    await page.getByRole('button', { name: 'Undo' }).click()

    await page.getByText('This couldn’t be undone, because something has changed since.').waitFor()
    expect(await statusesOf(shop)).toEqual(['sold', 'pending', 'sold'])
    await page.reload()
    await choose(page, 'Choose Pet 3').check()
    await mark(page, 'Available')
    await page.getByText('Marked Pet 3 as available.').waitFor()
    await page.route('**/graphql', route => route.abort())
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('This couldn’t be undone. The service cannot be reached right now.').waitFor()
    await page.context().close()
  })

  it('Shift selects a range of pets, and all matching pets can be selected beyond the page', async () => {
    const shop = await shopOf(130)
    const page = await opened.open('/dashboard/pets', shop.secret)
    await choose(page, 'Choose Pet 3').click()
    await choose(page, 'Choose Pet 7').click({ modifiers: ['Shift'] })
    await page.getByText('5 chosen').waitFor()
    expect(await choose(page, 'Choose Pet 5').isChecked()).toBe(true)
    expect(await choose(page, 'Choose Pet 8').isChecked()).toBe(false)

    await choose(page, 'Choose all on this page').check()
    await page.getByRole('button', { name: 'Choose all that match' }).click()
    await page.getByText('130 chosen').waitFor()
    await page.getByRole('button', { name: 'Move' }).click()
    await page.getByRole('dialog').getByLabel('Category').fill('9')
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
    await page.getByText('Moved 130 pets to category 9.').waitFor()
    const where = { projectId: shop.project.id, categoryId: 9n }
    expect(await opened.app.tools.db.pet.count({ where })).toBe(130)
    await page.context().close()
  })

  it('pets that are found only after the choice was cleared or the filter changed are not chosen', async () => {
    const shop = await shopOf(21)
    const page = await opened.open('/dashboard/pets', shop.secret)
    for (const leave of [
      () => page.getByRole('button', { name: 'Clear the choice' }).click(),
      () => page.getByLabel('Search by name').fill('Pet 2'),
    ]) {
      const { promise: hasLeft, resolve } = Promise.withResolvers<void>()
      const isOfAll = (request: Request) => request.postData()?.includes('"first":100') === true
      await page.route('**/graphql', async route => {
        if (isOfAll(route.request())) await hasLeft
        await route.continue()
      })
      await choose(page, 'Choose all on this page').check()
      await page.getByRole('button', { name: 'Choose all that match' }).click()
      await leave()
      await page.getByText('20 chosen').waitFor({ state: 'detached' })
      const answered = page.waitForResponse(answer => isOfAll(answer.request()))
      resolve()
      await (await answered).finished()

      await choose(page, 'Choose Pet 2').click()

      await page.getByText('1 chosen').waitFor()
    }
    await page.context().close()
  })

  it('if not all matching pets can be read, the chosen pets stay chosen', async () => {
    const shop = await shopOf(130)
    const page = await opened.open('/dashboard/pets', shop.secret)
    let asked = 0
    await page.route('**/graphql', route =>
      route.request().postData()?.includes('"first":100') && ++asked === 2 ? route.abort() : route.continue(),
    )
    await choose(page, 'Choose all on this page').check()
    await page.getByText('20 chosen').waitFor()

    await page.getByRole('button', { name: 'Choose all that match' }).click()

    await page.getByText('The pets could not be loaded').waitFor()
    await page.getByText('20 chosen').waitFor()
    await page.context().close()
  })

  it('a pet that waits for its deletion is not changed with the other chosen pets', async () => {
    const shop = await shopOf(3)
    const page = await opened.open('/dashboard/pets', shop.secret)
    await choose(page, 'Choose all on this page').check()
    await page.getByRole('button', { name: 'Actions for Pet 1' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('2 chosen').waitFor()

    await mark(page, 'Sold')

    await page.getByText('Marked 2 pets as sold.').waitFor()
    await page.getByRole('button', { name: 'Close this message' }).first().click()
    await expect.poll(() => statusesOf(shop)).toEqual(['sold', 'sold'])
    await page.context().close()
  })

  it('more pets than the store changes at once stay chosen, and the page says so instead of deleting them', async () => {
    const shop = await shopOf(1000)
    const page = await opened.open('/dashboard/pets', shop.secret)
    await choose(page, 'Choose all on this page').check()
    await page.getByRole('button', { name: 'Choose all that match' }).click()
    await page.getByText('1,000 chosen').waitFor()
    // The new pet is the first row of the page.
    await page.getByRole('button', { name: 'Add pet' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Rex')
    await page.getByRole('dialog').getByLabel('Category').fill('7')
    await page.getByRole('dialog').getByRole('button', { name: 'Add pet' }).click()
    await choose(page, 'Choose Rex').click()

    await page.getByRole('button', { name: 'Delete', exact: true }).click()

    await page.getByText('At most 1,000 pets can be changed or deleted at once. Choose fewer.').waitFor()
    await page.getByText('1,001 chosen').waitFor()
    await page.context().close()
  })

  it('Move says what to enter if the category is no 64-bit integer, and stays open', async () => {
    const shop = await shopOf(1)
    const page = await opened.open('/dashboard/pets', shop.secret)
    const dialog = page.getByRole('dialog')
    const move = async (to: string) => {
      await dialog.getByLabel('Category').fill(to)
      await dialog.getByRole('button', { name: 'Move' }).click()
    }
    await choose(page, 'Choose Pet 1').click()
    await page.getByRole('button', { name: 'Move' }).click()
    for (const number of ['007', '-0', '9223372036854775808']) {
      await move(number)
      await dialog.getByText('Enter the number of a category, such as 7.').waitFor()
    }
    await move('-9223372036854775808')
    await page.getByText('Moved Pet 1 to category -9223372036854775808.').waitFor()
    await page.context().close()
  })

  it('if someone else has changed one of the selected pets, no pet is changed, and the row of that pet is highlighted', async () => {
    const shop = await shopOf(3)
    const page = await opened.open('/dashboard/pets', shop.secret)
    await choose(page, 'Choose all on this page').check()
    const { json } = await shop.get('/v1/pets')
    const { id } = (json as { id: number }[])[1] ?? { id: 0 }
    await shop.patch(`/v1/pets/${id}`, { status: 'pending' })

    await mark(page, 'Sold')

    await page.getByText('No pet was changed. Pet 2:').waitFor()
    expect(await statusesOf(shop)).toEqual(['unset', 'pending', 'unset'])
    await expect.poll(() => page.locator('[data-marked]').textContent()).toContain('Pet 2')
    await page.context().close()
  })

  it('if one of the selected pets cannot be deleted, the page says that no pet was deleted', async () => {
    const shop = await shopOf(3)
    const { json } = await shop.get('/v1/pets')
    await shop.post('/v1/store/orders', { petId: (json as { id: number }[])[1]?.id })
    const page = await opened.open('/dashboard/pets', shop.secret)
    await choose(page, 'Choose all on this page').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Close this message' }).click()
    await page.getByText('No pet was deleted. Pet 2:').waitFor()
    await page.context().close()
  })

  it('a chosen pet that someone else has deleted leaves the choice when an action on it fails', async () => {
    const shop = await shopOf(3)
    const page = await opened.open('/dashboard/pets', shop.secret)
    await choose(page, 'Choose all on this page').check()
    const { json } = await shop.get('/v1/pets')
    await shop.ask(`/v1/pets/${(json as { id: number }[])[1]?.id}`, { method: 'DELETE' })
    await mark(page, 'Sold')
    await page.getByText('No pet was changed. Pet 2: There is no pet').waitFor()
    await page.getByText('2 chosen').waitFor()

    await mark(page, 'Sold')

    await page.getByText('Marked 2 pets as sold.').waitFor()
    expect(await statusesOf(shop)).toEqual(['sold', 'sold'])
    await page.context().close()
  })

  it('a delete waits for ten seconds, and Undo cancels it during that time', async () => {
    const shop = await shopOf(3)
    const page = await opened.open('/dashboard/pets', shop.secret)
    const count = () => opened.app.tools.db.pet.count({ where: { projectId: shop.project.id } })
    await choose(page, 'Choose Pet 1').waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const remove = async (...names: string[]) => {
      for (const name of names) await choose(page, `Choose ${name}`).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('rowheader', { name: names[0] ?? '' }).waitFor({ state: 'detached' })
    }
    await remove('Pet 1', 'Pet 2')
    await page.clock.runFor(9_900)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 pets are back.').waitFor()
    await page.getByRole('rowheader', { name: 'Pet 1' }).waitFor()
    await page.clock.runFor(60_000)
    expect(await count()).toBe(3)

    await remove('Pet 1', 'Pet 2')
    await page.mouse.move(0, 0)
    await page.clock.runFor(10_100)
    await expect.poll(count).toBe(1)
    expect(await page.getByRole('rowheader').count()).toBe(1)
    await page.context().close()
  })

  it('if all pets on the last page of a search are deleted, the page says that it has no more matches', async () => {
    const shop = await shopOf(21)
    const page = await opened.open('/dashboard/pets?name=Pet', shop.secret)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Actions for Pet 21' }).click()

    await page.getByRole('menuitem', { name: 'Delete' }).click()

    await page.getByText('No more matches').waitFor()
    await page.context().close()
  })

  it('a waiting delete is sent when the user leaves the page or signs out', async () => {
    const shop = await shopOf(2)
    const page = await opened.open('/dashboard/pets', shop.secret)
    const count = () => opened.app.tools.db.pet.count({ where: { projectId: shop.project.id } })
    const remove = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByText(`Deleted ${name}.`).waitFor()
    }
    await remove('Pet 1')
    expect(await count()).toBe(2)
    await page.goto('about:blank')
    await expect.poll(count).toBe(1)

    await page.goto(`${opened.app.url}/dashboard/pets`)
    await remove('Pet 2')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(count).toBe(0)
    await page.context().close()
  })

  it('the chosen pets are exported as a file that an import reads', async () => {
    const shop = await shopOf(2)
    const { json } = await shop.get('/v1/pets')
    const [first, second] = (json as { id: number }[]).map(({ id }) => id)
    await shop.patch(`/v1/pets/${first}`, { name: '-1+cmd, "x"', status: 'sold' })
    const page = await opened.open('/dashboard/pets', shop.secret)
    await choose(page, 'Choose all on this page').check()
    const saved = page.waitForEvent('download')
    await page.getByRole('region', { name: 'Chosen pets' }).getByRole('button', { name: 'Export' }).click()
    const chunks: Buffer[] = []
    for await (const chunk of await (await saved).createReadStream()) chunks.push(chunk as Buffer)
    const file = Buffer.concat(chunks).toString()
    expect(file).toBe(
      `id,name,categoryId,status,safe\r\n${first},"'-1+cmd, ""x""",7,sold,1\r\n${second},Pet 2,7,,1\r\n`,
    )
    const { text } = await shop.ask('/v1/pets/export?format=csv&safe=1')
    expect(file).toBe(text)
    await page.context().close()
  })
})
