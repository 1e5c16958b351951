import { beforeAll, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

describeInBrowser('API keys in the dashboard', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject()
  })
  const listWith = (secret: string) =>
    ask(`${opened.app.url}/v1/pets`, { headers: { authorization: `Bearer ${secret}` } })

  it('a key is issued, used, rotated and revoked, and the list shows if the old key is still used after the rotation', async () => {
    const page = await opened.open('/dashboard/keys', owner.secret)
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByLabel('Name').fill('Web shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
    const secret = (await page.getByLabel('The new API key').textContent()) ?? ''
    expect(await findFaults(page)).toEqual([])
    await page.getByLabel('I’ve saved this key somewhere safe').check()
    await page.getByRole('button', { name: 'Done' }).click()
    const issued = page.getByRole('row').filter({ hasText: 'Web shop' })
    await issued.getByRole('cell', { name: 'Never used' }).waitFor()
    expect((await listWith(secret)).status).toBe(200)

    await page.getByRole('button', { name: 'Actions for the key Web shop' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page.getByLabel('Keep the old key active').selectOption('For 1 hour')
    await page.getByRole('button', { name: 'Rotate' }).click()
    const successor = (await page.getByLabel('The new API key').textContent()) ?? ''
    await page.getByLabel('I’ve saved this key somewhere safe').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Rotated, expiring').waitFor()
    expect([(await listWith(secret)).status, (await listWith(successor)).status]).toEqual([200, 200])
    await page.getByText('Still in use').waitFor({ timeout: 40_000 })
    expect(await findFaults(page)).toEqual([])

    const old = page.getByRole('row').filter({ hasText: 'Rotated, expiring' })
    await old.getByRole('button', { name: 'Actions for the key Web shop' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('Revoked Web shop.').waitFor()
    await page.getByLabel('State').selectOption('Inactive')
    await page.getByRole('cell', { name: /^Revoked/ }).waitFor()
    await expect.poll(async () => (await listWith(secret)).status, { timeout: 3000 }).toBe(401)
    expect((await listWith(successor)).status).toBe(200)
  })

  it('the dialog of a new secret closes only after it was copied or confirmed', async () => {
    const page = await opened.open('/dashboard/keys', owner.secret)
    await page.getByRole('button', { name: 'Issue key' }).press('Enter')
    await page.keyboard.type('Typed by keyboard')
    await page.keyboard.press('Enter')
    await page.getByLabel('The new API key').waitFor()

    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape')

    await page.getByText('You haven’t copied this key').waitFor()
    expect(await page.getByLabel('The new API key').isVisible()).toBe(true)
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Close without the key' }).click()
    await page.getByLabel('The new API key').waitFor({ state: 'detached' })
    // The focus returns to the button that opened the dialog.
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Issue key')
  })

  it('a key cannot grant a scope that it lacks, and a key without project:write can only read keys', async () => {
    const narrow = await owner.issueKey(['project:read', 'project:write'])
    const page = await opened.open('/dashboard/keys', narrow.secret)
    await page.getByRole('button', { name: 'Issue key' }).click()
    for (const scope of ['pets:read', 'pets:write']) {
      expect(await page.getByLabel(scope).isDisabled()).toBe(true)
      expect(await page.getByLabel(scope).isChecked()).toBe(false)
    }
    await page.getByLabel('Name').fill('Narrow too')
    await page.getByLabel('project:read').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
    await page.getByLabel('The new API key').waitFor()
    // A key that sees all pets and orders may grant the scopes that show and send their events.
    const older = await owner.issueKey(['pets:read', 'orders:read', 'project:read', 'project:write'])
    const ofOlder = await opened.open('/dashboard/keys?do=add', older.secret)
    await ofOlder.getByLabel('events:read').check()
    await ofOlder.getByLabel('webhooks:write').check()

    const onlooker = await owner.issueKey(['project:read'])
    const theirs = await opened.open('/dashboard/keys', onlooker.secret)
    await theirs.getByRole('columnheader', { name: 'Key' }).waitFor()
    expect(await theirs.getByRole('button', { name: 'Issue key' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('the URL contains the search, state filter and page of the list of keys, and inactive keys are hidden', async () => {
    const shop = await opened.app.makeProject()
    const { db } = opened.app.tools
    for (let i = 1; i <= 30; i++) await shop.issueKey(['pets:read'])
    await db.apiKey.updateMany({ where: { projectId: shop.project.id }, data: { name: 'Till' } })
    const named = async (name: string, data: object) => {
      const { keyId } = await shop.issueKey(['pets:read'])
      await db.apiKey.update({ where: { id: keyId }, data: { name, ...data } })
    }
    await named('100%_mine', {})
    await named('Long gone', { revokedAt: new Date() })
    await named('Ran out', { expiresAt: new Date(Date.now() - 1000) })
    const page = await opened.open('/dashboard/keys', shop.secret)
    const names = () => page.getByRole('rowheader').allTextContents()
    await page.getByRole('rowheader').first().waitFor()
    expect((await names()).length).toBe(25)
    expect(await page.getByText('Long gone').count()).toBe(0)
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(async () => (await names()).length, { timeout: 10_000 }).toBe(7)
    await page.reload()
    await expect.poll(async () => (await names()).length, { timeout: 10_000 }).toBe(7)

    await page.getByLabel('State').selectOption('Inactive')
    await expect.poll(async () => (await names()).length, { timeout: 10_000 }).toBe(2)
    await page.getByRole('searchbox').fill('LONG')
    await expect.poll(async () => (await names()).join(), { timeout: 10_000 }).toMatch(/^Long gone[^,]*$/)
    await page.getByLabel('State').selectOption('All')
    await page.getByRole('searchbox').fill('0%_M')
    await expect.poll(async () => (await names()).join(), { timeout: 10_000 }).toMatch(/^100%_mine[^,]*$/)
    await page.getByRole('searchbox').fill('nobody has this')
    await page.getByText('No keys match your search').waitFor()
    await page.getByRole('searchbox').fill(shop.secret.slice(0, 8).toUpperCase())
    await expect.poll(async () => (await names()).length, { timeout: 10_000 }).toBe(1)
    await page.context().close()
  })

  it('after the last key of a page is revoked, the page says so and leads back to the previous page', async () => {
    const shop = await opened.app.makeProject()
    let newest = shop.secret
    for (let i = 1; i <= 25; i++) newest = (await shop.issueKey()).secret
    const page = await opened.open('/dashboard/keys', newest)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Page 2').waitFor()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(1)
    await page.getByRole('button', { name: 'Actions for the key' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()

    await page.getByText('Nothing is left on this page').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Previous' }).click()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(25)
    await page.context().close()
  })

  it('a key can expire on a custom date, and a warning is shown before that date', async () => {
    const shop = await opened.app.makeProject()
    const page = await opened.open('/dashboard/keys', shop.secret, { timezoneId: 'America/New_York' })
    await page.getByRole('button', { name: 'Issue key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Market stall')
    await dialog.getByLabel('Expires').selectOption('On a custom date')
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await dialog.getByText('Choose a day.').waitFor()
    await dialog.getByLabel('Last day').fill('2020-01-01')
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await dialog.getByText('Choose a date in the future.').waitFor()
    expect(await findFaults(page)).toEqual([])
    const refused = page.waitForResponse('**/graphql')
    await dialog.getByLabel('Last day').fill('202611-01-01')
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await refused
    const inFiveDays = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    await dialog.getByLabel('Last day').fill(inFiveDays)
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await page.getByLabel('I’ve saved this key somewhere safe').check()
    await page.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Market stall' })
    await row.getByText(/in \d days/).waitFor()
    const { expiresAt } = await opened.app.tools.db.apiKey.findFirstOrThrow({
      where: { name: 'Market stall' },
    })
    const there = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' })
    const nextSecond = new Date((expiresAt?.getTime() ?? 0) + 1000)
    expect(there.format(expiresAt ?? 0)).toBe(inFiveDays)
    expect(there.format(nextSecond)).not.toBe(inFiveDays)
    const shown = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium' })
    await row.getByText(shown.format(new Date(inFiveDays))).waitFor()

    const endsIn = (hours: number) =>
      opened.app.tools.db.apiKey.updateMany({
        where: { name: 'Market stall' },
        data: { expiresAt: new Date(Date.now() + hours * 3_600_000) },
      })
    await endsIn(14 * 24 + 1)
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'Deprecated API calls' }).waitFor()
    expect(await page.getByText('A key expires soon').count()).toBe(0)
    await page.getByRole('link', { name: 'API keys' }).click()
    await row.waitFor()
    await row.getByText(/in \d+ days/).waitFor({ state: 'detached' })
    await endsIn(14 * 24 - 1)
    await page.reload()
    await row.getByText('in 13 days').waitFor()

    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('A key expires soon').waitFor()
    await page.getByText('Market stall expires in 13 days').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Go to API keys' }).click()
    await row.waitFor()
    await page.context().close()
  })

  it('a key revoked in one tab signs the other tab out', async () => {
    const shared = await owner.issueKey()
    const [one, other] = [
      await opened.open('/dashboard/keys', shared.secret),
      await opened.open('/dashboard/', shared.secret),
    ]
    await other.getByRole('heading', { name: 'Overview' }).waitFor()
    const current = one.getByRole('row').filter({ hasText: 'This session' })
    await current.getByRole('button', { name: /Actions/ }).click()
    await one.getByRole('menuitem', { name: 'Revoke' }).click()
    await one.getByRole('button', { name: 'Revoke', exact: true }).click()
    await one.getByLabel('API key').waitFor()

    await expect.poll(async () => (await listWith(shared.secret)).status, { timeout: 3000 }).toBe(401)
    // The other tab notices the revocation within a second, and then removes its links. If the click comes earlier, the
    // click makes the tab notice the revocation.
    const link = other.getByRole('link', { name: 'API keys' })
    await link.click({ timeout: 2_000 }).catch(() => {})
    await other.getByText('This key is no longer valid').waitFor()
    expect(await findFaults(other)).toEqual([])
  })
})
