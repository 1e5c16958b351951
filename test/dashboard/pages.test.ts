import { beforeAll, expect, it } from 'vitest'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-key-of-the-dashboard-tests'

describeInBrowser('the dashboard', { env: { OPERATOR_KEY: operatorKey } }, opened => {
  let owner: TestProject
  const open = (path: string, key: string | null = owner.secret, options = {}) =>
    opened.open(`/dashboard${path}`, key, options)

  beforeAll(async () => {
    owner = await opened.app.makeProject()
    for (let i = 1; i <= 25; i++)
      await owner.post('/v1/pets', { name: `Pet ${i}`, categoryId: 7, status: 'available' })
  })

  it('sign-in refuses a wrong key with a sentence, and accepts a right one until sign-out', async () => {
    const page = await open('/', null)
    for (const key of ['as_nonsense', 'as_1a2b…']) {
      await page.getByLabel('API key').fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('No such key').waitFor()
    }
    expect(await findFaults(page)).toEqual([])

    await page.getByLabel('API key').fill(owner.secret)
    await page.getByLabel('API key').press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(page.url()).not.toContain('as_')
    expect(await page.context().cookies()).toEqual([])

    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.getByLabel('API key').waitFor()
    expect(await page.evaluate(`sessionStorage.getItem('animal-store.key')`)).toBeNull()
  })

  it('a page says which scope the key lacks instead of failing', async () => {
    const stranger = await owner.issueKey(['pets:read'])
    const refused = await open('/', stranger.secret)
    await refused.getByText('lacks the scope project:read').waitFor()

    const onlooker = await owner.issueKey(['project:read'])
    const page = await open('/pets', onlooker.secret)
    await page.getByText('You don’t have access to pets').waitFor()
    expect(await page.getByRole('button', { name: 'Add pet' }).getAttribute('aria-disabled')).toBe('true')
    expect(await findFaults(page)).toEqual([])
  })

  it('the dashboard can be used with the keyboard alone', async () => {
    const page = await open('/')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    const outlined = () => page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')

    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the content')
    for (let i = 0; i < 5; i++) await page.keyboard.press('Tab')
    expect(await focused()).toContain('API keys')
    expect(await outlined()).toBe('solid')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    expect(await focused()).toBe('API keys')

    const menu = page.getByRole('button', { name: /^Actions for the key/ }).first()
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Rename')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.ariaLabel')).toContain('Actions for the key')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('the pets page shows pets page by page, and filters them', async () => {
    const page = await open('/pets')
    await page.getByRole('rowheader', { name: 'Pet 20', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('rowheader', { name: 'Pet 25' }).waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByRole('rowheader', { name: 'Pet 1', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Sold' }).click()
    await page.getByText('No sold pets').waitFor()
    expect(await findFaults(page)).toEqual([])
  })

  it('the form of a new pet shows each error beside its field, and adds the pet once they are corrected', async () => {
    const page = await open('/pets')
    await page.getByRole('button', { name: 'Add pet' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add pet' })
    await dialog.getByRole('button', { name: 'Add pet' }).click()
    await dialog.locator('.error').first().waitFor()
    expect(await dialog.locator('.error').allTextContents()).toEqual([
      'Enter a name of at most 255 characters.',
      'Enter the number of a category, such as 7.',
    ])
    expect(await findFaults(page)).toEqual([])

    await dialog.getByLabel('Name').fill('Nimbus')
    await dialog.getByLabel('Category').fill('9223372036854775807')
    await dialog.getByRole('button', { name: 'Add pet' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { json } = await owner.get('/v1/pets?limit=100')
    expect(json).toContainEqual(expect.objectContaining({ name: 'Nimbus', categoryId: 9223372036854775807n }))
  })

  it('an operator sees every project and changes a plan', async () => {
    const page = await open('/', operatorKey)
    await page.getByRole('button', { name: 'Create project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Slug').fill('X')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await dialog.locator('.error').waitFor()
    await dialog.getByLabel('Slug').fill('happy-paws')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    const secret = await page.getByLabel('The new API key').textContent()
    await page.getByLabel('I’ve saved this key somewhere safe').check()
    await page.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Actions for happy-paws' }).click()
    await page.getByRole('menuitem', { name: 'Set plan' }).click()
    await page.getByRole('dialog').getByLabel('Plan').selectOption('business')
    await page.getByRole('button', { name: 'Set plan' }).click()
    // Look only at the row of happy-paws, because other projects already have this plan.
    await page
      .getByRole('row')
      .filter({ hasText: 'happy-paws' })
      .getByRole('cell', { name: 'business' })
      .waitFor()
    expect(await findFaults(page)).toEqual([])

    const theirs = await open('/settings/general', secret)
    await theirs.getByText('1,000 a minute').waitFor()
  })

  it('the project settings choose what happens to leaked keys, and a key that only reads sees the choice', async () => {
    const page = await open('/settings/general', owner.secret)
    const choice = page.getByLabel('What happens to leaked keys')
    expect(await choice.inputValue()).toBe('revoke_writing')

    await choice.selectOption('rotate')
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByText('Leaked keys: Rotate').waitFor()
    expect(await findFaults(page)).toEqual([])
    const { json } = await owner.post('/graphql', { query: '{ project { leakedKeys } }' })
    expect(json).toEqual({ data: { project: { leakedKeys: 'rotate' } } })
    const reader = await owner.issueKey(['project:read'])
    const theirs = await open('/settings/general', reader.secret)
    await theirs.getByText('Rotate: the key works for another day.').waitFor()
    expect(await theirs.getByLabel('What happens to leaked keys').count()).toBe(0)
  })

  it('choosing what happens to leaked keys with the arrow keys saves only the last choice', async () => {
    const shop = await opened.app.makeProject()
    const page = await open('/settings/general', shop.secret)
    const choice = page.getByLabel('What happens to leaked keys')
    await choice.waitFor()
    let saved = 0
    page.on('request', request => {
      if (request.postData()?.includes('SetLeakedKeys')) saved++
    })

    await choice.focus()
    for (const each of ['revoke', 'rotate', 'tell']) {
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => choice.inputValue()).toBe(each)
    }
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SELECT')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')

    await page.getByText('Leaked keys: Only notify').waitFor()
    expect(saved).toBe(1)
  })
})
