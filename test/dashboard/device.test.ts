import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import type { Role } from '../../src/core/keys/roles.ts'
import { invite } from '../../src/core/people/invitations.ts'
import type { Project } from '../../src/core/project.ts'
import { ask } from '../support/ask.ts'
import { findFaults, overflow } from '../support/browser.ts'
import { runCommand } from '../support/command-line.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { askForCode, pollForKey } from '../support/device-login.ts'
import { join as joinProject } from '../support/people.ts'
import { startLogin } from '../support/start-login.ts'

describeInBrowser('signing in a terminal', {}, opened => {
  const url = () => opened.app.tools.config.publicUrl

  /** Joins the project as a person with a passkey. */
  async function joinWithPasskey(project: Project, role: Role, name: string, options = {}): Promise<Page> {
    const { tools } = opened.app
    const { secret } = await invite(tools.db, tools.clock, project, { role, invitedBy: null })
    const page = await opened.open('/healthz', null, options)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      },
    })
    await page.goto(`${url()}/dashboard/invitation#${secret}`)
    await page.getByLabel('Your name').fill(name)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.goto(`${url()}/dashboard/profile`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('rowheader', { name: 'Passkey' }).waitFor()
    return page
  }

  const makeHome = () => {
    const home = mkdtempSync(join(tmpdir(), 'animal-store-home-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    return home
  }

  it('a person with a passkey signs in, approves a command line by keyboard, and ends the key of that command line in the profile', async () => {
    const store = await opened.app.makeProject()
    const page = await joinWithPasskey(store.project, 'developer', 'Ada')
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    const home = makeHome()
    const login = await startLogin(url(), home)
    const [address = ''] = /http\S+user_code=\S+/.exec(login.shown()) ?? []

    await page.goto(address)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Sign in a terminal', level: 1 }).waitFor()
    expect(await page.getByLabel('Code').inputValue()).toBe(login.userCode)
    expect(await findFaults(page)).toEqual([])
    await page.getByLabel('Code').press('Enter')
    await page.getByRole('heading', { name: 'A terminal asks to sign in as you' }).waitFor()
    await page.getByText('127.0.0.1').or(page.getByText('::1')).waitFor()
    await page.getByText('pets:write').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve' }).press('Enter')
    await page.getByText('The terminal is signed in').waitFor()
    expect(await findFaults(page)).toEqual([])

    expect(await login.ended()).toMatchObject({
      ...{ exitCode: 0, output: expect.stringContaining(`as the project ${store.project.slug}`) },
    })
    const added = await runCommand({ HOME: home }, ['pets', 'add', 'Rex', '--category', '1'])
    expect(added.exitCode).toBe(0)
    const { key } = JSON.parse(readFileSync(join(home, '.config/animal-store/profiles.json'), 'utf8'))
      .profiles.default
    await page.getByRole('link', { name: 'Your profile' }).click()
    await page.getByRole('heading', { name: 'Terminals' }).waitFor()
    await page.getByText(`${key.slice(0, 11)}…`).waitFor()
    expect(await findFaults(page)).toEqual([])
    const sent: string[] = []
    page.on('request', request => sent.push(new URL(request.url()).pathname))
    await page.getByRole('button', { name: /^End the key of / }).dblclick()
    await page.getByText('No terminal is signed in.').waitFor()
    expect(sent.filter(path => path.endsWith('/device/keys/end'))).toHaveLength(1)
    const headers = { authorization: `Bearer ${key}` }
    const status = async () => (await ask(`${opened.app.url}/v1/pets`, { headers })).status
    await expect.poll(status, { timeout: 20_000 }).toBe(401)
    await page.context().close()
  })

  it('on a phone, a person in two projects chooses the project of the key, and a denied terminal gets no key', async () => {
    const [first, second] = [await opened.app.makeProject(), await opened.app.makeProject()]
    const { db } = opened.app.tools
    await db.project.update({ where: { id: second.project.id }, data: { name: 'The second' } })
    const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
    const page = await joinWithPasskey(first.project, 'viewer', 'Bob', phone)
    const bob = await db.membership.findFirstOrThrow({ where: { projectId: first.project.id } })
    await joinProject(opened.app.tools, second.project, 'developer', { personId: bob.personId })
    const show = async (userCode: string) => {
      await page.goto(`${url()}/dashboard/device`)
      await page.getByLabel('Code').fill(userCode.toLowerCase())
      await page.getByRole('button', { name: 'Continue' }).tap()
    }

    const approved = await askForCode(
      opened.app.url,
      'a machine with a name of sixty characters, which is long',
    )
    await show(approved.user_code)
    await page.getByLabel('Project of the key').selectOption('The second')
    await page.getByText('your rights as developer').waitFor()
    expect(await overflow(page)).toBe(0)
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve' }).tap()
    await page.getByText('The terminal is signed in').waitFor()
    const denied = await askForCode(opened.app.url)
    await show(denied.user_code)
    await page.getByRole('button', { name: 'Deny' }).tap()
    await page.getByText('The terminal was denied').waitFor()

    expect(await pollForKey(opened.app.url, approved)).toMatchObject({ project: second.project.slug })
    expect(await pollForKey(opened.app.url, denied)).toMatchObject({ error: 'access_denied' })
    await page.goto(`${url()}/dashboard/profile`)
    await page.getByRole('heading', { name: 'Terminals' }).waitFor()
    await page.getByRole('button', { name: /^End the key of / }).waitFor()
    expect(await overflow(page)).toBe(0)
    await page.context().close()
  })

  it('the page that approves codes says that a code is wrong, or that an API key cannot approve', async () => {
    const store = await opened.app.makeProject()
    const withKey = await opened.open('/dashboard/device', store.secret)
    await withKey.getByText('Sign in as a person first').waitFor()
    expect(await findFaults(withKey)).toEqual([])
    await withKey.context().close()

    const page = await joinWithPasskey(store.project, 'viewer', 'Cleo')
    await page.goto(`${url()}/dashboard/device?user_code=BBBB-BBBB`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('This code is not valid').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })
})
