import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { parse } from 'yaml'
import { type Cause, causesByFault } from '../support/alert-causes.ts'
import { type AlertGround, layAlertGround } from '../support/alert-ground.ts'
import { causesByState } from '../support/alert-states.ts'
import { findProgram } from '../support/programs.ts'

const isLong = process.env.ALERTS === 'all'
/** Several times as long as the slowest alert takes on an idle machine. */
const mostMs = isLong ? 480_000 : 90_000
const causes = [...causesByFault, ...causesByState]

it('for each alert in deploy/prometheus/alerts.yaml, the lists in test/support have exactly one fault that makes the alert fire', () => {
  const { groups }: { groups: { rules: { alert?: string }[] }[] } = parse(
    readFileSync('deploy/prometheus/alerts.yaml', 'utf8'),
  )
  const alerts = groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []))

  expect(causes.flatMap(({ alerts }) => alerts).sort()).toEqual(alerts.sort())
})

const hasAll = ['prometheus', 'postgres', 'redis-server'].every(findProgram)

describe.skipIf(!hasAll)(
  'in a real Prometheus, with the durations in the alert rules at least twenty times shorter,',
  () => {
    let ground: AlertGround
    beforeAll(async () => {
      ground = await layAlertGround()
    }, 180_000)
    afterAll(() => ground?.stop())

    const ways = Object.groupBy(
      causes.filter(({ isShort }) => isLong || isShort),
      ({ isQuiet }) => (isQuiet ? 'together' : 'alone'),
    )
    const named = (some: Cause[] = []) => some.map(cause => [cause.alerts.join(' and '), cause] as const)
    const fires = 'fires by its fault and ends after it'

    it.for(named(ways.alone))(`%s ${fires}`, { timeout: 2 * mostMs }, tryOut)
    it.concurrent.for(named(ways.together))(`%s ${fires}`, { timeout: 2 * mostMs }, tryOut)

    /** Tests that run at the same time need an `expect` each. */
    async function tryOut([, cause]: readonly [string, Cause], { expect }: TestContext): Promise<void> {
      const { alerts, begin } = cause
      const ours = async () => (await ground.firing()).filter(name => alerts.includes(name))
      await expect.poll(ours, { timeout: mostMs }).toEqual([])
      const fired = new Set<string>()
      const firedSoFar = async () => {
        for (const name of await ours()) fired.add(name)
        return [...fired].sort()
      }

      const end = await begin(ground)
      try {
        await expect.poll(firedSoFar, { timeout: mostMs, interval: 250 }).toEqual(alerts.toSorted())
      } finally {
        await end()
      }

      await expect.poll(ours, { timeout: mostMs, interval: 250 }).toEqual([])
    }
  },
)
