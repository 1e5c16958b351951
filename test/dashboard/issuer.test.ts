import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { invite } from '../../src/core/people/invitations.ts'
import { listMembers } from '../../src/core/people/members.ts'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { startIssuer } from '../support/issuer.ts'
import { freePort } from '../support/programs.ts'

const accounts = {
  ada: { name: 'Ada' },
  eve: { name: 'Eve' },
  bob: { name: 'Bob', email: 'bob@acme.example', email_verified: true },
  mallory: { name: 'Mallory', email: 'mallory@acme.example', email_verified: false },
}
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

  it('an invited person joins by the identity provider, signs out at the provider too, and signs in again', async () => {
    const { tools, makeProject } = opened.app
    const { project } = await makeProject()
    const { secret } = await invite(tools.db, tools.clock, project, { role: 'owner', invitedBy: null })
    const page = await opened.open('/healthz')
    await page.goto(`${tools.config.publicUrl}/dashboard/invitation#${secret}`)
    const joinThere = page.getByRole('button', { name: `Join with ${host}` })
    await joinThere.click()
    // The link is not used up by going back, or by cancelling the sign-in at the provider.
    await page.locator('input[name=login]').waitFor()
    await page.goBack()
    await joinThere.click()
    await page.getByRole('link', { name: /cancel/i }).click()
    await page.getByText('The identity provider did not sign you in. Try again.').waitFor()
    await joinThere.click()
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

  it('an owner lets people of an email domain join, and one of them joins with the button of the page', async () => {
    const { tools, makeProject } = opened.app
    const { project } = await makeProject()
    const { secret } = await invite(tools.db, tools.clock, project, { role: 'owner', invitedBy: null })
    const owner = await opened.open('/healthz')
    await owner.goto(`${tools.config.publicUrl}/dashboard/invitation#${secret}`)
    await owner.getByLabel('Your name').fill('Olga')
    await owner.getByRole('button', { name: 'Join', exact: true }).click()
    await owner.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await owner.goto(`${tools.config.publicUrl}/dashboard/settings/members`)
    const section = owner.getByRole('region', { name: 'Joining by e-mail address' })
    await section.getByLabel('Domain').fill('gmail.com')
    await section.getByRole('button', { name: 'Let people of this domain join' }).click()
    await section.getByText('anybody can have such an address').waitFor()
    await section.getByLabel('Domain').fill('ACME.example')
    await section.getByLabel('Role').selectOption('developer')
    await section.getByRole('button', { name: 'Let people of this domain join' }).click()
    await section.getByRole('row', { name: /acme\.example developer/ }).waitFor()
    expect(await findFaults(owner)).toEqual([])
    const address = await section.getByLabel('The page to join', { exact: true }).textContent()
    expect(address).toBe(`${tools.config.publicUrl}/dashboard/join/${project.slug}`)

    const refused = await opened.open('/healthz')
    await refused.goto(address ?? '')
    expect(await listMembers(tools.db, project)).toHaveLength(1)
    await refused.getByRole('button', { name: `Join with ${host}` }).waitFor()
    expect(await findFaults(refused)).toEqual([])
    await refused.getByRole('button', { name: `Join with ${host}` }).click()
    await signInThere(refused, 'mallory')
    await refused.getByText('The project does not admit your e-mail address').waitFor()
    await refused.context().close()

    const page = await opened.open('/healthz')
    await page.goto(address ?? '')
    await page.getByRole('button', { name: `Join with ${host}` }).click()
    await signInThere(page, 'bob')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    const members = await listMembers(tools.db, project)
    expect(members.map(({ person, role }) => [person.name, role])).toEqual([
      ['Olga', 'owner'],
      ['Bob', 'developer'],
    ])
    await page.context().close()

    const sent: string[] = []
    owner.on('request', request => sent.push(request.postData() ?? ''))
    await section.getByRole('button', { name: 'Remove acme.example' }).dblclick()
    await section.getByRole('row', { name: /acme\.example developer/ }).waitFor({ state: 'detached' })
    expect(await tools.db.joinDomain.count({ where: { projectId: project.id } })).toBe(0)
    expect(sent.filter(body => body.includes('mutation RemoveJoinDomain'))).toHaveLength(1)
    await owner.context().close()
  })

  it('a person without an invitation sees a page that says to ask for an invitation', async () => {
    const page = await opened.open('/dashboard/')
    await page.getByRole('button', { name: `Sign in with ${host}` }).click()
    await signInThere(page, 'eve')

    await page.getByText('You belong to no project here.').waitFor()

    expect(page.url()).toBe(`${opened.app.url}/dashboard/`)
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })
})
