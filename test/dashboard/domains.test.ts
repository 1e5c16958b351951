import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startNameServer } from '../../src/practice/name-server.ts'
import { findFaults, hasChromium, openBrowser, openTab, overflow } from '../support/browser.ts'
import { type Platform, startPlatform, until, visit } from '../support/hosting.ts'
import { isPebbleInstalled, type Pebble, startPebble } from '../support/pebble.ts'
import { freePort } from '../support/programs.ts'

const missing = [
  !hasChromium && 'chromium',
  !isPebbleInstalled() && 'pebble',
  inject('services').postgresUrl === null && 'PostgreSQL',
].filter(Boolean)

if (missing.length > 0)
  it.skip(`the browser tests of custom domains are skipped, because the machine lacks ${missing.join(', ')}`)

describe.skipIf(missing.length > 0)('the custom domain procedure, by clicks', { timeout: 180_000 }, () => {
  let browser: Browser
  let platform: Platform
  let pebble: Pebble
  let dns: Awaited<ReturnType<typeof startNameServer>>

  beforeAll(async () => {
    const port = await freePort()
    dns = await startNameServer()
    pebble = await startPebble({ dns: dns.at, httpPort: port })
    const [started, opened] = await Promise.all([
      startPlatform({ ports: [port], env: { ...pebble.env, DNS_SERVERS: dns.at } }),
      openBrowser(),
    ])
    platform = started
    browser = opened
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
    await pebble?.stop()
    await dns?.stop()
  })

  const open = async (key: string, path = 'settings/domains'): Promise<Page> => {
    const page = await openTab(browser, key)
    await page.goto(`${platform.first.url}/dashboard/${path}`)
    return page
  }

  it('the domains page says what is missing before a domain can be added, with links', async () => {
    const free = await platform.first.makeProject({ plan: 'free' })
    const page = await open(free.secret)

    await page.getByText('A paid plan (Pro or above)').waitFor()
    expect(await page.getByRole('button', { name: 'Add domain' }).getAttribute('aria-disabled')).toBe('true')
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Go to Deploys' }).click()
    await page.getByText('Not published yet').waitFor()
    expect(await findFaults(page)).toEqual([])
  })

  it('a project publishes, adds a domain, verifies it, gets a certificate, redirects and removes it', async () => {
    const { first } = platform
    const project = await first.makeProject({ plan: 'pro' })
    const target = `${project.project.slug}.animals.localhost`
    const [name, partner] = ['clicks.test', 'www.clicks.test']
    const page = await open(project.secret, 'deploys')

    await page.getByRole('button', { name: 'Publish the project' }).click()
    await page.getByLabel('Title').fill('Clicked together')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('cell', { name: 'Live', exact: true }).waitFor()
    expect(await findFaults(page)).toEqual([])

    await page.getByRole('link', { name: 'Project settings' }).click()
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('not a domain')
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Domain' }).fill(`https://WWW.Clicks.test/`)
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('dialog', { name: 'Create the DNS record' }).waitFor()
    const record = page.getByRole('dialog').getByRole('row')
    expect(await record.allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`^CNAME ?www ?${target} ?3600$`))]),
    )
    await page.getByRole('dialog').getByText('Proof of ownership').click()
    const proof = page.getByRole('dialog').getByRole('row', { name: 'TXT' })
    expect(await proof.textContent()).toContain('_animal-store.www')
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()

    const card = page.getByRole('article', { name: partner })
    dns.setZone([`${target} A 127.0.0.1`, `${partner} A 93.184.215.7`])
    await card.getByRole('button', { name: 'Verify', exact: true }).click()
    await card.getByText('Another record blocks the CNAME').first().waitFor()
    await card.getByText('93.184.215.7').first().waitFor()
    expect(await findFaults(page)).toEqual([])

    dns.setZone([`${target} A 127.0.0.1`, `${partner} CNAME ${target}`, `${name} A 127.0.0.1`])
    await card.getByRole('button', { name: /^Verify$/ }).click({ timeout: 20_000 })
    await card.getByText('Live', { exact: true }).waitFor({ timeout: 30_000 })
    await card.getByText('Issued', { exact: true }).waitFor({ timeout: 60_000 })
    expect(await findFaults(page)).toEqual([])
    const root = await pebble.root()
    const served = await until(
      () => visit(`https://${partner}:${first.httpsPort}/`, first.httpsPort, { ca: root }).catch(() => null),
      answer => answer !== null,
    )
    expect(served?.text).toContain('Clicked together')

    await page.getByRole('button', { name: 'Add clicks.test', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    const apex = page.getByRole('article', { name, exact: true })
    await apex.getByRole('button', { name: 'Verify', exact: true }).click()
    await apex.getByText('Issued', { exact: true }).waitFor({ timeout: 60_000 })

    await page.getByRole('link', { name: 'Primary and redirects' }).click()
    const redirect = page.getByRole('combobox', { name, exact: true })
    expect(await redirect.inputValue()).toBe(partner)
    await page.getByLabel('Primary domain').selectOption(partner)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published.').waitFor()
    expect(await findFaults(page)).toEqual([])
    const redirected = await until(
      () => visit(`https://${name}:${first.httpsPort}/a?b=c`, first.httpsPort, { ca: root }),
      ({ status }) => status === 301,
    )
    expect(redirected.headers.location).toContain(`${partner}`)

    await page.getByRole('link', { name: 'Domains', exact: true }).click()
    await apex.getByRole('button', { name: 'Actions for clicks.test' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('It is no longer served.').waitFor()
    expect(await findFaults(page)).toEqual([])
    await expect(
      visit(`https://${name}:${first.httpsPort}/`, first.httpsPort, { ca: root }),
    ).rejects.toThrow()
    await page.getByRole('button', { name: 'Done' }).click()
    await apex.waitFor({ state: 'detached' })

    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 860 })

    await page.getByRole('link', { name: 'Deploys' }).click()
    await page
      .getByRole('button', { name: /^Roll back to/ })
      .last()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Rollback to').waitFor()
    expect(await findFaults(page)).toEqual([])
  })
})
