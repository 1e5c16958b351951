import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findFaults, hasChromium, openBrowser, openTab } from '../support/browser.ts'
import { startIssuer } from '../support/issuer.ts'
import { addAuthenticator } from '../support/passkeys.ts'
import { freePort } from '../support/programs.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

/** If this folder is set in the environment, the test saves a picture of each step there. */
const pictures = process.env.STORY_PICTURES

describe.skipIf(!hasChromium)('the story of a shared project', { timeout: 240_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  /** Starts the service on an empty folder with the embedded database. */
  async function firstStart(env: Record<string, string> = {}): Promise<Running> {
    const dataDir = mkdtempSync(join(tmpdir(), 'animal-store-story-'))
    const service = await startProcess({
      ...{ DATA_DIR: dataDir, LOG_LEVEL: 'silent', DOMAIN_SUFFIXES: 'test', DNS_SERVERS: '127.0.0.1:9' },
      ...env,
    })
    onTestFinished(async () => {
      service.child.kill('SIGKILL')
      await service.ended
      rmSync(dataDir, { recursive: true, force: true })
    })
    await service.printed(answersAt)
    return service
  }

  let shown = 0
  async function picture(page: Page, name: string): Promise<void> {
    if (pictures) await page.screenshot({ path: join(pictures, `${++shown}-${name}.png`), fullPage: true })
    expect(await findFaults(page), name).toEqual([])
  }
  async function openPerson(): Promise<Page> {
    const page = await openTab(browser, null)
    onTestFinished(() => page.context().close())
    await addAuthenticator(page)
    return page
  }
  const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

  type Ways = {
    join(page: Page, name: string): Promise<void>
    /** Signs in again, after signing out. */
    signIn(page: Page, name: string): Promise<void>
    /** Answers the provider's question whether to sign out of the provider too. */
    confirmSignOut?(page: Page): Promise<void>
  }

  async function tellStory(service: Running, ways: Ways, way: string): Promise<void> {
    const [link] = await service.printed(/http:\/\/localhost:\d+\/dashboard\/invitation#\S+/)
    const dashboard = link.replace(/invitation#.*/, '')
    const ada = await openPerson()
    await ada.goto(link)
    await ada.getByText('You join as owner.').waitFor()
    await picture(ada, `${way}-printed-link`)
    await ways.join(ada, 'Ada')
    await heading(ada, 'Overview')
    await ada.getByRole('button', { name: 'Sign out' }).first().click()
    await ways.confirmSignOut?.(ada)
    await ways.signIn(ada, 'Ada')
    await ada.getByRole('navigation').first().waitFor()

    await ada.goto(`${dashboard}settings/members`)
    await click(ada, 'Invite somebody')
    await click(ada, 'Make a link')
    const invitation = await ada.getByRole('status', { name: 'The invitation’s link' }).textContent()
    await picture(ada, `${way}-invitation`)
    await click(ada, 'Done')
    const bob = await openPerson()
    await bob.goto(invitation ?? '')
    await bob.getByText('You will be able to do everything except changing the members.').waitFor()
    await ways.join(bob, 'Bob')
    await heading(bob, 'Overview')

    await bob.goto(`${dashboard}keys`)
    await click(bob, 'Issue key')
    await bob.getByLabel('Name').fill('Till of Bob')
    await bob.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
    await bob.getByLabel('I’ve saved this key somewhere safe').check()
    await click(bob, 'Done')
    await bob.goto(`${dashboard}deploys`)
    await click(bob, 'Publish the project')
    await bob.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await bob.getByRole('cell', { name: 'Live', exact: true }).waitFor()
    await bob.goto(`${dashboard}settings/domains`)
    await click(bob, 'Add domain')
    await bob.getByRole('textbox', { name: 'Domain' }).fill('shop.acme.test')
    await bob.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await bob.getByRole('dialog', { name: 'Create the DNS record' }).waitFor()
    await click(bob, 'Done')
    await picture(bob, `${way}-domain`)

    await ada.goto(`${dashboard}settings/activity`)
    for (const [act, who] of [
      ['Invited somebody as developer', 'Ada'],
      ['Added the member Bob', 'Bob'],
      ['Issued the API key Till of Bob', 'Bob'],
      ['Added the domain shop.acme.test', 'Bob'],
    ] as const)
      await ada.getByRole('row').filter({ hasText: act }).filter({ hasText: who }).waitFor()
    await picture(ada, `${way}-activity`)

    // This page sends no queries by itself, so only the stream of /session/watch can report the removal.
    const watched = bob.waitForResponse(answer => answer.url().endsWith('/session/watch'))
    await bob.goto(dashboard)
    await heading(bob, 'Overview')
    await watched
    await ada.goto(`${dashboard}settings/members`)
    await click(ada, 'Remove Bob')
    const clicked = performance.now()
    let out = clicked
    const isOut = bob.getByText('Your session has ended, or you were removed from the project.').waitFor()
    await click(ada, 'Remove')
    await Promise.all([ada.getByText('Till of Bob').waitFor(), isOut.then(() => (out = performance.now()))])
    if (pictures) console.log(`${way}: out ${Math.round(out - clicked)} ms after the click`)
    await picture(ada, `${way}-removed`)
    await picture(bob, `${way}-out`)
    await click(ada, 'Revoke this key')
    await ada.getByRole('dialog').waitFor({ state: 'detached' })

    // Bob belonged to no other project, so his name was deleted: the log shows his acts as those of a deleted person.
    await ada.goto(`${dashboard}settings/activity`)
    for (const [act, who] of [
      ['Removed the member (deleted person)', 'Ada'],
      ['Revoked the API key Till of Bob', 'Ada'],
      ['Issued the API key Till of Bob', 'Deleted person'],
    ] as const)
      await ada.getByRole('row').filter({ hasText: act }).filter({ hasText: who }).waitFor()
    expect(await ada.getByRole('row').filter({ hasText: 'the member Bob' }).count()).toBe(0)
    await picture(ada, `${way}-activity-after`)
  }

  it('from the first start of the service, people share a project by invitation links and sign in with passkeys', async () => {
    const service = await firstStart()
    await tellStory(
      service,
      {
        async join(page, name) {
          await page.getByLabel('Your name').fill(name)
          await click(page, 'Join')
          await heading(page, 'Overview')
          await page.getByRole('link', { name: 'Your profile' }).click()
          await page.getByLabel('Name of the new passkey').fill('Laptop')
          await click(page, 'Add a passkey')
          await page.getByRole('rowheader', { name: 'Laptop' }).waitFor()
          await page.getByRole('link', { name: 'Overview' }).click()
        },
        async signIn(page) {
          await click(page, 'Sign in with a passkey')
        },
      },
      'passkey',
    )
  })

  it('from the first start of the service, people share a project and sign in by the identity provider', async () => {
    const names = { ada: { name: 'Ada' }, bob: { name: 'Bob' } }
    const issuer = await startIssuer(names, await freePort())
    onTestFinished(() => issuer.close())
    const service = await firstStart(issuer.env)
    const { host } = new URL(issuer.url)
    const signInThere = async (page: Page, name: string) => {
      await page.locator('input[name=login]').fill(name.toLowerCase())
      await page.locator('input[name=password]').fill('any')
      await page.locator('button[type=submit]').click()
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    await tellStory(
      service,
      {
        async join(page, name) {
          await click(page, `Join with ${host}`)
          await signInThere(page, name)
        },
        confirmSignOut: page => click(page, 'Yes, sign me out'),
        async signIn(page, name) {
          await click(page, `Sign in with ${host}`)
          await signInThere(page, name)
        },
      },
      'issuer',
    )
  })
})
