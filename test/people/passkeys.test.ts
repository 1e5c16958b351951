import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invite } from '../../src/core/people/invitations.ts'
import { addPasskey } from '../../src/core/people/passkeys.ts'
import { beginSession } from '../../src/core/people/sessions.ts'
import { hasChromium, openBrowser, openTab } from '../support/browser.ts'
import { movableClock } from '../support/clock.ts'
import { addAuthenticator, sessionCalls } from '../support/passkeys.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

describe.skipIf(!hasChromium)('passkeys', { timeout: 90_000 }, () => {
  const clock = movableClock()
  let app: App
  let store: TestProject
  let browser: Browser
  let url: string
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startApp({ clock }), openBrowser()])
    store = await app.makeProject()
    url = app.tools.config.publicUrl
  })
  afterAll(async () => {
    await browser?.close()
    await app?.stop()
  })

  /** Opens a page with a virtual authenticator, signed in as a new member. */
  async function openPage(): Promise<Page> {
    const page = await openTab(browser, null)
    await page.goto(`${url}/healthz`)
    await addAuthenticator(page)
    await page.evaluate(sessionCalls)
    const { secret } = await invite(app.tools.db, clock, store.project, { role: 'viewer', invitedBy: null })
    await page.evaluate(`post('/invitation', { secret: '${secret}', name: 'Ada' })`)
    return page
  }
  type Sent = { status: number; json: { code?: string } }
  const run = (page: Page, script: string) => page.evaluate<Sent>(`(async () => { ${script} })()`)
  const add = (page: Page) =>
    run(page, `return post('/passkeys', { name: 'Laptop', response: await make() }, await token())`)

  it('a person has at most 20 passkeys, even if several are added at once', async () => {
    const { db } = app.tools
    const { id: personId } = await db.person.create({ data: { name: 'Ada', createdAt: new Date() } })
    const { session } = await beginSession(db, clock, personId, 'Firefox on Linux')
    const addOne = (n: number) =>
      addPasskey(
        db,
        clock,
        { id: personId, sessionId: session.id },
        {
          ...{
            id: `${personId}-${n}`,
            name: 'Key',
            publicKey: new Uint8Array(1),
            counter: 0n,
            transports: [],
          },
        },
      )
    for (let n = 0; n < 18; n++) await addOne(n)

    const added = await Promise.allSettled([18, 19, 20, 21].map(addOne))

    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(added.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'precondition_failed' },
    })
  })

  it('a person adds a passkey and signs in with it without entering a name', async () => {
    const page = await openPage()

    expect(await add(page)).toEqual({ status: 200, json: {} })
    const stored = await app.tools.db.passkey.findFirstOrThrow({ where: { name: 'Laptop' } })
    await page.context().clearCookies()
    expect((await run(page, `return post('/token')`)).status).toBe(401)
    expect((await run(page, `return post('/passkey', { response: await sign() })`)).status).toBe(200)
    const token = await run(page, `return post('/token')`)
    expect(token).toMatchObject({ status: 200, json: { project: store.project.slug, role: 'viewer' } })
    const sessions = await app.tools.db.session.findMany({
      where: { personId: stored.personId },
      orderBy: { id: 'asc' },
    })
    expect(sessions.map(({ byPasskey }) => byPasskey)).toEqual([false, true])
    const used = await app.tools.db.passkey.findUniqueOrThrow({ where: { id: stored.id } })
    expect(used.lastUsedAt).not.toBeNull()
    await page.context().close()
  })

  it('an authenticator’s answer works once, within five minutes, and for its purpose only', async () => {
    const page = await openPage()
    await add(page)

    const twice = await run(
      page,
      `const response = await sign()
       return { status: (await post('/passkey', { response })).status, json: await post('/passkey', { response }) }`,
    )
    expect(twice).toMatchObject({ status: 200, json: { status: 401 } })
    const made = await run(
      page,
      `const response = await sign()
       return post('/passkeys', { name: 'Other', response }, await token())`,
    )
    expect(made.status).toBe(401)
    await page.evaluate(`sign().then(response => { window.late = response })`)
    await page.waitForFunction('window.late')
    clock.advance(5 * 60_000)
    expect((await run(page, `return post('/passkey', { response: late })`)).status).toBe(401)
    await page.context().close()
  })

  it.each([
    ['a text with a NUL', `['usb', '\\u0000']`, ['usb']],
    ['no list', '{}', []],
    ['a long list', `Array(2_000).fill('internal')`, ['internal']],
  ])('of the transports that a browser sends, only known ones are stored: %s', async (_, sent, stored) => {
    const page = await openPage()

    const { status } = await run(
      page,
      `const made = await make()
       const response = { ...made, response: { ...made.response, transports: ${sent} } }
       return post('/passkeys', { name: 'Odd', response }, await token())`,
    )

    expect(status).toBe(200)
    const newest = await app.tools.db.passkey.findFirst({
      where: { name: 'Odd' },
      orderBy: { createdAt: 'desc' },
    })
    expect(newest?.transports).toEqual(stored)
    await app.tools.db.passkey.deleteMany({ where: { name: 'Odd' } })
    await page.context().close()
  })

  it('a challenge that the service did not make is refused', async () => {
    const page = await openPage()
    await add(page)

    const answer = await run(
      page,
      `return post('/passkey', { response: await sign({ challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }) })`,
    )

    expect([answer.status, answer.json.code]).toEqual([401, 'unauthorized'])
    await page.context().close()
  })

  it('a person cannot add a passkey with the challenge of another person', async () => {
    const [ada, eve] = [await openPage(), await openPage()]
    const made = await ada.evaluate('make()')

    const answer = await run(
      eve,
      `return post('/passkeys', { name: 'Taken', response: ${JSON.stringify(made)} }, await token())`,
    )

    expect(answer.status).toBe(401)
    await Promise.all([ada.context().close(), eve.context().close()])
  })

  it('malformed answers of an authenticator are refused and not logged as bugs', async () => {
    const page = await openPage()

    const statuses = await page.evaluate<number[]>(`(async () => {
      const answers = [null, {}, 7, { id: 'x' }, { id: 'x', response: { clientDataJSON: '????' } },
        { id: 'x', response: { clientDataJSON: btoa('{"challenge":7}') } }]
      const sent = []
      for (const response of answers) sent.push((await post('/passkey', { response })).status)
      return sent
    })()`)

    expect(statuses).toEqual([401, 401, 401, 401, 401, 401])
    await page.context().close()
  })
})
