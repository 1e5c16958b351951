import { expect, it } from 'vitest'
import { watchRequests } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { handsOn, showIn } from '../support/dashboard-tour.ts'
import { graphqlOf } from '../support/graphql.ts'
import { findUnseen } from '../support/page-sight.ts'
import { findLayoutFaults } from '../support/page-texts.ts'

const looks = [1280, 360, 320].map(width => ({
  viewport: { width, height: 860 },
  colorScheme: 'light' as const,
}))

describeInBrowser('names as long as the store takes them', {}, opened => {
  it.each([
    ['without a space', 'W'],
    ['from right to left', 'ש'],
  ])(
    'the longest names %s widen no page and no dialog, and nothing is cut off',
    async (_, letter) => {
      const owner = await opened.app.makeProject({ plan: 'pro' })
      const post = async (path: string, body: object) =>
        (await owner.post(path, body)).json as { id: number & string }
      const ask = graphqlOf(opened.app, owner)
      const name = letter.repeat(255)
      await ask(
        `mutation { categorySet(input: { id: "category_7", name: "${letter.repeat(100)}" }) { category { id } } }`,
      )
      await post('/v1/pets', { name: `${name.slice(1)}!`, categoryId: 7, status: 'available' })
      const { id: petId } = await post('/v1/pets', { name, categoryId: 7, status: 'available' })
      const { id: orderId } = await post('/v1/store/orders', {
        ...{ petId, reference: letter.repeat(100), note: letter.repeat(1000) },
      })
      const { id: webhookId } = await post('/v1/webhooks', {
        url: `https://hooks.paws.example/${'w'.repeat(900)}`,
        description: letter.repeat(200),
      })
      const issued = await ask(
        `mutation { apiKeyIssue(input: { name: "${letter.repeat(100)}", scopes: [pets_read] }) { apiKey { id } } }`,
      )
      await ask(
        `mutation { deployCreate(input: { title: "${letter.repeat(100)}", description: "${letter.repeat(1000)}" }) { deploy { id } } }`,
      )
      await ask(
        `mutation { domainAdd(input: { name: "${'w'.repeat(63)}.${'w'.repeat(63)}.example" }) { domain { id } } }`,
      )
      const keyId = issued.data.apiKeyIssue.apiKey.id.replace('key_', '')
      const stops: [at: string, ...presses: string[]][] = [
        ...['/', '/pets', '/pets/categories', '/orders', '/keys', '/deploys', '/settings/domains'].map(
          (at): [string] => [at],
        ),
        ...['/settings/webhooks', '/settings/activity', '/settings/addresses', '/settings/general'].map(
          (at): [string] => [at],
        ),
        [`/pets/${petId}`],
        [`/orders/${orderId}`],
        [`/settings/webhooks/${webhookId}`],
        [`/keys/${keyId}`],
        ['/deploys/1'],
        ['/settings/domains/1'],
        ['/pets', 'Actions for', 'Edit'],
        ['/pets', 'Actions for', 'Place order'],
        ['/pets/categories', 'Actions for', 'Rename'],
        ['/pets/categories', 'Actions for', 'Remove'],
        ['/orders', 'Approve order'],
        ['/orders', 'Approve order', 'Approve'],
        ['/orders?do=add'],
        ['/keys', 'Actions for', 'Rotate'],
        ['/keys', 'Actions for', 'Revoke'],
        ['/deploys?do=add'],
        ['/settings/domains', 'Actions for', 'Remove'],
        [`/settings/webhooks/${webhookId}`, 'Actions for', 'Delete'],
        [`/settings/webhooks/${webhookId}`, 'Actions for', 'Edit'],
      ]
      const page = await opened.open('/dashboard/', owner.secret)
      const { press } = handsOn(page, text => text)
      const faults: string[] = []
      const showsAll = watchRequests(page)
      for (const [at, ...presses] of stops) {
        await page.setViewportSize({ width: 1280, height: 860 })
        await page.goto(`${opened.app.url}/dashboard${at}`)
        await page.locator('h1').first().waitFor()
        await showsAll()
        for (const each of presses) await press(each)
        for (const look of looks) {
          await showIn(page, look)
          await page.keyboard.press('Shift')
          const found = [...(await findUnseen(page)), ...(await findLayoutFaults(page))]
          faults.push(
            ...found.map(each => `${[at, ...presses].join(', ')}, ${look.viewport.width} px: ${each}`),
          )
        }
      }
      expect(faults).toEqual([])
      await page.context().close()
    },
    240_000,
  )
})
