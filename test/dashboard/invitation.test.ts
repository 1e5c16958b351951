import { expect, it } from 'vitest'
import { invite } from '../../src/core/people/invitations.ts'
import { listMembers } from '../../src/core/people/members.ts'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'

describeInBrowser('the page of an invitation', {}, opened => {
  // On a slow device React may be interrupted, and then renders a page a second time. In an earlier version the second
  // rendering lost the link.
  it('on a slow device the invitation page keeps the secret of its link after it has removed the secret from the URL', async () => {
    const { tools, makeProject } = opened.app
    for (let n = 0; n < 5; n++) {
      const { project } = await makeProject()
      const { secret } = await invite(tools.db, tools.clock, project, { role: 'viewer', invitedBy: null })
      const page = await opened.open('/healthz')
      page.setDefaultTimeout(60_000)
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 20 })
      await page.goto(`${tools.config.publicUrl}/dashboard/invitation#${secret}`)
      await page.getByLabel('Your name').waitFor()
      expect(new URL(page.url()).hash).toBe('')
      await page.context().close()
    }
  }, 330_000)

  it('the page of an invitation keeps its link over a reload, opens a link that is pasted in place of a dead one, and leaves the link of a member unused', async () => {
    const { tools, makeProject } = opened.app
    const { project } = await makeProject()
    const { secret } = await invite(tools.db, tools.clock, project, { role: 'viewer', invitedBy: null })
    const page = await opened.open('/dashboard/invitation')
    await page.getByText('Open the link of your invitation again.').waitFor()
    expect(await findFaults(page)).toEqual([])

    await page.evaluate(`location.href = '/dashboard/invitation#asi_dead'`)
    await page.getByText('This link was used, withdrawn or has expired.').waitFor()
    await page.evaluate(`location.href = '/dashboard/invitation#${secret}'`)
    await page.getByLabel('Your name').waitFor()
    expect(new URL(page.url()).hash).toBe('')

    await page.reload()
    await page.getByLabel('Your name').fill('\u200b')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByText('Enter a name of at most 100 characters').waitFor()
    expect(await page.getByLabel('Your name').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(secret)

    const open = async (role: 'viewer' | 'owner') => {
      const made = await invite(tools.db, tools.clock, project, { role, invitedBy: null })
      await page.goto('about:blank')
      await page.goto(`${opened.app.url}/dashboard/invitation#${made.secret}`)
      await page.getByText('You are signed in as Ada.').waitFor()
    }
    await open('viewer')
    await page.getByText('You belong to this project already.').waitFor()
    expect(await page.getByRole('button').allTextContents()).toEqual(['Open the project'])
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Open the project' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(await tools.db.invitation.count({ where: { projectId: project.id } })).toBe(1)
    await open('owner')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(await listMembers(tools.db, project)).toMatchObject([{ role: 'owner' }])
    await page.context().close()
  })

  it('a person whose session ended after the invitation was opened learns this from the button, and can join with a name', async () => {
    const { tools, makeProject } = opened.app
    const [first, second] = [await makeProject(), await makeProject()]
    const page = await opened.open('/livez')
    const open = async ({ project }: typeof first) => {
      const { secret } = await invite(tools.db, tools.clock, project, { role: 'viewer', invitedBy: null })
      await page.goto('about:blank')
      await page.goto(`${opened.app.url}/dashboard/invitation#${secret}`)
    }
    await open(first)
    await page.getByLabel('Your name').fill('Ada')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await open(second)
    await page.getByText('You are signed in as Ada.').waitFor()
    const [ada] = await listMembers(tools.db, first.project)
    await tools.db.session.deleteMany({ where: { personId: ada?.personId ?? '' } })

    await page.getByRole('button', { name: 'Join' }).click()

    await page.getByText('Your session has ended. Sign in again.').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByLabel('Your name').fill('Ada again')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(await listMembers(tools.db, second.project)).toMatchObject([{ person: { name: 'Ada again' } }])
    await page.context().close()
  })

  it('if another person has signed in in another tab since, the page of an invitation shows this name before the person joins', async () => {
    const { tools, makeProject } = opened.app
    const [first, second] = [await makeProject(), await makeProject()]
    const page = await opened.open('/livez')
    const openIn = async (tab: typeof page, { project }: typeof first) => {
      const made = await invite(tools.db, tools.clock, project, { role: 'viewer', invitedBy: null })
      await tab.goto('about:blank')
      await tab.goto(`${opened.app.url}/dashboard/invitation#${made.secret}`)
      return made.secret
    }
    const joinAs = async (tab: typeof page, name: string) => {
      await tab.getByLabel('Your name').fill(name)
      await tab.getByRole('button', { name: 'Join' }).click()
      await tab.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    }
    await openIn(page, first)
    await joinAs(page, 'Ada')
    await openIn(page, second)
    await page.getByText('You are signed in as Ada.').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${opened.app.url}/dashboard/`)
    await other.getByRole('button', { name: 'Sign out' }).first().click()
    await other.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await other.getByLabel('API key').waitFor()
    await openIn(other, first)
    await joinAs(other, 'Bob')

    await page.getByRole('button', { name: 'Join' }).click()

    await page.getByText('Another person has signed in in this browser').waitFor()
    await page.getByText('You are signed in as Bob.').waitFor()
    expect(await findFaults(page)).toEqual([])
    expect(await listMembers(tools.db, second.project)).toEqual([])
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(await listMembers(tools.db, second.project)).toMatchObject([{ person: { name: 'Bob' } }])
    await page.context().close()
  })

  it('a person whose answer to Join was lost joins with the same link by a second click', async () => {
    const { tools, makeProject } = opened.app
    const [first, second] = [await makeProject(), await makeProject()]
    const page = await opened.open('/livez')
    for (const { project } of [first, second]) {
      const { secret } = await invite(tools.db, tools.clock, project, { role: 'viewer', invitedBy: null })
      await page.goto('about:blank')
      await page.goto(`${opened.app.url}/dashboard/invitation#${secret}`)
      if (project === first.project) {
        await page.getByLabel('Your name').fill('Ada')
        await page.getByRole('button', { name: 'Join' }).click()
        await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      }
    }
    await page.getByText('You are signed in as Ada.').waitFor()
    await page.route(
      '**/session/invitation',
      async route => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByText('The store cannot be reached').waitFor()
    expect(await listMembers(tools.db, second.project)).toHaveLength(1)

    await page.getByRole('button', { name: 'Join' }).click()

    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.context().close()
  })

  it('without an identity provider, the page to join a project by e-mail address says that nobody can join there', async () => {
    const page = await opened.open('/dashboard/join/demo')
    await page.getByText('This service has no identity provider, so nobody can join here.').waitFor()
    expect(await page.getByText('Sign in with your organization’s account').count()).toBe(0)
    await page.context().close()
  })
})
