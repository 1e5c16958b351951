import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshRedis } from '../support/databases.ts'
import { makeDeployed, type Platform, startPlatform, type Visit, visit } from '../support/hosting.ts'

const publicUrl = 'https://api.store.example/animals'

let platform: Platform
let store: Awaited<ReturnType<typeof makeDeployed>>
/** Pages are cached only with Redis. */
beforeAll(async () => {
  const redisUrl = await freshRedis()
  platform = await startPlatform({
    env: {
      PUBLIC_URL: publicUrl,
      STAGING_URL: 'http://next.store.example:8080',
      ...(redisUrl && { REDIS_URL: redisUrl }),
    },
  })
  store = await makeDeployed(platform, 'business')
  const projectId = store.project.id
  await platform.first.tools.db.pet.createMany({
    data: Array.from({ length: 3 }, (_, i) => ({ projectId, name: `Pet ${i}`, categoryId: 1n })),
  })
})
afterAll(() => platform.stop())

const ask = (host: string, path: string, body?: string, method = body ? 'POST' : 'GET'): Promise<Visit> =>
  visit(`http://x${path}`, platform.first.port, {
    method,
    headers: {
      host,
      authorization: `Bearer ${store.secret}`,
      ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
    },
    ...(body && { body }),
  })

it('links and locations begin with the requested address, even if the page was cached under another address', async () => {
  const { target } = store
  const expected = {
    localhost: 'http://localhost',
    'LOCALHOST:8001': 'http://localhost:8001',
    '127.0.0.1:8001': 'http://127.0.0.1:8001',
    '[::1]:8001': 'http://[::1]:8001',
    'api.store.example': publicUrl,
    'api.store.example:443': publicUrl,
    'next.store.example:8080': 'http://next.store.example:8080',
    'next.store.example': 'http://next.store.example',
    [target]: `http://${target}`,
    [`${target}.:8001`]: `http://${target}:8001`,
  }

  let categoryId = 0
  for (const [host, address] of [...Object.entries(expected), ...Object.entries(expected)]) {
    const page = await ask(host, '/v1/pets?limit=2')
    const added = await ask(host, '/v1/pets', '{"name":"Max","categoryId":1}')
    const location = added.headers.location ?? ''
    const pet = await ask(host, new URL(location).pathname.replace('/animals', ''))
    const found = await ask(host, `/graphql?query={getPet(petId:1){id}}`)

    expect(page.headers.link, host).toMatch(`<${address}/v1/pets?limit=2&cursor=`)
    expect(location, host).toMatch(new RegExp(`^.{${address.length}}/v1/pets/\\d+$`))
    expect(location.startsWith(address), host).toBe(true)
    expect(pet.headers.link).toBe(
      `<${address}/v1/pets>; rel="successor-version", <${address}/openapi.yaml>; rel="deprecation"`,
    )
    const reference = host.startsWith(target) ? `${address}/` : `${address}/reference`
    expect(found.headers.link).toBe(
      `<${address}/graphql>; rel="successor-version", <${reference}>; rel="deprecation"`,
    )
    const named = await ask(host, `/v1/categories/${++categoryId}`, '{"name":"Dogs"}', 'PUT')
    const placed = await ask(host, '/v1/store/orders', `{"petId":${JSON.parse(added.text).id}}`)
    expect(named.headers.location).toBe(`${address}/v1/categories/${categoryId}`)
    expect(placed.headers.location).toBe(`${address}/v1/store/orders/${JSON.parse(placed.text).id}`)
    if (categoryId === 1) continue
    for (const list of ['/v1/categories', '/v1/store/orders']) {
      const { link } = (await ask(host, `${list}?limit=1`)).headers
      expect(String(link).split('cursor=')[0], host).toBe(`<${address}${list}?limit=1&`)
    }
  }
})

it('text after the address in a Host header never appears in the Link header', async () => {
  const page = await ask('[::1]>; rel="evil"', '/v1/pets?limit=2')

  expect(page.headers.link).toMatch(/^<http:\/\/\[::1\]\/v1\/pets\?limit=2&cursor=[\w-]+>; rel="next"$/)
})

it('the contract lists the configured addresses, and a contract at the own host of a project lists only that host', async () => {
  const servers = async (host: string) =>
    JSON.parse((await ask(host, '/openapi.json')).text).servers.map(({ url }: { url: string }) => url)
  const configured = [`${publicUrl}/v1`, 'http://next.store.example:8080/v1']

  for (let round = 0; round < 2; round++) {
    expect(await servers(store.target)).toEqual([`http://${store.target}/v1`])
    for (const host of ['localhost', 'api.store.example', 'next.store.example:8080'])
      expect(await servers(host), host).toEqual(configured)
  }
})
