import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'

describeInBrowser('the reference', {}, opened => {
  it('has no finding, light and dark, wide and narrow, with everything opened', async () => {
    for (const look of [
      { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const page = await opened.open('/reference', null, look)
      await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')

      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    }
  })

  it('tries an operation with the reader’s own key, exact to the last digit', async () => {
    const project = await opened.app.makeProject()
    const page = await opened.open('/reference#createPet')
    const form = page.locator('#createPet')
    await form.getByText('Try it').click()
    await form.getByLabel('Body').fill('{"name":"Tried","categoryId":9223372036854775807}')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.locator('.outcome').getByText('"unauthorized"').waitFor()

    await page.getByLabel('Your API key').fill(project.secret)
    await form.getByRole('button', { name: 'Send' }).click()

    await form.locator('.outcome').getByText('"categoryId": 9223372036854775807').waitFor()
    expect(await findFaults(page)).toEqual([])
  })

  it('links the same operations of REST and GraphQL to each other', async () => {
    const page = await opened.open('/reference')

    await page.locator('#listPets').getByRole('link', { name: 'pets', exact: true }).click()
    expect(new URL(page.url()).hash).toBe('#graphql-Query-pets')
    await page.locator('#graphql-Query-pets').getByRole('link', { name: 'GET /pets' }).click()
    expect(new URL(page.url()).hash).toBe('#listPets')
  })

  it('leads nowhere with none of its links', async () => {
    const page = await opened.open('/reference')

    const dead = await page.evaluate(`
      [...document.querySelectorAll('a[href^="#"]')].map(link => link.hash.slice(1)).filter(id => !document.getElementById(id))
    `)

    expect(dead).toEqual([])
  })

  it('needs nothing from anywhere else', async () => {
    const { text, headers } = await ask(`${opened.app.url}/reference`)

    expect(text).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)=/)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })
})
