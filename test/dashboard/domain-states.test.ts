import { domainToASCII } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { furnishDomains } from '../support/domain-states.ts'
import type { TestProject } from '../support/start-app.ts'

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

const shown = [
  ['new.paws.example', 'Pending', 'None', 'Not checked yet'],
  ['nothing.paws.example', 'Pending', 'None', 'No record found yet'],
  ['other.paws.example', 'Pending', 'None', 'The record shows another value'],
  ['menu.paws.example', 'Pending', 'None', 'Another record blocks the CNAME'],
  ['paws.example', 'Pending', 'None', 'The apex leads elsewhere'],
  ['silent.paws.example', 'Pending', 'None', 'DNS lookup failed'],
  ['circle.paws.example', 'Pending', 'None', 'The records form a loop'],
  ['halfway.paws.example', 'Pending', 'None', 'Not all name servers have the record yet'],
  ['раws.example', 'Pending', 'None', 'Looks like paws.example'],
  ['twice.paws.example', 'Pending', 'None', 'More than one CNAME'],
  ['orange.paws.example', 'Pending', 'None', 'A proxy hides the record'],
  ['biscuit.example', 'Pending', 'None', 'Prove that the name is yours'],
  ['taken.paws.example', 'Pending', 'None', 'Another project holds this name'],
  ['resting.paws.example', 'Stale', 'None', 'Paused until you verify again'],
  ['left.paws.example', 'Drifted', 'Issued', 'Served until'],
  ['soon.paws.example', 'Live', 'Issuing', 'The certificate is being issued'],
  ['www.paws.example', 'Live', 'Issued', 'Valid until'],
  ['ending.paws.example', 'Live', 'Expiring', 'The certificate authority cannot be reached'],
  ['crate.paws.example', 'Live', 'Failed', 'A CAA record blocks the certificate'],
  ['late.paws.example', 'Live', 'Issuing', 'The certificate is overdue'],
  ['validation-failed.paws.example', 'Live', 'Failed', 'could not validate the name'],
  ['ca-rate-limited.paws.example', 'Live', 'Failed', 'asks to wait'],
  ['ca-refused.paws.example', 'Live', 'Failed', 'The certificate authority refused'],
] as const

