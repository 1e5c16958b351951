import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { furnishDomains } from '../support/domain-states.ts'
import { furnishUse } from '../support/month-of-use.ts'
import { collectData, findTextFaults } from '../support/page-texts.ts'
import { buildPseudoLanguage } from '../support/pseudo-language.ts'
import { accent } from '../support/pseudo-texts.ts'
import type { TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-key-of-the-pseudo-language'
const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

describeInBrowser('in the pseudo-language', { env: { OPERATOR_KEY: operatorKey } }, opened => {
  let owner: TestProject
  let language: Awaited<ReturnType<typeof buildPseudoLanguage>>
  let petId: number
  let orderId: number
  let webhookId: string
  beforeAll(async () => {
    language = await buildPseudoLanguage()
    const { tools, makeProject } = opened.app
    owner = await makeProject({ plan: 'pro' })
    const { project } = owner
    await furnishUse(tools, project.id, [(await owner.issueKey()).keyId])
    const post = async (path: string, body: object) =>
      (await owner.post(path, body)).json as { id: number & string }
    await owner.post('/graphql', {
      query: 'mutation { categorySet(input: { id: "category_7", name: "Γάτες" }) { category { id } } }',
    })
    for (let n = 1; n <= 25; n++)
      petId = (await post('/v1/pets', { name: `Ρέξ ${n}`, categoryId: 7, status: 'available' })).id
    await owner.patch(`/v1/pets/${petId}`, { name: 'Φλόξα', status: 'available' })
    orderId = (await post('/v1/store/orders', { petId, reference: '77', note: 'Σήμερα' })).id
    webhookId = (await post('/v1/webhooks', { url: 'https://hooks.paws.example/in' })).id
    await furnishDomains(tools, project)
    await deploy(tools.db, tools.hosting, project, { title: 'Κατάστημα' })
    await deploy(tools.db, tools.hosting, project, { domains: { primary: 'nobody.example.net' } })
  }, 90_000)
  afterAll(() => language?.remove())

  const open = async (path: string, key: string | null = owner.secret, look: object = looks[0]) => {
    const page = await opened.open('/livez', key, { ...look, locale: 'ar-EG' })
    await language.serve(page)
    const data = collectData(page)
    await page.goto(`${opened.app.url}/dashboard${path}`)
    await page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first().waitFor()
    await page.waitForLoadState('networkidle')
    return { page, data }
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name: accent(name), exact: true })
  const isFaultless = async ({ page, data }: Awaited<ReturnType<typeof open>>) => {
    await page.waitForLoadState('networkidle')
    expect(await findFaults(page)).toEqual([])
    expect(await findTextFaults(page, data)).toEqual([])
    expect(await overflow(page)).toBe(0)
  }

  it.each([
    '/',
    '/?span=24h',
    '/pets',
    '/pets/categories',
    '/orders',
    '/keys',
    '/deploys',
    '/settings/domains',
    '/settings/addresses',
    '/settings/general',
    '/settings/members',
    '/settings/webhooks',
    '/settings/activity',
    '/nowhere',
  ])('%s has no other text, cuts nothing off and passes axe, wide and narrow', async path => {
    for (const look of looks) {
      const tab = await open(path, owner.secret, look)
      await isFaultless(tab)
      await tab.page.context().close()
    }
  })

  it.each([
    '/pets?do=add',
    '/pets?do=import',
    '/pets?do=export',
    '/orders?do=add',
    '/keys?do=add',
    '/deploys?do=add',
    '/settings/domains?do=add',
    '/settings/webhooks?do=add',
  ])('the dialog of %s has no other text, cuts nothing off and passes axe', async path => {
    for (const look of looks) {
      const tab = await open(path, owner.secret, look)
      await tab.page.getByRole('dialog').waitFor()
      await isFaultless(tab)
      await tab.page.context().close()
    }
  })

  it('the page of a pet, an order or a key, and of a missing one, has no other text and passes axe', async () => {
    for (const path of [
      `/pets/${petId}`,
      `/orders/${orderId}`,
      `/keys/${owner.keyId}`,
      `/settings/webhooks/${webhookId}`,
      '/deploys/1',
      '/settings/domains/1',
      '/pets/4040404',
      '/pets?name=404',
      '/keys?search=404',
    ]) {
      const tab = await open(path)
      await isFaultless(tab)
      await tab.page.context().close()
    }
  })

  it('the pages for a missing permission, a failing service and signing in have no other text and pass axe', async () => {
    const narrow = await owner.issueKey(['project:read'])
    for (const path of ['/pets', '/orders', '/settings/webhooks']) {
      const tab = await open(path, narrow.secret)
      await isFaultless(tab)
      await tab.page.context().close()
    }
    for (const path of ['/', '/invitation#nonsense']) {
      const tab = await open(path, null)
      await isFaultless(tab)
      await tab.page.context().close()
    }
    const tab = await open('/pets')
    await tab.page.route('**/graphql', route => route.abort())
    await tab.page.getByRole('link', { name: accent('Orders'), exact: true }).click()
    await button(tab.page, 'Try again').waitFor()
    await isFaultless(tab)
    await tab.page.context().close()
  })

  it('the palette, the shortcuts, menus, toasts and a new key have no other text and pass axe', async () => {
    const tab = await open('/pets')
    const { page } = tab
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await isFaultless(tab)
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.getByRole('dialog').getByRole('combobox').fill('Ρέξ')
    await page.getByRole('option').nth(2).waitFor()
    await isFaultless(tab)
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox').nth(1).check()
    await page.getByRole('checkbox').nth(2).check()
    await isFaultless(tab)
    await button(page, 'Delete').click()
    await button(page, 'Undo').waitFor()
    await isFaultless(tab)
    await button(page, 'Undo').click()

    await page.goto(`${opened.app.url}/dashboard/keys?do=add`)
    await page.getByRole('textbox').first().fill('Κλειδί')
    await page.getByRole('dialog').getByRole('button').last().click()
    await page.getByRole('dialog').locator('output').waitFor()
    await isFaultless(tab)
    await page.context().close()
  })

  it('the pages of an operator have no other text and pass axe', async () => {
    const { slug } = owner.project
    for (const path of [
      '/',
      '/domains',
      '/activity',
      `/projects/${slug}/`,
      `/projects/${slug}/settings/members`,
    ]) {
      const tab = await open(path, operatorKey)
      await isFaultless(tab)
      await tab.page.context().close()
    }
  })

  it('in English too, dates and numbers are those of the reader’s language, region and time zone', async () => {
    const { json } = await owner.get(`/v1/store/orders/${orderId}`)
    const { placedAt } = json as { placedAt: string }
    const timeZone = 'Pacific/Auckland'
    const spelled = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'short', timeZone })
    const reader = { locale: 'de-DE', timezoneId: timeZone }
    const page = await opened.open(`/dashboard/orders/${orderId}`, owner.secret, reader)
    await page
      .getByText(spelled.format(new Date(placedAt)))
      .first()
      .waitFor()
    await page.goto(`${opened.app.url}/dashboard/`)
    await page.getByText(/^of \d{1,3}(\.\d{3})+ requests$/).waitFor()
    await page.context().close()
  })
})
