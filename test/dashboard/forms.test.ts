import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-key-of-the-forms-tests-000'
/** Words of the API that the dashboard must not show. */
const wire = /categoryId|expiresAt|requestsPer|input\.|must (be|hold)|int64|2\^63|\bstring\b|\bslug must\b/

describeInBrowser('forms', { env: { OPERATOR_KEY: operatorKey } }, opened => {
  let owner: TestProject
  beforeAll(async () => {
    owner = await opened.app.makeProject({ plan: 'pro' })
  })
  const said = async (page: Page, words: Record<string, string>) => {
    const dialog = page.getByRole('dialog')
    await dialog.getByText(Object.values(words)[0] ?? '').waitFor()
    for (const [label, sentence] of Object.entries(words)) {
      const field = dialog.locator('.field', { has: page.getByLabel(label, { exact: true }) })
      expect(await field.locator('.error').textContent()).toBe(sentence)
    }
    expect(await dialog.textContent()).not.toMatch(wire)
    expect(await findFaults(page)).toEqual([])
  }

  it('the search for pets takes at most 100 characters, and the form of a pet says what to enter in its name and category', async () => {
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByLabel('Search by name').focus()
    await page.keyboard.insertText('x'.repeat(101))
    expect(await page.getByLabel('Search by name').inputValue()).toHaveLength(100)
    await page.getByRole('button', { name: 'Add pet' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add pet' }).click()
    await said(page, {
      Name: 'Enter a name of at most 255 characters.',
      Category: 'Enter the number of a category, such as 7.',
    })
    await page.context().close()
  })

  it('the form of a key says what to enter', async () => {
    const page = await opened.open('/dashboard/keys', owner.secret)
    await page.getByRole('button', { name: 'Issue key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('pets:read').uncheck()
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await dialog.getByText('Choose at least one of these.').waitFor()
    await said(page, { Name: 'Enter a name of at most 100 characters.' })
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: /^Actions for the key/ }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('x'.repeat(101))
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await said(page, { Name: 'Enter a name of at most 100 characters.' })
    await page.context().close()
  })

  it('the forms of a deploy and of a domain say what to enter, and a form that cannot be loaded can be closed or tried again', async () => {
    const page = await opened.open('/dashboard/deploys', owner.secret)
    const publish = page.getByRole('button', { name: 'Publish the project' })
    const dialog = page.getByRole('dialog')
    await publish.waitFor()
    await page.route('**/graphql', route => route.abort())
    await publish.click()
    await dialog.getByText('No connection').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await publish.click()
    await dialog.getByText('No connection').waitFor()
    await page.unroute('**/graphql')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByLabel('Title').fill('x'.repeat(101))
    await dialog.getByLabel('Description').fill('x'.repeat(1001))
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await said(page, {
      Title: 'Enter a title of at most 100 characters, or none.',
      Description: 'Enter a description of at most 1,000 characters, or none.',
    })
    await dialog.getByLabel('Title').fill('Paws')
    await dialog.getByLabel('Description').fill('')
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Project settings' }).click()
    await page.getByRole('button', { name: 'Add domain' }).click()
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    await said(page, { Domain: 'Enter the domain, such as shop.example.com.' })
    await dialog.getByLabel('Domain', { exact: true }).fill('shop_one.paws.test')
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    await said(page, { Domain: 'The domain has an underscore, which no web host may have.' })
    await dialog.getByLabel('Domain', { exact: true }).fill('shop.paws.test')
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Added shop.paws.test.').waitFor()
    await page.getByRole('button', { name: 'Add domain' }).click()
    await dialog.getByLabel('Domain', { exact: true }).fill('https://Shop.Paws.test/path')
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('The project has shop.paws.test already.').waitFor()
    await page.context().close()
  })

  it('the form of a project says what to enter for the project and its plan', async () => {
    const page = await opened.open('/dashboard/', operatorKey)
    await page.getByRole('button', { name: 'Create project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('x'.repeat(101))
    await dialog.getByLabel('Plan').selectOption('enterprise')
    await dialog.getByLabel('Requests a minute').fill('99999999999')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await said(page, {
      Slug: 'Enter 3 to 40 lower-case letters, digits and single hyphens between them, beginning with a letter.',
      Name: 'Enter a name of at most 100 characters, or leave it empty.',
      'Requests a minute': 'Enter a whole number, at least 1.',
    })

    await dialog.getByLabel('Slug').fill(owner.project.slug)
    await dialog.getByLabel('Name').fill('')
    await dialog.getByLabel('Requests a minute').fill('10')
    await dialog.getByLabel('Requests a day').fill('5')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await said(page, { 'Requests a day': 'Enter a whole number, at least the requests a minute.' })
    await dialog.getByLabel('Requests a day').fill('1,000')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await said(page, {
      Slug: `There is a project ${owner.project.slug} already. Choose another slug.`,
    })
    await page.context().close()
  })
})
