import { expect, test } from 'vitest'
import { getPetDeprecation, refuseAfterSunset } from '../../../src/core/keys/deprecations.ts'

test('getPet answers until the announced time of its removal, and is refused with the code gone from that millisecond on', () => {
  const end = Date.parse('2030-12-05T00:00:00Z')

  expect(() => refuseAfterSunset(end - 1)).not.toThrow()
  for (const at of [end, end + 1])
    expect(() => refuseAfterSunset(at)).toThrow(expect.objectContaining({ code: 'gone' }))
  expect(getPetDeprecation).toMatchObject({
    since: new Date('2026-11-01T00:00:00Z'),
    sunset: new Date(end),
    reason: expect.stringContaining('5 December 2030'),
  })
})
