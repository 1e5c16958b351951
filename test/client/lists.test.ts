import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnimalStore, type Pet } from '../../clients/typescript/src/index.ts'
import { movableClock } from '../support/clock.ts'
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const clock = movableClock()
let app: App
let proxy: CuttingProxy
beforeAll(async () => {
  app = await startApp({ clock })
  proxy = await startCuttingProxy(app.url)
})
afterAll(async () => {
  proxy.stop()
  await app.stop()
})

/** Makes a project with this many pets, named by number. Every third is sold. */
async function makeStore(pets: number, options: { perMinute?: number } = {}) {
  const project = await app.makeProject(options)
  for (let i = 0; i < pets; i++) {
    await project.post('/v1/pets', { name: `${i}`, categoryId: 1, status: i % 3 ? 'available' : 'sold' })
  }
  return { project, store: open(project) }
}

/** Connects through a proxy, so that the client's URL differs from the service's. */
const open = ({ secret }: TestProject) => new AnimalStore({ url: proxy.url, key: secret })

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i}`)

describe('a list of pets', () => {
  it('a loop over the list of pets reads every pet once, in order, over all pages', async () => {
    const { store } = await makeStore(23)
    const before = proxy.requests.length

    const names: string[] = []
    for await (const pet of store.pets.list({ limit: 5 })) names.push(pet.name)

    expect(names).toEqual(numbers(23))
    expect(proxy.requests).toHaveLength(before + 5)
  })

  it('a list of pets can be read page by page, and another program can continue it from a cursor', async () => {
    const { project, store } = await makeStore(7)

    const sizes: number[] = []
    let cursor: string | null = null
    for await (const page of store.pets.list({ limit: 3 }).pages()) {
      sizes.push(page.items.length)
      cursor ??= page.nextCursor
    }
    const later: Pet[] = []
    for await (const pet of open(project).pets.list({ cursor: cursor ?? '' })) later.push(pet)

    expect(sizes).toEqual([3, 3, 1])
    expect(later.map(pet => pet.name)).toEqual(['3', '4', '5', '6'])
  })

  it('a list by status has only matching pets on every page', async () => {
    const { store } = await makeStore(14)

    const names: string[] = []
    for await (const pet of store.pets.list({ status: 'sold', limit: 2 })) names.push(pet.name)

    expect(names).toEqual(['0', '3', '6', '9', '12'])
  })

  it('a loop over a list requests only the pages that it reaches, and a second loop starts from the first page', async () => {
    const { store } = await makeStore(6)
    const before = proxy.requests.length
    const list = store.pets.list({ limit: 2 })

    const first: string[] = []
    for (let loop = 0; loop < 2; loop++) {
      for await (const pet of list) {
        first.push(pet.name)
        break
      }
    }

    expect(first).toEqual(['0', '0'])
    expect(proxy.requests).toHaveLength(before + 2)
  })

  it('a list without pets is empty', async () => {
    const { store } = await makeStore(0)

    const pages = []
    for await (const page of store.pets.list().pages()) pages.push(page)

    expect(pages).toEqual([{ items: [], nextCursor: null }])
  })

  it('after a 429 between two pages a list waits and continues, without losing or repeating a pet', async () => {
    const { store } = await makeStore(9, { perMinute: 9 + 2 })
    // The window of a minute began with the first pet. Leave ten seconds of the window, because a slow machine needs
    // seconds for eleven requests.
    clock.advance(50_000)
    const before = proxy.requests.length

    const names: string[] = []
    for await (const pet of store.pets.list({ limit: 3 })) names.push(pet.name)

    const times = proxy.requests.slice(before).map(({ at }) => at)
    expect(names).toEqual(numbers(9))
    expect(times).toHaveLength(4)
    expect(Number(times[3]) - Number(times[2])).toBeGreaterThan(1_000)
  })

  it('a list survives cut connections between two pages', async () => {
    const { store } = await makeStore(6)
    const before = proxy.requests.length

    const names: string[] = []
    for await (const pet of store.pets.list({ limit: 3 })) {
      if (pet.name === '0') proxy.cutNext('half-answered', 'unheard', 'unanswered')
      names.push(pet.name)
    }

    expect(names).toEqual(numbers(6))
    expect(proxy.requests).toHaveLength(before + 5)
  })
})
