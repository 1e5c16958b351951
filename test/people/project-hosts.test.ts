import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { platformHostOf } from '../../src/core/hosts/platform-host.ts'
import { openBrowser, type SignedIn, signedIn } from '../support/people.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { writeDomain } from '../support/written-domain.ts'

let app: App
let store: TestProject
let ada: SignedIn
let token: string
const hosts: string[] = []
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
  const { tools, url } = app
  await deploy(tools.db, tools.hosting, store.project, {})
  await writeDomain(app, store, 'shop.acme.test')
  await tools.changes.read()
  ada = await signedIn(tools, url, store.project, 'owner')
  token = await ada.token()
  hosts.push(platformHostOf(store.project, tools.hosting.platformHost), 'shop.acme.test')
})
afterAll(() => app?.stop())

/**
 * Sends a request with these headers to each API at a host of the project. A good answer is one that shows the project.
 */
async function askAll(host: string, headers: Record<string, string>) {
  const json = { host, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const post = (path: string, body: object) =>
    app.ask(path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })
  const rest = await app.ask('/v1/pets', { headers: { host, ...headers } })
  const graphql = await post('/graphql', { query: '{ project { slug } }' })
  const mcp = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  return [rest.status, /"slug"/.test(graphql.text) ? 200 : graphql.status, mcp.status]
}

describe.each([0, 1])(
  'host %i of the project: 0 is the platform’s host, 1 is the customer’s own domain',
  n => {
    it('a project’s host accepts an API key at every API, and refuses a person’s token, which the service accepts', async () => {
      const host = hosts[n] ?? ''
      const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

      expect(await askAll(host, bearer(store.secret))).toEqual([200, 200, 200])
      expect(await askAll(new URL(app.url).host, bearer(token))).toEqual([200, 200, 200])
      expect(await askAll(host, bearer(token))).toEqual([401, 401, 401])
    })

    it('a project’s host accepts no session cookie, even from its own pages', async () => {
      const host = hosts[n] ?? ''
      const secret = ada.cookie()?.split('=')[1] ?? ''
      // The session cookie has another name at each origin of the host, so send it under all of these names.
      const names = [`animal-store-session-${app.tools.config.port}`, 'animal-store-session-80']
      const cookie = [...names, '__Host-animal-store-session'].map(name => `${name}=${secret}`).join('; ')

      for (const scheme of ['http', 'https']) {
        const headers = { host, cookie, origin: `${scheme}://${host}`, 'sec-fetch-site': 'same-origin' }
        expect(await askAll(host, headers)).toEqual([401, 401, 401])
        for (const step of ['/token', '/end', '/export', '/passkey/options', '/invitation/show', '/issuer']) {
          const answer = await openBrowser(app.url).post(`/session${step}`, {}, headers)
          expect([step, answer.status, answer.headers['set-cookie']]).toEqual([step, 404, undefined])
        }
      }
      const back = await app.ask('/session/issuer/callback?code=a&state=b', { headers: { host, cookie } })
      const page = await app.ask('/dashboard/', { headers: { host, cookie } })
      expect([back.status, back.headers['set-cookie'], page.status]).toEqual([404, undefined, 404])
      expect((await ada.post('/session/token')).status).toBe(200)
    })

    it('an invitation that is sent to a project’s host gets 404 and can still be used at the service', async () => {
      const host = hosts[n] ?? ''
      const { data } = (await invited()) as { data: { memberInvite: { url: string } } }
      const [, link] = data.memberInvite.url.split('#')
      const body = { secret: link, name: 'Eve' }

      const there = await openBrowser(app.url).post('/session/invitation', body, {
        ...{ host, origin: `http://${host}` },
      })
      const here = await openBrowser(app.url).post('/session/invitation', body)

      expect([there.status, here.status]).toEqual([404, 200])
    })
  },
)

async function invited(): Promise<unknown> {
  const query = 'mutation { memberInvite(input: { role: viewer }) { url } }'
  return (await ada.post('/graphql', { query }, { authorization: `Bearer ${token}` })).json
}
