import { expect, test, vi } from 'vitest'

const rendered = vi.hoisted(() => ({ operations: 0 }))
vi.mock('../../src/reference/operation-view.ts', async importOriginal => {
  const { showOperation } = await importOriginal<typeof import('../../src/reference/operation-view.ts')>()
  return {
    showOperation(...operation: Parameters<typeof showOperation>) {
      rendered.operations++
      return showOperation(...operation)
    },
  }
})

const cpuOf = async (run: () => Promise<unknown>) => {
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

const siteOf = (host: string) => ({
  title: `The store at ${host}`,
  description: null,
  baseUrl: `https://${host}/v1`,
  home: '/',
  showsGraphql: true,
})

test('a reference that was loaded in advance takes a fraction of the time at its first request', async () => {
  // Forget the reference, which another test of this process may have loaded.
  vi.resetModules()
  const { loadReference, openReference } = await import('../../src/reference/reference.ts')

  const loading = await cpuOf(loadReference)
  const first = await cpuOf(async () => (await openReference(siteOf('shop.example'))).find(''))

  expect(first * 2).toBeLessThan(loading)
})

test('the pages of all hosts are rendered once, and each names the address of its host', async () => {
  const { openReference } = await import('../../src/reference/reference.ts')
  const open = async (host: string) => {
    const { find } = await openReference(siteOf(host))
    return (path: string) => String(find(path)?.bytes)
  }
  const findFirst = await open('shop.example')
  findFirst('animals')
  const before = rendered.operations

  const hosts = Array.from({ length: 31 }, (_, n) => `shop-${n}.example`)
  for (const host of [...hosts, ...hosts]) {
    const find = await open(host)
    expect(find('')).toContain(`<h1>The store at ${host}</h1>`)
    for (const path of [
      '',
      'animals',
      'animals.md',
      'graphql',
      'guides/quickstart',
      'versioning',
      'llms.txt',
    ]) {
      expect(find(path), path).toContain(`https://${host}/`)
      expect(find(path), path).not.toContain('.invalid')
    }
  }

  expect(before).toBeGreaterThan(0)
  expect(rendered.operations).toBe(before)
})