describeInBrowser('domains in every state', {}, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject({ plan: 'pro' })
    const { tools } = opened.app
    await furnishDomains(tools, owner.project)
    // This deploy fails, and its log says why.
    await deploy(tools.db, tools.hosting, owner.project, { domains: { primary: 'nobody.example.net' } })
  })

  it('each domain state is shown in words and a badge', async () => {
    const all = new URLSearchParams(shown.map(([name]) => ['open', domainToASCII(name)]))
    const page = await opened.open(`/dashboard/settings/domains?${all}`, owner.secret)
    for (const [name, host, certificate, words] of shown) {
      const card = page.getByRole('article', { name, exact: true })
      await card.getByText(words).first().waitFor()
      const badges = await card.getByRole('definition').allTextContents()
      expect([name, ...badges]).toEqual(expect.arrayContaining([name, host, certificate]))
    }
    await page.context().close()
  })

  it('each domain is shown as a line that expands, and stays expanded after a reload', async () => {
    const page = await opened.open('/dashboard/settings/domains', owner.secret)
    const card = page.getByRole('article', { name: 'www.paws.example', exact: true })
    await card.waitFor()
    expect((await card.boundingBox())?.height).toBeLessThan(80)
    const line = card.getByRole('button', { name: /^www\.paws\.example/ })
    expect(await line.getAttribute('aria-expanded')).toBe('false')
    await line.click()
    await card.getByText('DNS record', { exact: true }).waitFor()
    await page.reload()
    await card.getByText('DNS record', { exact: true }).waitFor()
    await line.click()
    await card.getByText('DNS record', { exact: true }).waitFor({ state: 'hidden' })

    await page.getByRole('link', { name: 'Primary and redirects' }).click()
    await page.getByLabel('Primary domain').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    await page.context().close()
  })

  it('a refused check of a domain whose line is not expanded expands the line and says why', async () => {
    const page = await opened.open('/dashboard/settings/domains', owner.secret)
    const json = {
      errors: [{ message: 'Wait a minute.', path: ['domainVerify'], extensions: { code: 'rate_limited' } }],
      data: null,
    }
    await page.route('**/graphql', route =>
      route.request().postData()?.includes('mutation VerifyDomain')
        ? route.fulfill({ json })
        : route.continue(),
    )
    const card = page.getByRole('article', { name: 'nothing.paws.example', exact: true })

    await card.getByRole('button', { name: 'Verify' }).click()

    await card.getByRole('alert').getByText('Wait a minute.').waitFor()
    await page.context().close()
  })

  it('if a project lost the plan for its domains and the grace time is over, the domains page says that no domain is served', async () => {
    const { db, clock } = opened.app.tools
    const where = { id: owner.project.id }
    const yesterday = new Date(clock.now() - 86_400_000)
    await db.project.update({ where, data: { planName: 'free', domainsGraceEndsAt: yesterday } })
    const page = await opened.open('/dashboard/settings/domains', owner.secret)

    await page.getByText('They have not been served since').waitFor()

    const badges = page
      .getByRole('article', { name: 'www.paws.example', exact: true })
      .getByRole('definition')
    expect(await badges.allTextContents()).toEqual(['Paused', 'Issued'])
    await page.context().close()
    await db.project.update({ where, data: { planName: 'pro', domainsGraceEndsAt: null } })
  })

  it('a discarded draft, a check without publishing, and a new title leave the published primary domain and redirects unchanged', async () => {
    const { tools, makeProject } = opened.app
    const keeper = await makeProject({ plan: 'pro' })
    const projectId = keeper.project.id
    const now = new Date(tools.clock.now())
    await tools.db.domain.createMany({
      data: ['keep.test', 'www.keep.test'].map(name => ({
        projectId,
        name,
        createdAt: now,
        looksSince: now,
      })),
    })
    const redirects = [{ from: 'keep.test', to: 'www.keep.test', status: 308 as const }]
    const domains = { primary: 'www.keep.test', redirects }
    await deploy(tools.db, tools.hosting, keeper.project, { title: 'Before', description: 'Kept', domains })
    const deploys = () => tools.db.deploy.findMany({ where: { projectId }, orderBy: { id: 'asc' } })
    const page = await opened.open('/dashboard/settings/addresses', keeper.secret)
    const redirect = page.getByRole('combobox', { name: 'keep.test', exact: true })

    await redirect.selectOption('Serves this project (no redirect)')
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await redirect.inputValue()).toBe('www.keep.test')
    await page.getByText('Nothing to publish.').waitFor()
    await page.getByRole('link', { name: 'Deploys' }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('After')
    await dialog.getByRole('button', { name: 'Check only' }).click()
    await dialog.getByText('No problems found').waitFor()
    expect((await deploys()).length).toBe(1)
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText(/is in service\.$/).waitFor()

    const [first, second] = (await deploys()).map(({ configuration }) => configuration)
    expect(second).toEqual({ ...(first as object), title: 'After' })
    await page.context().close()
  })

  it('domains in every state pass axe, light and dark, wide and narrow, with menus and dialogs', async () => {
    for (const look of looks) {
      const page = await opened.open('/dashboard/settings/domains', owner.secret, look)
      await page.getByRole('article', { name: 'crate.paws.example' }).waitFor()
      for (const name of ['biscuit.example', 'menu.paws.example', 'crate.paws.example'])
        await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await page.getByRole('button', { name: 'Actions for www.paws.example' }).click()
      expect(await findFaults(page)).toEqual([])
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await page.getByRole('dialog').waitFor()
      expect(await findFaults(page)).toEqual([])
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: 'Add domain', exact: true }).click()
      await page.getByRole('dialog').waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.context().close()
    }
  })

  it('the page of deploys passes axe with a failed deploy in its list', async () => {
    for (const look of looks) {
      const page = await opened.open('/dashboard/deploys', owner.secret, look)
      await page.getByText('Failed', { exact: true }).filter({ visible: true }).waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)

      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      await page.getByRole('dialog').waitFor()
      expect(await findFaults(page)).toEqual([])
      await page.context().close()
    }
  })
})
