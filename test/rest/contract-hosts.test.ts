import { expect, it } from 'vitest'
import { readContract } from '../../src/rest/contract.ts'

it('the contract of a host lists the address of the host, even if the address contains special characters like $&', () => {
  const { yaml, json } = readContract({ publicUrl: 'https://$&.example:8443', stagingUrl: null })

  expect(yaml).toContain('url: https://$&.example:8443/v1')
  expect(JSON.parse(json).servers).toEqual([
    { url: 'https://$&.example:8443/v1', description: 'Production', 'x-internal': false },
  ])
  expect(yaml + json).not.toContain('.invalid')
})
