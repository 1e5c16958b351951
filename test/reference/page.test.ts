import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'

describeInBrowser('the reference', {}, opened => {
  it.each([
    '/reference',
    '/reference/guides/events-and-webhooks',
    '/reference/categories',
    '/reference/graphql',
    '/reference/error-codes',
  ])('%s passes axe, light and dark, wide and narrow, fully expanded', async path => {
    for (const look of [
      { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const page = await opened.open(path, null, look)
      await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')

      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    }
  })

  it('an operation that a reader tries in the reference is sent with the reader’s key, and large numbers keep every digit', async () => {
    const project = await opened.app.makeProject()
    const page = await opened.open('/reference/animals#createPet')
    const form = page.locator('#createPet')
    await form.getByText('Try it').click()
    await form.getByLabel('Body').fill('{"name":"Tried","categoryId":9223372036854775807}')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.locator('.outcome').getByText('"unauthorized"').waitFor()

    await page.getByLabel('Your API key').fill('as_4fTq8ZxW…')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('The API key has a character that no header can carry.').waitFor()

    await page.getByLabel('Your API key').fill(project.secret)
    await form.getByRole('button', { name: 'Send' }).click()

    await form.locator('.outcome').getByText('"categoryId": 9223372036854775807').waitFor()
    expect(await findFaults(page)).toEqual([])
  })

  it('the reference starts with the dashboard’s key as the reader’s key, and never changes the dashboard’s key', async () => {
    const page = await opened.open('/reference', 'as_dashboard')
    const field = page.getByLabel('Your API key')
    expect(await field.inputValue()).toBe('as_dashboard')

    for (const typed of ['x', '']) {
      await field.fill(typed)
      await page.reload()
      expect(await field.inputValue()).toBe(typed)
      expect(await page.evaluate(`sessionStorage.getItem('animal-store.key')`)).toBe('as_dashboard')
    }
  })

  it('an operation of REST and the matching operation of GraphQL link to each other', async () => {
    const page = await opened.open('/reference/animals')

    await page.locator('#listPets').getByRole('link', { name: 'pets', exact: true }).click()
    await page.waitForURL('**/reference/graphql#graphql-Query-pets')
    await page.locator('#graphql-Query-pets').getByRole('link', { name: 'GET /pets' }).click()
    await page.waitForURL('**/reference/animals#listPets')
  })

  it('every link of every page of the reference has a target', async () => {
    const ids = new Map<string, string[]>()
    const links: string[] = []
    const pages = ['/reference']
    for (const path of pages) {
      const { status, text } = await ask(`${opened.app.url}${path}`)
      expect([path, status]).toEqual([path, 200])
      ids.set(
        path,
        [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id),
      )
      const found = [...text.matchAll(/href="((?:\/reference[^"#]*)?#[^"]+|\/reference[^"#]*)"/g)]
      for (const [, to = ''] of found) {
        const [other = '', id = ''] = to.split('#')
        const target = other || path
        links.push(`${target}#${id}`)
        if (!pages.includes(target)) pages.push(target)
      }
    }

    const dead = links.filter(link => {
      const [path = '', id = ''] = link.split('#')
      return id !== '' && !ids.get(path)?.includes(id)
    })
    expect(dead).toEqual([])
    expect(pages.length).toBeGreaterThan(18)
  })

  it('a link to a section of the former single page of the reference leads to the new page of the section', async () => {
    const page = await opened.open('/reference#createPet')

    await page.waitForURL('**/reference/animals#createPet')
  })

  it('a sample is copied with the reader’s key, in the language chosen once for the page', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const page = await opened.open('/reference/animals', null, { permissions })
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    await page.getByLabel('Your API key').fill('as_mine')
    await page.locator('#createPet').getByRole('button', { name: 'Python' }).click()
    await page.locator('#listPets').getByRole('button', { name: 'Copy' }).click()
    await page.locator('#listPets').getByRole('button', { name: 'Copied' }).waitFor()

    expect(await clipboard()).toContain('from urllib.request import')
    expect(await clipboard()).toContain('Bearer as_mine')
    expect(await page.locator('#listPets pre[data-language="Python"]').innerText()).toContain('as_...')
    await page.locator('#createPet .anchor').first().click()
    await expect.poll(clipboard).toBe(`${opened.app.url}/reference/animals#createPet`)

    await page.reload()
    expect(await page.locator('#createPet .samples pre:visible').getAttribute('data-language')).toBe('Python')

    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const button = page.locator('#listPets .copy')
    for (const typed of ['as_first', 'as_second']) {
      await page.getByLabel('Your API key').fill(typed)
      await button.click()
      await expect.poll(clipboard).toContain(`Bearer ${typed}`)
      await expect.poll(() => button.textContent()).toBe('Copied')
    }
    const labelLater = async () => {
      await page.clock.runFor(2_000)
      return button.textContent()
    }
    await expect.poll(labelLater).toBe('Copy')
  })

  it('the search of the reference is usable with the keyboard alone, even if the address has an invalid percent-encoding', async () => {
    const page = await opened.open('/reference#100%')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('retry')
    await page.locator('#found').getByRole('link').first().waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('createpet')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')

    await page.waitForURL('**/reference/animals#createPet')
    expect(await page.locator('#found').isVisible()).toBe(false)
    await page.keyboard.press('/')
    await page.getByLabel('Search', { exact: true }).fill('xyzzy')
    await page.getByText('Nothing found.').waitFor()
  })

  it.each<[string, (route: Route) => Promise<void>]>([
    ['no answer', route => route.abort()],
    ['503', route => route.fulfill({ status: 503, json: { code: 'unavailable' } })],
  ])('a search that cannot load its index (%s) says so, and the next letter tries again', async (_, fail) => {
    const page = await opened.open('/reference')
    await page.route('**/reference/search.json', fail)
    await page.getByLabel('Search', { exact: true }).fill('retr')
    await page.getByText('The search cannot be loaded now. Keep typing to try again.').waitFor()
    await page.unroute('**/reference/search.json')

    await page.getByLabel('Search', { exact: true }).fill('retry')

    await page.locator('#found').getByRole('link').first().waitFor()
  })

  it.each(['animals', 'all'])('the menu of /reference/%s marks the current section', async slug => {
    const page = await opened.open(`/reference/${slug}#createPet`)
    const here = page.locator('.menu a[aria-current="location"]')
    await expect.poll(() => here.getAttribute('href')).toBe('#createPet')

    await page.evaluate("document.getElementById('deletePet').scrollIntoView()")

    await expect.poll(() => here.getAttribute('href')).toBe('#deletePet')
    expect(await here.isVisible()).toBe(true)
  })

  it('"Try it" shows its request over REST and GraphQL, with only the prefix of the key', async () => {
    const project = await opened.app.makeProject()
    const page = await opened.open('/reference/graphql-mutations#graphql-Mutation-petCreate')
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

  it('the reference collapses the errors of an operation, and shows the text of a page above the menu on a phone', async () => {
    const page = await opened.open('/reference/animals', null, { viewport: { width: 390, height: 800 } })
    const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN

    expect(await page.locator('#createPet').getByText('There is no such').count()).toBe(0)
    expect(await page.locator('#createPet').getByText('Errors: 400').isVisible()).toBe(true)
    expect(await top('main h2')).toBeLessThan(await top('.menu'))
    await page.getByRole('link', { name: 'Contents' }).click()
    await expect.poll(() => top('.menu')).toBeLessThan(800)
  })

  it.each([
    ['/reference', 24],
    ['/reference/animals', 36],
    ['/reference/graphql-mutations', 36],
    ['/reference/search.json', 60],
    ['/reference/all', 110],
  ])('%s takes less than %i KB to load', async (path, most) => {
    const { headers } = await fetch(opened.app.url + path, { headers: { 'Accept-Encoding': 'gzip' } })

    expect(headers.get('content-encoding')).toBe('gzip')
    expect(Number(headers.get('content-length'))).toBeLessThan(most * 1024)
  })

  it('each page has Markdown for agents, and llms.txt lists all of them', async () => {
    const { text, headers } = await ask(`${opened.app.url}/llms.txt`)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const origin = opened.app.tools.config.publicUrl
    const listed = [...text.matchAll(/\]\((\S+)\)/g)].map(([, address = '']) => address)
    expect(listed).toContain(`${origin}/reference/guides/pagination.md`)

    for (const address of listed) {
      const answer = await ask(address.replace(origin, opened.app.url))
      expect([address, answer.status]).toEqual([address, 200])
    }
    const animals = await ask(`${opened.app.url}/reference/animals.md`)
    expect(animals.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(animals.text).toContain('`POST /pets`')
    expect(animals.text).not.toMatch(/<\w+/)
  })

  it('a page that the reference does not have gets a 404', async () => {
    for (const path of ['/reference/nothing', '/reference/start', '/reference/guides'])
      expect([path, (await ask(opened.app.url + path)).status]).toEqual([path, 404])
  })

  it('the reference loads nothing from other hosts', async () => {
    const { text, headers } = await ask(`${opened.app.url}/reference`)

    expect(text).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)=/)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })
})
