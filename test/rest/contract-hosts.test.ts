import { expect, it, vi } from 'vitest'

// Another test of this process may have read the contract.
vi.resetModules()
const { readContract } = await import('../../src/rest/contract.ts')

const cpuOf = (run: () => unknown) => {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

it('the contract of each further host costs a small part of reading the file', () => {
  const first = cpuOf(() =>
    readContract({ publicUrl: 'https://first.example', stagingUrl: 'https://staging.example' }),
  )
  const others = cpuOf(() => {
    for (let n = 0; n < 20; n++)
      readContract({ publicUrl: `https://${n}.example`, stagingUrl: 'https://staging.example' })
  })

  expect(others).toBeLessThan(first)
})

it('the contract of a host lists its own address, whatever signs the address has', () => {
  const { yaml, json } = readContract({ publicUrl: 'https://$&.example:8443', stagingUrl: null })

  expect(yaml).toContain('url: https://$&.example:8443/v1')
  expect(JSON.parse(json).servers).toEqual([
    { url: 'https://$&.example:8443/v1', description: 'Production', 'x-internal': false },
  ])
  expect(yaml + json).not.toContain('.invalid')
})
