import { expect, it } from 'vitest'
import { checkDomains } from '../../src/jobs/check-domains.ts'
import { forgetIdempotencyKeys } from '../../src/jobs/forget-idempotency-keys.ts'
import { forgetNames } from '../../src/jobs/forget-names.ts'
import { reseal } from '../../src/jobs/reseal.ts'
import { addUpPets, addUpUsage } from '../../src/jobs/roll-up.ts'
import { seeToCertificates } from '../../src/jobs/see-to-certificates.ts'
import { tidy } from '../../src/jobs/tidy.ts'
import { openMetrics } from '../../src/tools/metrics.ts'

const second = 1_000
const tools = { metrics: openMetrics() } as never

it.each([
  ['due certificates', seeToCertificates(tools, () => {}), second, 10],
  ['due domains', checkDomains(tools, () => {}), second, 10],
  ['expired rows', tidy(tools, tools), 30 * second, 1],
  ['expired idempotency keys', forgetIdempotencyKeys(tools, tools), 600 * second, 1],
  ['names of deleted people', forgetNames(tools), 30 * second, 1],
  ['uncounted pets', addUpPets(tools), 2 * second, 1],
  ['usage that is not added up yet', addUpUsage(tools, tools), 10 * second, 1],
  ['secrets sealed with an older key', reseal(tools), 5 * second, 2],
])(
  'the job for %s has the promised interval and the promised number of concurrent jobs',
  (_, work, everyMs, mostAtOnce) => {
    expect(work).toMatchObject({ everyMs, mostAtOnce })
  },
)

it.each([
  ['pets', addUpPets],
  ['usage rows', addUpUsage],
])('an error in adding up the counts of %s is reported to the worker', async (_, addUp) => {
  const failing = { run: () => Promise.reject(new Error('no run')) } as never
  const clock = { now: () => Date.now(), aheadMs: () => 0 }

  await expect(addUp(failing, clock).claim(1)).rejects.toThrow('no run')
})
