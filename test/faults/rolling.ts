import { setTimeout as pause } from 'node:timers/promises'
import type { BalancerName } from '../support/balancers.ts'
import { findProgram } from '../support/programs.ts'
import { openClient } from './client.ts'
import type { Check, Fault } from './fault.ts'
import type { Ground } from './ground.ts'

type Plan = {
  balancer: BalancerName
  /** The least number of restarts. The restarts go on until `requests` were sent. */
  times: number
  requests: number
  file?: (text: string) => string
  /**
   * How long the balancer takes to notice that a process is back. The test waits this long before it ends the next
   * process.
   */
  noticesMs: number
}

/**
 * Removes our own health check settings from the file, so that HAProxy uses its defaults: a check every 2 s, and three
 * failed checks until a server counts as down.
 */
const haproxysOwn = (text: string) => text.replace('inter 1s fall 2 rise 1 ', '')
const asPromised = { times: 10, requests: 100_000 }

export const rollingFaults: Fault[] = [
  rolling('rolling-haproxy', { balancer: 'haproxy', ...asPromised, file: haproxysOwn, noticesMs: 4_500 }),
  rolling('rolling-haproxy-ours', { balancer: 'haproxy', times: 2, requests: 10_000, noticesMs: 1_500 }),
  // nginx sends no health checks and uses a process as soon as it listens.
  rolling('rolling-nginx', { balancer: 'nginx', ...asPromised, noticesMs: 0 }),
  rolling('rolling-caddy', { balancer: 'caddy', ...asPromised, noticesMs: 1_500 }),
]

function rolling(name: string, plan: Plan): Fault {
  const { balancer, times, requests, file } = plan
  const checks = file ? ' with its default checks' : ''
  return {
    name,
    what: `${times} rolling restarts (SIGTERM) of all three processes behind ${balancer}${checks}, under ${requests.toLocaleString('en')} requests`,
    ground: { balancer, ...(file && { balancerFile: file }) },
    expected: '0 requests lost, every process ends with 0',
    measure: async ground => (ground ? roll(ground, plan) : []),
    obstacle: () => (findProgram(balancer) ? null : `needs ${balancer}`),
  }
}

/** Restarts all processes in turn under load. Clients repeat no request, so each lost one counts. */
async function roll({ balancer, stores, makeProject }: Ground, plan: Plan): Promise<Check[]> {
  const { secret } = await makeProject()
  const client = openClient(secret)
  const lost = new Map<string, number>()
  let sent = 0
  let isRolling = true
  const ask = async (i: number) => {
    while (isRolling) {
      sent++
      const isWrite = (sent + i) % 8 === 0
      const body = { name: 'Rex', categoryId: 1 }
      const question = isWrite ? { method: 'POST', body } : {}
      const { status, text } = await client.ask(`${balancer.url}/v1/pets`, question)
      if (status === 200 || status === 201) continue
      const why = `${status} ${text.slice(0, 80)}`
      lost.set(why, (lost.get(why) ?? 0) + 1)
    }
  }
  const asking = Array.from({ length: 8 }, (_, i) => ask(i))
  const codes: (number | null)[] = []
  for (let time = 0; time < plan.times || sent < plan.requests; time++) {
    for (const store of stores) {
      codes.push(await store.end())
      await store.start()
      await pause(plan.noticesMs)
    }
  }
  isRolling = false
  await Promise.all(asking)
  client.close()
  const failed = [...lost.values()].reduce((sum, count) => sum + count, 0)
  const reasons = [...lost].map(([why, count]) => ` (${count} × ${why})`).join('')
  return [
    { holds: failed === 0, seen: `${failed} of ${sent.toLocaleString('en')} requests lost${reasons}` },
    {
      holds: codes.every(code => code === 0),
      seen: `${codes.length} processes ended, ${codes.filter(code => code === 0).length} of them with 0`,
    },
  ]
}
