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

  it('a key is issued, used, rotated with an overlap that shows its use, and revoked', async () => {
    const page = await opened.open('/dashboard/keys', owner.secret)
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByLabel('Name').fill('Web shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
    const secret = (await page.getByLabel('The new API key').textContent()) ?? ''
    expect(await findFaults(page)).toEqual([])
    await page.getByLabel('I have put it in a safe place').check()
    await page.getByRole('button', { name: 'Done' }).click()
    const issued = page.getByRole('listitem').filter({ hasText: 'Web shop' })
    await issued.getByText('Never used').waitFor()
    expect((await listWith(secret)).status).toBe(200)

    await page.getByRole('button', { name: 'Actions for the key Web shop' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page.getByLabel('The old key works').selectOption('For another hour')
    await page.getByRole('button', { name: 'Rotate' }).click()
    const successor = (await page.getByLabel('The new API key').textContent()) ?? ''
    await page.getByLabel('I have put it in a safe place').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Rotated, still works').waitFor()
    expect([(await listWith(secret)).status, (await listWith(successor)).status]).toEqual([200, 200])
    await page.getByText('Still in use').waitFor({ timeout: 40_000 })
    expect(await findFaults(page)).toEqual([])

    const old = page.getByRole('listitem').filter({ hasText: 'Rotated, still works' })
    await old.getByRole('button', { name: 'Actions for the key Web shop' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('heading', { name: 'Ended' }).waitFor()
    await expect.poll(async () => (await listWith(secret)).status, { timeout: 3000 }).toBe(401)
    expect((await listWith(successor)).status).toBe(200)
  })

  it('a secret does not go away unread, whatever is pressed', async () => {
    const page = await opened.open('/dashboard/keys', owner.secret)
    await page.getByRole('button', { name: 'Issue key' }).press('Enter')
    await page.keyboard.type('Typed by keyboard')
    await page.keyboard.press('Enter')
    await page.getByLabel('The new API key').waitFor()

    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape')

    await page.getByText('Copy the key first').waitFor()
    expect(await page.getByLabel('The new API key').isVisible()).toBe(true)
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Close without the key' }).click()
    await page.getByLabel('The new API key').waitFor({ state: 'detached' })
    // The focus is back where it came from.
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Issue key')
  })

  it('a key cannot grant what it lacks, and one without project:write only looks on', async () => {
    const narrow = await owner.issueKey(['project:read', 'project:write'])
    const page = await opened.open('/dashboard/keys', narrow.secret)
    await page.getByRole('button', { name: 'Issue key' }).click()
    expect(await page.getByLabel('pets:write').isDisabled()).toBe(true)

    const onlooker = await owner.issueKey(['project:read'])
    const theirs = await opened.open('/dashboard/keys', onlooker.secret)
    await theirs.getByRole('heading', { name: 'In use' }).waitFor()
    expect(await theirs.getByRole('button', { name: 'Issue key' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('a key revoked in one tab signs the other tab out', async () => {
    const shared = await owner.issueKey()
    const [one, other] = [
      await opened.open('/dashboard/keys', shared.secret),
      await opened.open('/dashboard/', shared.secret),
    ]
    await other.getByRole('heading', { name: 'Overview' }).waitFor()
    const current = one.getByRole('listitem').filter({ hasText: 'This session' })
    await current.getByRole('button', { name: /Actions/ }).click()
    await one.getByRole('menuitem', { name: 'Revoke' }).click()
    await one.getByRole('button', { name: 'Revoke', exact: true }).click()
    await one.getByLabel('API key').waitFor()

    await expect.poll(async () => (await listWith(shared.secret)).status, { timeout: 3000 }).toBe(401)
    await other.getByRole('link', { name: 'API keys' }).click()
    await other.getByText('That key no longer works').waitFor()
    expect(await findFaults(other)).toEqual([])
  })
})
