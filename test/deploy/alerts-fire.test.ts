import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { ask } from '../support/ask.ts'
import { administer } from '../support/databases.ts'
import { findProgram, freePort, type Program, recordUse, startProgram } from '../support/programs.ts'
import { type Service, startPostgres, startRedis } from '../support/services.ts'
import { makeProject, startApp, type TestProject } from '../support/start-app.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

/** Every duration of the rules is shorter by this factor, so that an alert of two minutes fires after six seconds. */
const faster = 20
const isLong = process.env.ALERTS === 'all'
/** Most of the longest alert's hour, and twice that on a busy machine. */
const mostMs = isLong ? 480_000 : 90_000

let folder: string
let postgres: Service
let redis: Service
let prometheus: Program
let prometheusUrl: string
let service: Running
let client: TestProject
let limited: TestProject
let env: Record<string, string>
let asking: Promise<void>
let isOver = false
let secretOfAsking = ''

type Told = { labels: { alertname: string }; state: string }

async function firing(): Promise<string[]> {
  const answer = await fetch(`${prometheusUrl}/api/v1/alerts`)
  const { data } = (await answer.json()) as { data: { alerts: Told[] } }
  return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
}

const seconds = { s: 1, m: 60, h: 3_600, d: 86_400 }
const shorten = (text: string) =>
  text.replace(
    /(?<=\[|for: )(\d+)([smhd])\b/g,
    (_all, count, unit: keyof typeof seconds) =>
      `${Math.max(3, Math.round((Number(count) * seconds[unit]) / faster))}s`,
  )

async function startService(): Promise<void> {
  service = await startProcess(env)
  await service.printed(answersAt)
}

async function kill(): Promise<void> {
  service.child.kill('SIGKILL')
  await service.ended
}

const inShop = (text: string) => administer(postgres.url.replace(/postgres$/, 'shop'), text)

type Cause = {
  alerts: string[]
  fault: string
  /** True if `npm test` tries it too. */
  isShort?: true
  begin(): Promise<unknown>
  /** Called again and again until the alerts fire. */
  goOn?(): Promise<unknown>
  end(): Promise<unknown>
}

const nothing = async () => {}
const causes: Cause[] = [
  {
    alerts: ['AnimalStoreCountsAlone'],
    fault: 'Redis is killed',
    isShort: true,
    begin: () => redis.kill9(),
    end: () => redis.restart(),
  },
  {
    alerts: ['AnimalStoreNobodyReady', 'AnimalStoreFails', 'AnimalStoreChangesBehind'],
    fault: 'PostgreSQL is killed',
    begin: () => postgres.kill9(),
    end: () => postgres.restart(),
  },
  {
    alerts: ['AnimalStoreManyRefusedKeys'],
    fault: 'a client sends a wrong key',
    async begin() {
      secretOfAsking = `as_${'x'.repeat(40)}`
    },
    async end() {
      secretOfAsking = client.secret
    },
  },
  {
    alerts: ['AnimalStoreWritesSlow'],
    fault: 'somebody locks the table of pets again and again',
    begin: nothing,
    goOn: () => inShop('BEGIN; LOCK TABLE pets IN SHARE ROW EXCLUSIVE MODE; SELECT pg_sleep(1); COMMIT'),
    end: nothing,
  },
  {
    alerts: ['AnimalStoreStalls'],
    fault: 'the process is stopped for a second (SIGSTOP)',
    begin: nothing,
    async goOn() {
      service.child.kill('SIGSTOP')
      await pause(900)
      service.child.kill('SIGCONT')
      await pause(3_000)
    },
    end: nothing,
  },
  {
    alerts: ['AnimalStoreForgetsOften'],
    fault: 'the connections to PostgreSQL are ended again and again',
    begin: nothing,
    async goOn() {
      await inShop(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'animal-store'",
      )
      await pause(2_000)
    },
    end: nothing,
  },
  {
    alerts: ['AnimalStoreMigrationsPending'],
    fault: 'a migration is not applied',
    begin: () =>
      inShop(`CREATE TABLE applied AS SELECT * FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1;
        DELETE FROM _prisma_migrations WHERE id IN (SELECT id FROM applied)`),
    end: () => inShop('INSERT INTO _prisma_migrations SELECT * FROM applied; DROP TABLE applied'),
  },
  {
    alerts: ['AnimalStoreAtLimit'],
    fault: 'a client sends more than its limit',
    async begin() {
      secretOfAsking = limited.secret
    },
    async end() {
      secretOfAsking = client.secret
    },
  },
  {
    alerts: ['AnimalStoreRestarts'],
    fault: 'the process is killed and started again and again',
    begin: nothing,
    async goOn() {
      await kill()
      await startService()
      await pause(3_000)
    },
    end: nothing,
  },
  {
    alerts: ['AnimalStoreProcessDown', 'AnimalStoreDown'],
    fault: 'the only process is killed',
    isShort: true,
    begin: kill,
    end: startService,
  },
]

const hasAll = ['prometheus', 'postgres', 'redis-server'].every(findProgram)

describe.skipIf(!hasAll)('in a real Prometheus, with every duration a twentieth,', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'animal-store-alerts-'))
    postgres = await startPostgres()
    redis = await startRedis()
    await administer(postgres.url, 'CREATE DATABASE shop')
    const [port, opsPort, prometheusPort] = [await freePort(), await freePort(), await freePort()]
    const url = `http://127.0.0.1:${port}`
    const addresses = { DATABASE_URL: postgres.url.replace(/postgres$/, 'shop'), REDIS_URL: redis.url }
    const here = await startApp({ env: addresses })
    client = await makeProject(here.tools, url, { perMinute: 1e9, perDay: 1e9 })
    limited = await makeProject(here.tools, url, { perMinute: 1 })
    await here.stop()
    secretOfAsking = client.secret
    env = {
      ...{ ...addresses, PORT: String(port), OPS_PORT: String(opsPort) },
      ...{ LOG_REQUESTS: '0', WARM_UP: '0' },
    }
    await startService()
    asking = keepAsking(url)
    writeFileSync(join(folder, 'rules.yaml'), shorten(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')))
    const settings = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [join(folder, 'rules.yaml')],
      scrape_configs: [{ job_name: 'animal-store', static_configs: [{ targets: [`127.0.0.1:${opsPort}`] }] }],
    }
    writeFileSync(join(folder, 'prometheus.yaml'), stringify(settings))
    prometheusUrl = `http://127.0.0.1:${prometheusPort}`
    recordUse('prometheus')
    prometheus = await startProgram({
      command: 'prometheus',
      args: [
        `--config.file=${folder}/prometheus.yaml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${prometheusPort}`,
      ],
      answers: firing,
    })
  }, 180_000)
  afterAll(async () => {
    isOver = true
    await asking
    await prometheus?.stop()
    await kill()
    await redis?.stop()
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(
    causes
      .filter(({ isShort }) => isLong || isShort)
      .map(cause => [cause.alerts.join(' and '), cause] as const),
  )(
    '%s fires by its fault and ends after it',
    async (_name, { alerts, begin, goOn = () => pause(250), end }) => {
      await expect.poll(firing, { timeout: mostMs }).not.toEqual(expect.arrayContaining(alerts))

      await begin()
      const fired = new Set<string>()
      for (const giveUpAt = Date.now() + mostMs; Date.now() < giveUpAt; ) {
        await goOn()
        for (const name of await firing()) fired.add(name)
        if (alerts.every(name => fired.has(name))) break
      }
      await end()

      expect([...fired]).toEqual(expect.arrayContaining(alerts))
      const stillFiring = async () => (await firing()).filter(name => alerts.includes(name))
      await expect.poll(stillFiring, { timeout: mostMs }).toEqual([])
    },
    2 * mostMs,
  )
})

/** Reads and writes, some ten times a second, whatever is answered. */
async function keepAsking(url: string): Promise<void> {
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  while (!isOver) {
    const headers = { authorization: `Bearer ${secretOfAsking}`, 'content-type': 'application/json' }
    await Promise.all([
      ask(`${url}/v1/pets`, { headers }).catch(() => {}),
      ask(`${url}/v1/pets`, { method: 'POST', headers, body }).catch(() => {}),
      pause(100),
    ])
  }
}
