import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'

describeInBrowser('the reference', {}, opened => {
  it('the reference passes axe, light and dark, wide and narrow, fully expanded', async () => {
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

  it('an operation is tried with the reader’s key, with exact numbers', async () => {
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

  it('the same operation of REST and GraphQL is linked both ways', async () => {
    const page = await opened.open('/reference')

    await page.locator('#listPets').getByRole('link', { name: 'pets', exact: true }).click()
    expect(new URL(page.url()).hash).toBe('#graphql-Query-pets')
    await page.locator('#graphql-Query-pets').getByRole('link', { name: 'GET /pets' }).click()
    expect(new URL(page.url()).hash).toBe('#listPets')
  })

  it('every link of the reference has a target', async () => {
    const page = await opened.open('/reference')

    const dead = await page.evaluate(`
      [...document.querySelectorAll('a[href^="#"]')].map(link => link.hash.slice(1)).filter(id => !document.getElementById(id))
    `)

    expect(dead).toEqual([])
  })

  it('a sample is copied with the reader’s key, in the language chosen once for the page', async () => {
    const page = await opened.open('/reference', null, { permissions: ['clipboard-read', 'clipboard-write'] })
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    await page.getByLabel('Your API key').fill('as_mine')
    await page.locator('#createPet').getByRole('button', { name: 'Python' }).click()
    await page.locator('#listPets').getByRole('button', { name: 'Copy' }).click()
    await page.locator('#listPets').getByRole('button', { name: 'Copied' }).waitFor()

    expect(await clipboard()).toContain('from urllib.request import')
    expect(await clipboard()).toContain('Bearer as_mine')
    expect(await page.locator('#listPets pre[data-language="Python"]').innerText()).toContain('as_...')
    await page.locator('#createPet .anchor').first().click()
    await expect.poll(clipboard).toBe(`${opened.app.url}/reference#createPet`)

    await page.reload()
    expect(await page.locator('#createPet .samples pre:visible').getAttribute('data-language')).toBe('Python')
  })

  it('the search works by keyboard', async () => {
    const page = await opened.open('/reference')
    await page.keyboard.press('/')
    await page.keyboard.type('retry')
    await page.locator('#found').getByRole('link').first().waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('createpet')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')

    await expect.poll(() => new URL(page.url()).hash).toBe('#createPet')
    expect(await page.locator('#found').isVisible()).toBe(false)
    await page.getByLabel('Search', { exact: true }).fill('xyzzy')
    await page.getByText('Nothing found.').waitFor()
  })

  it('the menu marks the current section', async () => {
    const page = await opened.open('/reference#createPet')
    const here = page.locator('.menu a[aria-current="location"]')
    await expect.poll(() => here.getAttribute('href')).toBe('#createPet')

    await page.evaluate("document.getElementById('errors').scrollIntoView()")

    await expect.poll(() => here.getAttribute('href')).toBe('#errors')
    expect(await here.isVisible()).toBe(true)
  })

  it('"Try it" shows its request over REST and GraphQL, with only the prefix of the key', async () => {
    const project = await opened.app.makeProject()
    const page = await opened.open('/reference#graphql-Mutation-petCreate')
    await page.getByLabel('Your API key').fill(project.secret)
    const form = page.locator('#graphql-Mutation-petCreate')
    await form.getByText('Try it').click()
    await form.getByLabel('Variables').fill('{"input":{"name":"Tried","categoryId":9223372036854775807}}')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByLabel('Request').getByText('POST ').waitFor()
    expect(await form.getByLabel('Request').innerText()).toContain(
      `${opened.app.tools.config.publicUrl}/graphql`,
    )
    expect(await form.getByLabel('Request').innerText()).not.toContain(project.secret)

    await form.getByLabel('Variables').fill('{"input":{"name":"Tried","categoryId":"9223372036854775807"}}')
    await form.getByRole('button', { name: 'Send' }).click()

    await form.getByLabel('Body').getByText('"categoryId": "9223372036854775807"').waitFor()
  })

  it('the contracts can be downloaded from the reference', async () => {
    const page = await opened.open('/reference')
    for (const name of ['openapi.yaml', 'openapi.json', 'schema.graphql']) {
      const link = await page.getByRole('link', { name, exact: true }).first().getAttribute('href')
      const { status, text } = await ask(String(link))
      expect([link, status]).toEqual([`${opened.app.tools.config.publicUrl}/${name}`, 200])
      expect(text).toContain('createPet')
    }
  })

  it('the errors of an operation are collapsed, and a phone shows the text first', async () => {
    const page = await opened.open('/reference', null, { viewport: { width: 390, height: 800 } })
    const top = (selector: string) => page.locator(selector).evaluate(at => at.getBoundingClientRect().top)

    expect(await page.locator('#createPet').getByText('There is no such').count()).toBe(0)
    expect(await page.locator('#createPet').getByText('Errors: 400').isVisible()).toBe(true)
    expect(await top('main h1')).toBeLessThan(await top('.menu'))
    await page.getByRole('link', { name: 'Contents' }).click()
    await expect.poll(() => top('.menu')).toBeLessThan(800)
  })

  it('the reference takes less than 84 KB to load', async () => {
    const { headers } = await ask(`${opened.app.url}/reference`, { headers: { 'Accept-Encoding': 'gzip' } })

    expect(headers['content-encoding']).toBe('gzip')
    expect(Number(headers['content-length'])).toBeLessThan(84 * 1024)
  })

  it('the reference loads nothing from other hosts', async () => {
    const { text, headers } = await ask(`${opened.app.url}/reference`)

    expect(text).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)=/)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })
})
