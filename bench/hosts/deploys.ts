// Sends one deploy a second to one of two processes, while visitors request other hosts from both processes. Measures
// how soon both processes show the deploy, and how much the deploys delay other requests.
import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Pair, type Process, platformHostOf } from './pair.ts'
import { domainOf, type Seeded } from './seed.ts'
import { visit } from './visit.ts'

export type Deploying = {
  /** The longest time from sending a deploy until both processes show it. */
  slowestDeployMs: number
  slowestLivezMs: number
  /** Number of visits to other projects' domains over HTTPS, each with its own handshake. */
  visits: number
  failedVisits: number
}

/** The first deploy of each process is a warm-up and does not count. Then one deploy follows each second. */
const warmUps = 2
export const deploys = warmUps + 20
const visitEveryMs = 20
const probeEveryMs = 5

/** A deploy that is not visible after this time counts as failed. */
const giveUpMs = 15_000

export async function deployWhileVisited(pair: Pair, seeded: Seeded): Promise<Deploying> {
  const ending = new AbortController()
  const found = { slowestLivezMs: 0, visits: 0, failedVisits: 0 }
  const besides = pair.flatMap(process => [probe(process), visitOthers(process)])
  try {
    for (let project = 1; project <= warmUps; project++) await deploy(pair, seeded, project)
    await wait(1_000)
    Object.assign(found, { slowestLivezMs: 0, visits: 0, failedVisits: 0 })
    const seen = Array.from({ length: deploys - warmUps }, async (_, n) => {
      await wait(1_000 * n)
      return deploy(pair, seeded, warmUps + n + 1)
    })
    const slowestDeployMs = Math.max(...(await Promise.all(seen)))
    return { ...found, slowestDeployMs }
  } finally {
    ending.abort()
    await Promise.all(besides)
  }

  async function probe({ port }: Process): Promise<void> {
    const agent = new Agent({ keepAlive: true })
    while (!ending.signal.aborted) {
      const { milliseconds } = await visit(port, '127.0.0.1', '/livez', { agent })
      found.slowestLivezMs = Math.max(found.slowestLivezMs, milliseconds)
      await wait(probeEveryMs)
    }
    agent.destroy()
  }

  async function visitOthers({ httpsPort }: Process): Promise<void> {
    const secure = { ca: seeded.root }
    for (let n = 0; !ending.signal.aborted; n++) {
      const project = ((n * 61_953) % (seeded.count - deploys)) + deploys + 1
      const { status } = await visit(httpsPort, domainOf(project), '/livez', { secure })
      found.visits++
      if (status !== 200) found.failedVisits++
      await wait(visitEveryMs)
    }
  }
}

/** Deploys a redirect from the project's host to its domain. Returns the milliseconds until both processes show it. */
async function deploy(pair: Pair, { secrets }: Seeded, project: number): Promise<number> {
  const host = platformHostOf(project)
  const by = pair[project % pair.length] ?? pair[0]
  for (const process of pair) await seenAt(process, host, 200)
  const sentAt = performance.now()
  const redirect = { from: host, to: domainOf(project), status: 302 }
  const [published, ...seen] = await Promise.all([
    publish(by.port, secrets[project - 1] ?? '', redirect),
    ...pair.map(process => seenAt(process, host, 302)),
  ])
  return published ? Math.max(...seen) - sentAt : giveUpMs
}

async function seenAt({ port }: Process, host: string, status: number): Promise<number> {
  const giveUpAt = performance.now() + giveUpMs
  while (performance.now() < giveUpAt && (await visit(port, host, '/livez')).status !== status) {
    await wait(probeEveryMs)
  }
  return performance.now()
}

/** Publishes the redirect. False if it was refused, for example by an overloaded service. */
async function publish(port: number, secret: string, redirect: object): Promise<boolean> {
  const query = 'mutation Publish($input: NewDeploy!) { deploy(input: $input) { state } }'
  const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input: { domains: { redirects: [redirect] } } } }),
  })
  const text = await answer.text()
  const published = /"state":"succeeded"/i.test(text)
  if (!published) console.error(`A deploy was answered with ${text}`)
  return published
}
