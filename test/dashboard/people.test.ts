import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page, Route } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import type { Role } from '../../src/core/keys/roles.ts'
import { invite } from '../../src/core/people/invitations.ts'
import { listMembers, removeMember } from '../../src/core/people/members.ts'
import { addOperator, removeOperator } from '../../src/core/people/operators.ts'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { addAuthenticator } from '../support/passkeys.ts'
import { join } from '../support/people.ts'
import { startSmtp } from '../support/smtp.ts'

describeInBrowser('people in the dashboard', { env: { TRUST_PROXY: '1' } }, opened => {
  let clients = 0
  /** Opens the invitation's page at localhost, where browsers allow passkeys, with a virtual authenticator. */
  async function openInvitation(role: Role, store?: Awaited<ReturnType<typeof opened.app.makeProject>>) {
    const { tools, makeProject } = opened.app
    const { project } = store ?? (await makeProject())
    const { secret } = await invite(tools.db, tools.clock, project, { role, invitedBy: null })
    // Each page has its own IP address, because together the pages make more requests in a minute than one address may.
    const extraHTTPHeaders = { 'x-forwarded-for': `192.0.2.${++clients}` }
    const page = await opened.open('/healthz', null, { extraHTTPHeaders })
    await addAuthenticator(page)
    await page.goto(`${tools.config.publicUrl}/dashboard/invitation#${secret}`)
    return { page, project, secret }
  }

  async function joinAs(page: Page, name: string): Promise<void> {
    await page.getByLabel('Your name').fill(name)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  }

  it('a person who could not sign in again is asked before the end of the session', async () => {
    const { page } = await openInvitation('owner')
    await joinAs(page, 'Ada')
    const dialog = page.getByRole('dialog', { name: 'Sign out without a passkey?' })
    const signOut = page.getByRole('button', { name: 'Sign out' }).first()

    await signOut.click()
    await dialog.waitFor()
    expect(await findFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.reload()
    await page.getByRole('link', { name: 'Your profile' }).waitFor()
    await signOut.click()
    await dialog.getByRole('button', { name: 'Sign out' }).click()

    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await page.context().close()
  })

  it('a person who leaves one of two projects goes on with the other project', async () => {
    const { page, project } = await openInvitation('viewer')
    await joinAs(page, 'Ada')
    const { db } = opened.app.tools
    const second = await opened.app.makeProject()
    const { personId } = await db.membership.findFirstOrThrow({ where: { projectId: project.id } })
    await join(opened.app.tools, second.project, 'viewer', { personId })
    await page.reload()
    const openProject = page.getByLabel('Project', { exact: true })
    await openProject.waitFor()
    expect(await openProject.inputValue()).toBe(project.slug)
    await page.goto(new URL('/dashboard/settings/members', page.url()).href)

    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()

    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.locator('.shell').getByText(second.project.slug).filter({ visible: true }).first().waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(await db.session.count({ where: { personId } })).toBe(1)
    await page.context().close()
  })

  it('a person who is an operator switches between a project and the operator view, and is signed out when the operator flag is removed', async () => {
    const { page, project } = await openInvitation('owner')
    await joinAs(page, 'Ada')
    await page.getByRole('link', { name: 'Your profile' }).click()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('rowheader', { name: 'Passkey' }).waitFor()
    const { db } = opened.app.tools
    const { personId } = await db.passkey.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
    await addOperator(db, personId)
    await page.reload()
    await page.getByText('sign out and sign in with a passkey').waitFor()
    expect(await page.getByRole('combobox', { name: 'Project' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()

    const switcher = page.getByRole('combobox', { name: 'Project' })
    await switcher.selectOption({ label: 'As operator' })
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.reload()
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    await page.locator(`a[href="/dashboard/projects/${project.slug}/"]`).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await switcher.selectOption({ label: 'A store' })
    await page.getByRole('link', { name: 'Pets' }).first().waitFor()
    await switcher.selectOption({ label: 'As operator' })
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()

    await removeOperator(db, personId)
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByText('Your session has ended').waitFor()
    await page.context().close()
  })

  it('an invited person joins, adds a passkey, signs in with the passkey, and is asked before the last passkey is removed', async () => {
    const { page, project, secret } = await openInvitation('owner')
    await page.getByRole('heading', { name: 'Join A store' }).waitFor()
    expect(page.url()).not.toContain(secret)
    expect(await findFaults(page)).toEqual([])
    await joinAs(page, 'Ada')

    await page.getByRole('link', { name: 'Your profile' }).click()
    await page.getByLabel('Your name').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a name of at most 100 characters').waitFor()
    await page.getByText('You have no passkey.').waitFor()
    await page.getByLabel('Name of the new passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('rowheader', { name: 'Laptop' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Your profile', level: 1 }).waitFor()

    await page.reload()
    await page.getByRole('heading', { name: 'Your profile', level: 1 }).waitFor()
    const stored = await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
    expect(stored).not.toMatch(/as[asi]_/)
    expect(stored).toContain(project.slug)

    const { db } = opened.app.tools
    const passkeys = () => db.passkey.count({ where: { name: 'Laptop' } })
    const laptop = await db.passkey.findFirstOrThrow({ where: { name: 'Laptop' } })
    await db.passkey.create({ data: { ...laptop, id: randomUUID(), name: 'Phone' } })
    await page.reload()
    const remove = (name: string) => page.getByRole('button', { name: `Remove the passkey ${name}` })
    await remove('Phone').waitFor()
    // Until the list is read again, it still has two passkeys.
    const looked = Promise.withResolvers<void>()
    await page.route('**/graphql', async route => {
      if (route.request().postData()?.includes('query Profile')) await looked.promise
      await route.continue()
    })
    await remove('Phone').click()
    await page.getByText('Removed the passkey.').waitFor()
    expect(await remove('Laptop').getAttribute('aria-disabled')).toBe('true')
    looked.resolve()
    await remove('Laptop').click()
    await page.getByRole('dialog', { name: 'Remove your last passkey?' }).waitFor()
    expect(await passkeys()).toBe(1)
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect.poll(passkeys).toBe(0)
    await page.context().close()
  })

  it('a person downloads their own data and deletes their profile', async () => {
    const store = await opened.app.makeProject()
    const { page } = await openInvitation('viewer', store)
    await joinAs(page, 'Bo')
    await page.getByRole('link', { name: 'Your profile' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download your data' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('your-data.json')
    expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toMatchObject({ name: 'Bo' })

    await page.getByRole('button', { name: 'Delete your profile' }).click()
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'Animal Store', level: 1 }).waitFor()

    const { tools } = opened.app
    expect(await listMembers(tools.db, store.project)).toEqual([])
    await page.context().close()
  })

  /** Presses a button of the dialog, and closes the dialog before the answer comes. */
  async function pressAndClose(page: Page, name: string): Promise<void> {
    const { promise: isClosed, resolve } = Promise.withResolvers<void>()
    await page.route('**/graphql', async route => {
      await isClosed
      await route.continue()
    })
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    resolve()
  }

  it('an owner invites a person by a link, changes the role, and removes the member and the keys of the member, even if the dialogs are closed before the answers come', async () => {
    const { page, project } = await openInvitation('owner')
    await joinAs(page, 'Ada')
    await page.goto(`${opened.app.tools.config.publicUrl}/dashboard/settings/members`)
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    await pressAndClose(page, 'Make a link')
    const link = (await page.getByRole('status', { name: 'The invitation’s link' }).textContent()) ?? ''
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Open invitations' }).waitFor()

    const other = await opened.open('/healthz')
    await other.goto(link)
    await joinAs(other, 'Bob')
    await page.reload()
    const change = page.getByRole('button', { name: 'Change the role of Bob' })
    await change.click()
    const role = page.getByRole('combobox', { name: 'Role' })
    await role.selectOption('owner')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await change.click()
    expect(await role.inputValue()).toBe('developer')
    await role.selectOption('viewer')
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changed the role of Bob to viewer.').waitFor()
    await expect
      .poll(async () => (await listMembers(opened.app.tools.db, project)).map(({ role }) => role))
      .toEqual(['owner', 'viewer'])
    const bob = (await listMembers(opened.app.tools.db, project)).find(({ role }) => role === 'viewer')
    await opened.app.tools.db.apiKey.create({
      data: {
        ...{ projectId: project.id, name: 'of Bob', prefix: 'as_00000000', scopes: ['pets:read'] },
        ...{ hash: new Uint8Array(32), issuedBy: bob?.personId ?? null },
      },
    })
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove Bob' }).click()
    await pressAndClose(page, 'Remove')
    await page.getByRole('listitem').filter({ hasText: 'of Bob' }).waitFor()
    await page.getByRole('button', { name: 'Revoke this key' }).click()
    await expect
      .poll(() => opened.app.tools.db.apiKey.count({ where: { name: 'of Bob', revokedAt: null } }))
      .toBe(0)
    await page.getByText('Removed Bob.').waitFor()
    await Promise.all([page.context().close(), other.context().close()])
  })

  it('a double click withdraws an invitation once, and ends a session once', async () => {
    const { page, project } = await openInvitation('owner')
    const { db, clock, config } = opened.app.tools
    await joinAs(page, 'Ada')
    const ofAda = { person: { memberships: { some: { projectId: project.id } } } }
    const session = await db.session.findFirstOrThrow({ where: ofAda })
    await db.session.create({ data: { ...session, id: randomUUID(), hash: randomBytes(32) } })
    for (const role of ['viewer', 'developer'] as const)
      await invite(db, clock, project, { role, invitedBy: null })
    const sent: string[] = []
    page.on('request', request => {
      const [, name] = /mutation (\w+)/.exec(request.postData() ?? '') ?? []
      if (name) sent.push(name)
    })
    await page.goto(`${config.publicUrl}/dashboard/settings/members`)

    const withdraw = page.getByRole('button', { name: /^Withdraw the invitation/ })
    await withdraw.first().dblclick()
    await page.getByText('Withdrew the invitation.').waitFor()
    await expect.poll(() => withdraw.count()).toBe(1)

    await page.goto(`${config.publicUrl}/dashboard/profile`)
    const end = page.getByRole('button', { name: /^End the session/ })
    await end.dblclick()
    await page.getByText('Ended the session.').waitFor()
    await end.waitFor({ state: 'detached' })

    expect(sent).toEqual(['WithdrawInvitation', 'EndSession'])
    await page.context().close()
  })

  it('the open tabs of a removed person sign out by themselves when /session/watch reports the removal', async () => {
    const store = await opened.app.makeProject()
    const { tools } = opened.app
    await join(tools, store.project, 'owner')
    const { page, project } = await openInvitation('developer', store)
    await joinAs(page, 'Bob')
    // A page without queries.
    const nowhere = `${tools.config.publicUrl}/dashboard/nowhere`
    const watched = page.waitForResponse(answer => answer.url().endsWith('/session/watch'))
    const second = await page.context().newPage()
    for (const tab of [page, second]) {
      await tab.goto(nowhere)
      await tab.getByRole('heading', { name: 'Nothing here' }).waitFor()
    }
    await watched
    const bob = (await listMembers(tools.db, project)).find(({ role }) => role === 'developer')
    const asked: string[] = []
    page.context().on('request', request => asked.push(new URL(request.url()).pathname))

    await removeMember(tools.db, tools.clock, project, bob?.personId ?? '')

    const message = 'Your session has ended, or you were removed from the project.'
    await Promise.all([page, second].map(tab => tab.getByText(message).waitFor()))
    expect(asked[0]).toBe('/session/watch')
    // The request to /session/issuer/show comes from the sign-in page, which the tabs show after Bob was removed.
    expect([...new Set(asked)].sort()).toEqual(['/session/issuer/show', '/session/watch'])
    await page.context().close()
  })

  it('a person in two projects switches between them, and joins the second project without entering a name again', async () => {
    const { page, project } = await openInvitation('viewer')
    await joinAs(page, 'Ada')
    const second = await opened.app.makeProject()
    const { tools } = opened.app
    await tools.db.project.update({ where: { id: second.project.id }, data: { name: 'Second store' } })
    const { secret } = await invite(tools.db, tools.clock, second.project, {
      role: 'viewer',
      invitedBy: null,
    })

    await page.goto(`${tools.config.publicUrl}/healthz`)
    const got = page.waitForResponse('**/session/token')
    await page.goto(`${tools.config.publicUrl}/dashboard/invitation#${secret}`)
    await page.getByRole('heading', { name: 'Join Second store' }).waitFor()
    await page.getByText('You are signed in as Ada.').waitFor()
    expect(await page.getByLabel('Your name').count()).toBe(0)
    // The token that the page got at its start ends, as it does after ten minutes.
    const { token } = await (await got).json()
    await tools.db.accessToken.deleteMany({ where: { projectId: project.id } })
    await expect.poll(() => tools.callers.find(token)).toBeNull()
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByLabel('Project', { exact: true }).selectOption(project.slug)

    await expect.poll(() => page.getByLabel('Project', { exact: true }).inputValue()).toBe(project.slug)
    expect(await listMembers(tools.db, second.project)).toMatchObject([{ person: { name: 'Ada' } }])

    // Each tab keeps its own project over a reload.
    const other = await page.context().newPage()
    await other.goto(`${tools.config.publicUrl}/dashboard/`)
    await other.getByLabel('Project', { exact: true }).selectOption(second.project.slug)
    const openIn = (tab: Page) => tab.getByLabel('Project', { exact: true }).inputValue()
    await expect.poll(() => openIn(other)).toBe(second.project.slug)
    for (const tab of [page, other]) {
      await tab.reload()
      await tab.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    }
    expect(await openIn(page)).toBe(project.slug)
    expect(await openIn(other)).toBe(second.project.slug)
    await page.context().close()
  })

  /** Shortens the life of the tokens that a page gets. */
  const endTokensIn = (page: Page, ms: number) =>
    page.route('**/session/token', async route => {
      const response = await route.fetch()
      const expiresAt = new Date(Date.now() + ms).toISOString()
      await route.fulfill({ response, json: { ...(await response.json()), expiresAt } })
    })
  const tokensAsked = (page: Page) => {
    const asked: string[] = []
    page.on('request', request => {
      if (request.url().endsWith('/session/token')) asked.push(request.url())
    })
    return asked
  }

  it.each([
    ['three minutes slow', -180_000, 30_000, true],
    ['15 minutes fast', 900_000, 600_000, false],
  ])(
    'on a computer whose clock is %s, a token is renewed when it ends',
    async (_, wrongBy, lasts, isRenewed) => {
      const { page } = await openInvitation('viewer')
      await page.clock.setSystemTime(Date.now() + wrongBy)
      await endTokensIn(page, lasts)
      await joinAs(page, 'Ada')
      await page.getByRole('meter', { name: 'This minute' }).waitFor()
      const asked = tokensAsked(page)

      await page.getByRole('link', { name: 'API keys' }).click()
      await page.getByRole('columnheader', { name: 'Key' }).waitFor()

      expect(asked.length > 0).toBe(isRenewed)
      await page.context().close()
    },
  )

  it('while no token can be renewed, the page and an import say so, and the page continues by itself afterwards', async () => {
    const { page } = await openInvitation('owner')
    await endTokensIn(page, 30_000)
    await joinAs(page, 'Ada')
    await page.getByRole('link', { name: 'Pets' }).first().click()
    await page.getByText('The store is empty').waitFor()
    await page.getByRole('button', { name: 'Import' }).click()
    const buffer = Buffer.from('name,categoryId\nRex,7\n')
    await page.getByLabel(/^Choose a file/).setInputFiles({ name: 'pets.csv', mimeType: 'text/csv', buffer })

    const json = { code: 'unavailable', message: 'Redis is away.' }
    const refuse = (route: Route) => route.fulfill({ status: 503, json })
    await page.route('**/session/token', refuse)
    await page.getByRole('button', { name: 'Import 1 pet' }).click()
    await page.getByRole('dialog').getByText('Redis is away.').waitFor()
    await page.evaluate(`dispatchEvent(new Event('offline'))`)
    await page.getByText('What is shown may be out of date. Redis is away.').waitFor()
    await page.unroute('**/session/token', refuse)

    await page.route('**/session/token', route => route.abort())
    await page.evaluate(`dispatchEvent(new Event('offline'))`)
    const banner = page.getByText('The store cannot be reached')
    await banner.waitFor()
    await page.unroute('**/session/token')
    await banner.waitFor({ state: 'detached', timeout: 30_000 })
    await page.context().close()
  })

  it('while the session of a person is opened, the page shows no form, and after a refusal it offers to try again', async () => {
    const { page } = await openInvitation('viewer')
    await joinAs(page, 'Ada')
    await page.setViewportSize({ width: 320, height: 256 })
    let refuse = () => {}
    const isHeld = new Promise<void>(resolve => (refuse = resolve))
    const json = { code: 'unavailable', message: 'Redis is away.' }
    await page.route('**/session/token', async route => {
      await isHeld
      await route.fulfill({ status: 503, json })
    })

    await page.reload()
    await page.getByRole('heading', { name: 'Signing in…' }).waitFor()
    expect(await page.getByLabel('API key').count()).toBe(0)
    expect(await findFaults(page)).toEqual([])
    refuse()
    await page.getByText('Redis is away.').waitFor()
    await page.unroute('**/session/token')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

    await page.reload()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    await page.context().close()
  })

  it('a waiting delete is sent before a person signs out', async () => {
    const store = await opened.app.makeProject()
    await store.post('/v1/pets', { name: 'Rex', categoryId: 7 })
    const { page } = await openInvitation('owner', store)
    await joinAs(page, 'Ada')
    await page.getByRole('link', { name: 'Pets' }).first().click()
    await page.getByRole('button', { name: 'Actions for Rex' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Deleted Rex.').waitFor()
    await page.route('**/session/end', async route => {
      const response = await route.fetch()
      // Delay the answer until the service has surely stopped accepting the token. A delete that the page sends after
      // the answer would fail.
      await new Promise(done => setTimeout(done, 1_000))
      await route.fulfill({ response })
    })

    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()

    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    expect(await opened.app.tools.db.pet.count({ where: { projectId: store.project.id } })).toBe(0)
    expect(await page.getByText('Your session has ended').count()).toBe(0)
    await page.context().close()
  })

  it('a waiting delete is sent when a person closes the page shortly before the token ends', async () => {
    const store = await opened.app.makeProject()
    await store.post('/v1/pets', { name: 'Rex', categoryId: 7 })
    const { page } = await openInvitation('owner', store)
    await endTokensIn(page, 30_000)
    await joinAs(page, 'Ada')
    await page.getByRole('link', { name: 'Pets' }).first().click()
    await page.getByRole('button', { name: 'Actions for Rex' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Deleted Rex.').waitFor()

    await page.goto('about:blank')

    const count = () => opened.app.tools.db.pet.count({ where: { projectId: store.project.id } })
    await expect.poll(count).toBe(0)
    await page.context().close()
  })

  it.each(['token', 'end'])(
    'if /session/%s cannot be reached, signing out shows a message and the person stays signed in',
    async step => {
      const { page } = await openInvitation('viewer')
      // Each token ends after 30 seconds. The page renews a token that has less than a minute left, so signing out must
      // renew the token first.
      if (step === 'token') await endTokensIn(page, 30_000)
      await joinAs(page, 'Ada')
      const draft = `sessionStorage.getItem('animal-store.draft.of a test')`
      await page.evaluate(`sessionStorage.setItem('animal-store.draft.of a test', '{}')`)
      const cut = (route: Route) => route.abort()
      await page.route(`**/session/${step}`, cut)
      let failed = 0
      page.on('requestfailed', request => {
        if (request.url().endsWith('/session/token')) failed++
      })
      // Wait until one renewal has failed: a renewal that began before requests were blocked may still succeed, and
      // then signing out would not need another renewal.
      const renew = async () => {
        await page.evaluate(`dispatchEvent(new Event('offline'))`)
        return failed
      }
      if (step === 'token') await expect.poll(renew).toBeGreaterThan(0)
      const signOut = page.getByRole('button', { name: 'Sign out' }).first()
      const signedOut = page.getByRole('button', { name: 'Sign in with a passkey' })

      await signOut.click()

      await page.getByText('You are still signed in. The store cannot be reached.').waitFor()
      await page.getByRole('link', { name: 'Your profile' }).waitFor()
      expect(await page.evaluate(draft)).toBe('{}')
      await page.unroute(`**/session/${step}`, cut)
      // A renewal that began while requests were blocked may fail only now, so try to sign out until it succeeds.
      const tryAgain = async () => {
        await signOut.click({ timeout: 1000 }).catch(() => {})
        const sure = page.getByRole('dialog').getByRole('button', { name: 'Sign out' })
        await sure.click({ timeout: 1000 }).catch(() => {})
        return signedOut.isVisible()
      }
      await expect.poll(tryAgain).toBe(true)
      expect(await page.evaluate(draft)).toBeNull()
      await page.context().close()
    },
  )

  it('a key that a person types in the API reference does not replace the session of the person', async () => {
    const store = await opened.app.makeProject()
    const { page } = await openInvitation('owner', store)
    await joinAs(page, 'Ada')
    const { publicUrl } = opened.app.tools.config
    await page.goto(`${publicUrl}/reference`)
    await page.getByLabel('Your API key').fill(store.secret)

    await page.goto(`${publicUrl}/dashboard/`)

    await page.getByRole('link', { name: 'Your profile' }).waitFor()
    await page.context().close()
  })

  it('a person’s tab keeps the person’s session after a reload, even if another tab signs in and out with a key', async () => {
    const store = await opened.app.makeProject()
    const { page } = await openInvitation('owner', store)
    await joinAs(page, 'Ada')
    const beside = await page.context().newPage()
    await beside.addInitScript(`sessionStorage.setItem('animal-store.key', '${store.secret}')`)
    await beside.goto(`${opened.app.tools.config.publicUrl}/dashboard/`)
    await beside.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(await beside.getByRole('link', { name: 'Your profile' }).count()).toBe(0)

    await page.reload()
    await page.getByRole('link', { name: 'Your profile' }).waitFor()
    await beside.getByRole('button', { name: 'Sign out' }).first().click()
    await beside.getByLabel('API key').waitFor()
    await page.reload()

    await page.getByRole('link', { name: 'Your profile' }).waitFor()
    await page.context().close()
  })

  it('a person who joins in a tab that holds an API key is signed in as that person after a reload', async () => {
    const store = await opened.app.makeProject()
    const { page } = await openInvitation('owner', store)
    await page.evaluate(`sessionStorage.setItem('animal-store.key', '${store.secret}')`)
    await joinAs(page, 'Ada')

    await page.reload()

    await page.getByRole('link', { name: 'Your profile' }).waitFor()
    await page.context().close()
  })

  it('at 127.0.0.1 the sign-in page says where passkeys work', async () => {
    const page = await opened.open('/dashboard/')

    await page.getByText('Passkeys need a name in the address').waitFor()

    await page.context().close()
  })
})

const operatorKey = 'operator-key-of-the-mail-tests-000000'
const smtp = await startSmtp()
const mailEnv = { ...smtp.env, OPERATOR_KEY: operatorKey }
afterAll(smtp.close)
describeInBrowser('invitations by mail in the dashboard', { env: mailEnv }, opened => {
  it('an owner has an invitation link sent by mail, and gets the link to send if the mail server refuses', async () => {
    const store = await opened.app.makeProject()
    await join(opened.app.tools, store.project, 'owner')
    const page = await opened.open('/dashboard/', operatorKey)
    await page.goto(`${opened.app.url}/dashboard/projects/${store.project.slug}/settings/members`)
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    await page.getByLabel('E-mail').fill(' bob@acme.example ')
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Make a link' }).click()
    await page.getByText('Sent the link to bob@acme.example.').waitFor()
    expect(smtp.received).toMatchObject([{ to: ['bob@acme.example'] }])
    await page.getByRole('button', { name: 'Done' }).click()

    smtp.trouble = 'refuses the recipient'
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    await page.getByLabel('E-mail').fill('eve@acme.example')
    await page.getByRole('button', { name: 'Make a link' }).click()
    await page.getByText('The mail server did not take the message. Send the link yourself.').waitFor()
    await page.getByRole('status', { name: 'The invitation’s link' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })
})
