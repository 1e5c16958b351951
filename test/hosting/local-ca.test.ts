import { expect, test } from 'vitest'
import { openLocalCa } from '../../src/hosting/local-ca.ts'
import { systemClock } from '../../src/tools/clock.ts'

test('a local authority that could not be read once is read again, and then known', async () => {
  let reads = 0
  let isAway = true
  const authority = openLocalCa(
    async make => {
      reads++
      if (isAway) throw new Error('The database is away.')
      return make()
    },
    'animals.test',
    systemClock,
  )

  for (const ask of [() => authority.root?.(), () => authority.root?.()])
    await expect(ask()).rejects.toThrow('away')
  isAway = false
  const [one, other] = await Promise.all([authority.root?.(), authority.root?.()])

  expect(one).toMatch(/^-----BEGIN CERTIFICATE-----/)
  expect([other, await authority.root?.()]).toEqual([one, one])
  expect(reads).toBe(3)
})
