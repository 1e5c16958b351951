import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { invite } from '../../src/core/people/invitations.ts'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { startIssuer } from '../support/issuer.ts'
import { freePort } from '../support/programs.ts'

const accounts = { ada: { name: 'Ada' }, eve: { name: 'Eve' } }
const issuer = await startIssuer(accounts, await freePort())
afterAll(() => issuer.close())

describeInBrowser('the identity provider in the dashboard', { env: issuer.env }, opened => {
  async function signInThere(page: Page, subject: string): Promise<void> {
    await page.locator('input[name=login]').fill(subject)
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  const host = new URL(issuer.url).host

  it('an invited person joins by the provider, signs out there too, and signs in again', async () => {
    const { tools, makeProject } = opened.app
    const { project } = await makeProject()
    const { secret } = await invite(tools.db, tools.clock, project, { role: 'owner', invitedBy: null })
    const page = await opened.open('/healthz')
    await page.goto(`${tools.config.publicUrl}/dashboard/invitation#${secret}`)
    await page.getByRole('button', { name: `Join with ${host}` }).click()
    await signInThere(page, 'ada')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(page.url()).toBe(`${tools.config.publicUrl}/dashboard/`)

    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await page.getByRole('button', { name: `Sign in with ${host}` }).waitFor()
    expect(await findFaults(page)).toEqual([])
    const buttons = await page.getByRole('button').allTextContents()
    expect(buttons).toEqual(['Sign in with a passkey', `Sign in with ${host}`, 'Sign in'])

    await page.goto(`${tools.config.publicUrl}/dashboard/keys`)
    await page.getByRole('button', { name: `Sign in with ${host}` }).click()
    await signInThere(page, 'ada')
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    await page.context().close()
  })

  it('a stranger is told to ask for an invitation', async () => {
    const page = await opened.open('/dashboard/')
    await page.getByRole('button', { name: `Sign in with ${host}` }).click()
    await signInThere(page, 'eve')

    await page.getByText('You belong to no project here.').waitFor()

    expect(page.url()).toBe(`${opened.app.url}/dashboard/`)
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })
})
