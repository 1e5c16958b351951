import { expect, test, vi } from 'vitest'

const cpuOf = async (run: () => Promise<unknown>) => {
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

test('a reference that was loaded in advance takes a fraction of the time at its first request', async () => {
  // Forget the reference, which another test of this process may have loaded.
  vi.resetModules()
  const { loadReference, openReference } = await import('../../src/reference/reference.ts')

  const loading = await cpuOf(loadReference)
  const first = await cpuOf(() =>
    openReference({
      title: 'A store',
      description: null,
      baseUrl: 'https://shop.example/v1',
      home: '/',
      showsGraphql: true,
    }),
  )

  expect(first * 2).toBeLessThan(loading)
})
