import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { stringify } from 'yaml'
import { ask } from './ask.ts'
import { administer } from './databases.ts'
import { freePort, recordUse, startProgram } from './programs.ts'
import { startPostgres, startRedis } from './services.ts'
import { makeProject, startApp } from './start-app.ts'
import { answersAt, type Running, startProcess, type Way } from './start-process.ts'

/**
 * Maps each duration in the rules to a shorter one for the test's Prometheus: a twentieth, or even less for durations
 * above a quarter of an hour.
 */
const shorter: Record<string, string> = {
  ...{ '1m': '3s', '2m': '6s', '5m': '15s', '10m': '30s', '15m': '45s' },
  ...{ '30m': '50s', '1h': '60s', '6h': '75s', '12h': '80s', '3d': '90s' },
}

const shorten = (rules: string) =>
  rules.replace(/(?<=\[|for: )\d+[smhd]\b/g, duration => {
    const short = shorter[duration]
    if (!short) throw new Error(`The table of shorter durations lacks ${duration}.`)
    return short
  })

/** The keys of SECRETS_KEY. The service seals with the first one. */
export const secretsKeys = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
export const inBase64 = (keys: Buffer[]) => keys.map(key => key.toString('base64')).join()

export type AlertGround = Awaited<ReturnType<typeof layAlertGround>>

/** Starts a service with PostgreSQL, Redis and a client, and a Prometheus that evaluates the alerts every second. */
export async function layAlertGround() {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-alerts-'))
  const [postgres, redis, nameServer, page] = [
    ...[await startPostgres(), await startRedis()],
    ...[await bindSilentNameServer(), await servePage()],
  ] as const
  await administer(postgres.url, 'CREATE DATABASE shop')
  const databaseUrl = postgres.url.replace(/postgres$/, 'shop')
  const [port, opsPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const addresses = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url }
  const here = await startApp({ env: addresses })
  const client = await makeProject(here.tools, url, { perMinute: 1e9, perDay: 1e9 })
  const limited = await makeProject(here.tools, url, { perMinute: 1 })
  await here.stop()
  const env: Record<string, string> = {
    ...{ ...addresses, PORT: String(port), OPS_PORT: String(opsPort), LOG_REQUESTS: '0' },
    ...{ DNS_SERVERS: nameServer.at, SECRETS_KEY: inBase64(secretsKeys) },
    // Nothing listens there.
    ACME_DIRECTORY_URL: 'https://127.0.0.1:9/directory',
  }

  /**
   * Runs SQL that writes rows but no events and no entries in the log of changes, as if the rows had existed for long.
   */
  const write = (sql: string) => administer(databaseUrl, `SET session_replication_role = replica; ${sql}`)
  await write(liveDomains(client.project.id))

  const start = async (more: Record<string, string> = {}, way?: Way) => {
    const service = await startProcess({ ...env, ...more }, 'start.js', way)
    await service.printed(answersAt)
    return service
  }

  const ground = {
    ...{ postgres, redis, url, opsUrl: `http://127.0.0.1:${opsPort}`, client, limited, env, write },
    /** The secret that the client sends. */
    secret: client.secret,
    /** The service, as last started. */
    service: await start(),
    /** Figures that the test serves to Prometheus in place of other exporters. */
    figures: page.figures,

    /** Runs SQL directly on the database, without the service. */
    sql: (text: string) => administer(databaseUrl, text),

    /** Locks tables until the returned function is called. */
    async lock(tables: string, mode: string): Promise<() => Promise<void>> {
      const holder = new pg.Client({ connectionString: databaseUrl })
      await holder.connect()
      await holder.query(`BEGIN; LOCK TABLE ${tables} IN ${mode} MODE`)
      return () => holder.end()
    },

    async kill(): Promise<void> {
      ground.service.child.kill('SIGKILL')
      await ground.service.ended
    },
    async restart(more?: Record<string, string>, way?: Way): Promise<void> {
      await ground.kill()
      ground.service = await start(more, way)
    },
    /** Starts another process with the same database. Prometheus does not scrape this process. */
    startAnother: async (more: Record<string, string>): Promise<Running> =>
      start({ PORT: String(await freePort()), OPS_PORT: String(await freePort()), ...more }),

    async firing(): Promise<string[]> {
      const answer = await fetch(`${prometheusUrl}/api/v1/alerts`)
      const { data } = (await answer.json()) as { data: { alerts: Alert[] } }
      return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
    },

    async stop(): Promise<void> {
      await stopAsking()
      await prometheus.stop()
      await ground.kill()
      for (const one of [redis, postgres]) await one.stop()
      for (const one of [nameServer, page]) one.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  const stopAsking = repeat(() => readAndWrite(ground))
  writeFileSync(join(folder, 'rules.yaml'), shorten(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')))
  const targets = { 'animal-store': `127.0.0.1:${opsPort}`, 'other-exporters': page.at }
  const settings = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'rules.yaml')],
    scrape_configs: Object.entries(targets).map(([name, target]) => ({
      job_name: name,
      static_configs: [{ targets: [target] }],
    })),
  }
  writeFileSync(join(folder, 'prometheus.yaml'), stringify(settings))
  const prometheusPort = await freePort()
  const prometheusUrl = `http://127.0.0.1:${prometheusPort}`
  recordUse('prometheus')
  const prometheus = await startProgram({
    command: 'prometheus',
    args: [
      `--config.file=${folder}/prometheus.yaml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    ],
    answers: ground.firing,
  })
  return ground
}

type Alert = { labels: { alertname: string }; state: string }

/** Repeats an act until the returned function is called. This function waits for the end of the last act. */
export function repeat(act: () => Promise<unknown>): () => Promise<void> {
  let isOver = false
  const repeating = (async () => {
    while (!isOver) await act()
  })()
  // Ignore an error here, so that Node.js reports no unhandled rejection. The caller that ends the repetition still
  // gets the error.
  repeating.catch(() => {})
  return () => {
    isOver = true
    return repeating
  }
}

/** Reads and writes, some ten times a second, whatever is answered. */
async function readAndWrite({ url, secret }: { url: string; secret: string }): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  await Promise.all([
    // Each new pet changes this page, so that it is read from the database again.
    ask(`${url}/v1/pets?sort=-id`, { headers }).catch(() => {}),
    ask(`${url}/v1/pets`, { method: 'POST', headers, body }).catch(() => {}),
    pause(100),
  ])
}

/** Twenty healthy domains, for which no job is due. */
const liveDomains = (projectId: number) => `
  INSERT INTO domains (id, project_id, name, owned_name, state, created_at, looks_since, next_look_at)
  SELECT gen_random_uuid(), ${projectId}, name, name, 'live'::host_state, now(), now(), now() + interval '1 day'
  FROM generate_series(1, 20) n, format('live-%s.example', n) name;
  INSERT INTO certificates (name, wanted_since, next_step_at, not_before, not_after)
  SELECT name, now(), now() + interval '1 day', now(), now() + interval '60 days' FROM domains`

/** A name server that receives every question and answers none. */
async function bindSilentNameServer() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { at: `127.0.0.1:${socket.address().port}`, stop: () => void socket.close() }
}

/** Serves the metrics of postgres_exporter and node_exporter that the rules read. */
async function servePage() {
  const figures = { replicaLagSeconds: 0, backupAgeSeconds: 0 }
  const server = createServer((_request, response) => {
    const backupAt = Date.now() / 1000 - figures.backupAgeSeconds
    response.setHeader('Content-Type', 'text/plain; version=0.0.4')
    response.end(`pg_replication_lag_seconds ${figures.replicaLagSeconds}
node_textfile_mtime_seconds{file="/var/lib/node_exporter/animal-store-backup.prom"} ${backupAt}
`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    at: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    figures,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
