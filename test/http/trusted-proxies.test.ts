import { expect, it } from 'vitest'
import { trustTest } from '../../src/http/trusted-proxies.ts'

it('a trusted IPv4 address is also trusted in its IPv6-mapped form', () => {
  const isTrusted = trustTest(['10.0.0.0/8', 'fd00::7'])

  expect(['10.0.0.1', '::ffff:10.0.0.1', 'fd00::7'].map(isTrusted)).toEqual([true, true, true])
  expect(['11.0.0.1', '::ffff:11.0.0.1', 'fd00::8', undefined].map(isTrusted)).toEqual(Array(4).fill(false))
})
