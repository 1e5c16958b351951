import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findFaults } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { graphqlOf } from '../support/graphql.ts'

describeInBrowser('an owner who is in a hurry', {}, opened => {
  const nameOf = (route: Route) => /(?:query|mutation) (\w+)/.exec(route.request().postData() ?? '')?.[1]
  /** Holds an operation back until the returned function is called. */
  async function hold(page: Page, name: string): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/graphql', async route => {
      if (nameOf(route) === name) await promise
      await route.continue()
    })
    return resolve
  }
  const secretOn = (page: Page) => page.getByLabel('The new API key')
  const issue = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
  }

  it('a new key is shown even if its form was closed before the answer came', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/keys', owner.secret)
    const release = await hold(page, 'IssueApiKey')
    await issue(page, 'Till')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    release()

    await secretOn(page).waitFor()
    expect(await secretOn(page).textContent()).toMatch(/^as_/)
    await page.context().close()
  })

  it('an answer that comes after its form was closed neither closes the next form nor removes its draft', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/pets', owner.secret)
    const dialog = page.getByRole('dialog')
    const close = async () => {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    const add = () => page.getByRole('button', { name: 'Add pet' }).first().click()
    const releasePet = await hold(page, 'CreatePet')
    await add()
    await dialog.getByLabel('Name').fill('Otis')
    await dialog.getByLabel('Category').fill('7')
    await dialog.getByRole('button', { name: 'Add pet' }).click()
    await close()
    await add()
    await dialog.getByLabel('Name').fill('Bela')

    releasePet()

    await page.getByText('Added Otis').waitFor()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Bela')
    await close()
    await add()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Bela')
    await close()

    await page.getByRole('link', { name: 'API keys' }).click()
    const releaseName = await hold(page, 'RenameApiKey')
    await page.getByRole('button', { name: /^Actions for the key/ }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await dialog.getByLabel('Name').fill('Till')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await close()
    await page.getByRole('button', { name: 'Issue key' }).click()
    await dialog.getByLabel('Name').fill('Web shop')

    releaseName()

    await page.getByText(/^Renamed .* Till/).waitFor()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Web shop')
    await page.context().close()
  })

  it('a late answer to a deletion does not lead away from the page that was opened since', async () => {
    const owner = await opened.app.makeProject()
    const { json } = await owner.post('/v1/webhooks', { url: 'https://hooks.paws.example/in' })
    const { id } = json as { id: string }
    // Open the list first: its code is then loaded, so that a late step to the list would be quick.
    const page = await opened.open('/dashboard/settings/webhooks', owner.secret)
    await page.locator(`a[href$="/settings/webhooks/${id}"]`).first().click()
    const release = await hold(page, 'DeleteWebhook')
    await page.getByRole('button', { name: 'Actions for this endpoint' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Pets' }).first().click()
    await page.getByText('The store is empty').waitFor()

    release()

    await page.locator('.toast').getByText('Deleted').waitFor()
    await page.evaluate('new Promise(requestAnimationFrame)')
    expect(new URL(page.url()).pathname).toBe('/dashboard/pets')
    await page.getByText('The store is empty').waitFor()
    await page.context().close()
  })

  it('a pet is added once if its form is closed before the answer and then sent again', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/pets', owner.secret)
    const dialog = page.getByRole('dialog')
    const add = () => page.getByRole('button', { name: 'Add pet' }).first().click()
    const release = await hold(page, 'CreatePet')
    await add()
    await dialog.getByLabel('Name').fill('Otis')
    await dialog.getByLabel('Category').fill('7')
    await dialog.getByRole('button', { name: 'Add pet' }).click()
    await page.keyboard.press('Escape')
    await add()
    await dialog.getByText('Your unsaved changes are back.').waitFor()

    release()

    await page.getByText('Added Otis').waitFor()
    await dialog.getByRole('button', { name: 'Add pet' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await opened.app.tools.db.pet.count({ where: { projectId: owner.project.id } })).toBe(1)
    await page.context().close()
  })

  it('with "Add another", the next name that is typed while a pet is saved stays, and is added next', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/pets', owner.secret)
    const dialog = page.getByRole('dialog')
    const name = dialog.getByLabel('Name')
    const release = await hold(page, 'CreatePet')
    await page.getByRole('button', { name: 'Add pet' }).first().click()
    await dialog.getByLabel('Add another').check()
    await dialog.getByLabel('Category').fill('7')
    await name.fill('Otis')
    await name.press('Enter')
    await name.fill('Bela')

    release()

    await dialog.getByText('Added Otis').waitFor()
    expect(await name.inputValue()).toBe('Bela')
    await name.press('Enter')
    await dialog.getByText('Added Bela').waitFor()
    expect(await name.inputValue()).toBe('')
    await page.context().close()
  })

  it('Back does not close the dialog of a new key, and the browser asks before the tab is closed', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', owner.secret)
    await page.getByRole('link', { name: 'API keys' }).click()
    await issue(page, 'Till')
    await secretOn(page).waitFor()

    await page.goBack()

    await page.getByText(`${owner.project.name} at a glance.`).waitFor()
    expect(await secretOn(page).isVisible()).toBe(true)
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    expect((await asked).type()).toBe('beforeunload')
    await (await asked).dismiss()

    await page.getByLabel('I’ve saved this key somewhere safe').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Issued the key Till.').waitFor()
    await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })])
    await page.context().close()
  })

  it('if a person rotates the key of the session and the key ends at once, the new key stays visible while the page asks for a sign-in', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/keys', owner.secret)
    await page.getByRole('button', { name: /^Actions for the key/ }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page.getByLabel('Keep the old key active').selectOption('Ends at once')
    await page.getByRole('button', { name: 'Rotate' }).click()

    await secretOn(page).waitFor()
    // The page queries again when its tab is shown, for example after a person has opened a password manager.
    await expect
      .poll(async () => {
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        return page.getByText('This key is no longer valid.').isVisible()
      })
      .toBe(true)

    const successor = (await secretOn(page).textContent()) ?? ''
    await page.getByLabel('I’ve saved this key somewhere safe').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByLabel('API key').fill(successor)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('columnheader', { name: 'Key' }).waitFor()
    await page.context().close()
  })

  it('signing out in another tab hides a new key', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/keys', owner.secret)
    await issue(page, 'Till')
    await secretOn(page).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${opened.app.url}/dashboard/`)

    await other.getByRole('button', { name: 'Sign out' }).first().click()

    await secretOn(page).waitFor({ state: 'detached' })
    await page.getByLabel('API key').waitFor()
    await page.context().close()
  })

  it('the dialog to send events again reports a used-up rate limit, and not a wrong event number', async () => {
    const owner = await opened.app.makeProject()
    const { json } = await owner.post('/v1/webhooks', { url: 'https://hooks.paws.example/in' })
    const { id } = json as { id: string }
    const page = await opened.open(`/dashboard/settings/webhooks/${id}`, owner.secret)
    const rewind = async () => {
      await page.getByRole('button', { name: 'Actions for this endpoint' }).click()
      await page.getByRole('menuitem', { name: 'Send events again' }).click()
    }
    const dialog = page.getByRole('dialog')
    await rewind()
    await dialog.getByLabel('After the event with the number').fill('404')
    await dialog.getByRole('button', { name: 'Send again' }).click()
    const wrongNumber = dialog.getByText('Enter the number of an event')
    await wrongNumber.waitFor()

    const extensions = { code: 'rate_limited', status: 429, retryAfterSeconds: 50 }
    await page.route('**/graphql', route =>
      nameOf(route) === 'RewindWebhook'
        ? route.fulfill({
            status: 429,
            json: { errors: [{ message: 'The minute is used up.', extensions }] },
          })
        : route.continue(),
    )
    await dialog.getByLabel('After the event with the number').fill('0')
    await dialog.getByRole('button', { name: 'Send again' }).click()

    await dialog.getByText(/You can try again in \d+ s\./).waitFor()
    expect(await wrongNumber.count()).toBe(0)
    await page.context().close()
  })

  describe('publishing in two tabs', () => {
    const configuration = `title description domains { primary httpsRedirectStatus redirects { from } }`
    const furnish = async () => {
      const owner = await opened.app.makeProject()
      const send = graphqlOf(opened.app, owner)
      const publish = (input: object) =>
        send(`mutation ($input: DeployCreateInput!) { deployCreate(input: $input) { deploy { state } } }`, {
          variables: { input },
        })
      const published = async () =>
        (await send(`{ project { currentDeploy { configuration { ${configuration} } } } }`)).data.project
          .currentDeploy.configuration
      await publish({ title: 'Old' })
      const added = await send(
        `mutation { domainAdd(input: { name: "shop.paws.example" }) { domain { id } } }`,
      )
      expect(added.errors).toEqual([])
      return { owner, publish, published }
    }

    it('if someone publishes a title while address settings are edited, publishing the address settings keeps the new title', async () => {
      const { owner, publish, published } = await furnish()
      const page = await opened.open('/dashboard/settings/addresses', owner.secret)
      await page.getByLabel('Status of redirects').selectOption('301')
      await publish({ title: 'New' })

      await page.getByRole('button', { name: 'Publish' }).click()

      await page.getByText('Published. The addresses are in service.').waitFor()
      expect(await published()).toMatchObject({ title: 'New', domains: { httpsRedirectStatus: 301 } })
      await page.context().close()
    })

    it('unsaved address settings are restored after a visit to another page, and can be discarded', async () => {
      const { owner, published } = await furnish()
      const page = await opened.open('/dashboard/settings/addresses', owner.secret)
      const status = page.getByLabel('Status of redirects')
      await status.selectOption('301')
      await page.getByRole('link', { name: 'Overview' }).click()
      await page.getByText(`${owner.project.name} at a glance.`).waitFor()

      await page.goBack()

      await page.getByText('Your unsaved changes are back.').waitFor()
      expect(await status.inputValue()).toBe('301')
      expect(await findFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Start over' }).click()
      await page.getByText('Nothing to publish.').waitFor()
      expect(await status.inputValue()).toBe('308')
      await status.selectOption('302')
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.getByText('Published. The addresses are in service.').waitFor()
      expect(await published()).toMatchObject({ domains: { httpsRedirectStatus: 302 } })
      await page.reload()
      await page.getByText('Nothing to publish.').waitFor()
      expect(await status.inputValue()).toBe('302')
      await page.context().close()
    })

    it('address settings that are chosen while others are being published stay, and are published next', async () => {
      const { owner, published } = await furnish()
      const page = await opened.open('/dashboard/settings/addresses', owner.secret)
      const status = page.getByLabel('Status of redirects')
      const release = await hold(page, 'Deploy')
      await status.selectOption('301')
      await page.getByRole('button', { name: 'Publish' }).click()
      await status.selectOption('302')

      release()

      await page.getByText('Published. The addresses are in service.').waitFor()
      expect(await status.inputValue()).toBe('302')
      await page.getByRole('button', { name: 'Publish' }).click()
      await expect.poll(published).toMatchObject({ domains: { httpsRedirectStatus: 302 } })
      await page.context().close()
    })

    it('address settings that someone else has published are replaced only after a warning', async () => {
      const { owner, publish, published } = await furnish()
      const page = await opened.open('/dashboard/settings/addresses', owner.secret)
      await page.getByLabel('Status of redirects').selectOption('301')
      await publish({ title: 'Old', domains: { httpsRedirectStatus: 302 } })

      await page.getByRole('button', { name: 'Publish' }).click()

      await page.getByText('Someone else published other addresses').waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await published()).toMatchObject({ domains: { httpsRedirectStatus: 302 } })
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.getByText('Published. The addresses are in service.').waitFor()
      expect(await published()).toMatchObject({ domains: { httpsRedirectStatus: 301 } })
      await page.context().close()
    })

    it('if someone publishes address settings while a title is edited, publishing the title keeps the new address settings', async () => {
      const { owner, publish, published } = await furnish()
      const page = await opened.open('/dashboard/deploys?do=add', owner.secret)
      await page.getByRole('dialog').getByLabel('Title').fill('New')
      await publish({ title: 'Old', domains: { httpsRedirectStatus: 302 } })

      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()

      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await published()).toMatchObject({ title: 'New', domains: { httpsRedirectStatus: 302 } })
      await page.context().close()
    })

    it('a title that someone else publishes while a description is edited is shown with a warning, and not replaced', async () => {
      const { owner, publish, published } = await furnish()
      const page = await opened.open('/dashboard/deploys?do=add', owner.secret)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Description').fill('Pets for all')
      await publish({ title: 'Theirs' })

      await dialog.getByRole('button', { name: 'Publish' }).click()

      await dialog.getByText('Someone else published another title or description').waitFor()
      expect(await findFaults(page)).toEqual([])
      expect(await published()).toMatchObject({ title: 'Theirs', description: null })
      expect(await dialog.getByLabel('Title').inputValue()).toBe('Theirs')
      await dialog.getByRole('button', { name: 'Publish' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(await published()).toMatchObject({ title: 'Theirs', description: 'Pets for all' })
      await page.context().close()
    })
  })
})
