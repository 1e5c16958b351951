import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { endpointLabel } from '../../src/core/events/endpoints.ts'
import { makeSeal } from '../../src/hosting/seal.ts'
import { ask } from '../support/ask.ts'
import { administer } from '../support/databases.ts'
import { commandsOf } from '../support/documents.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { type Service, startPostgres, startRedis } from '../support/services.ts'
import { makeProject, startApp, type TestProject } from '../support/start-app.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'
import { typeCommand } from '../support/type-command.ts'

const operating = 'docs/operating.md'
const [old, next] = ['o'.repeat(32), 'n'.repeat(32)] as const

let folder: string
let postgres: Service
let redis: Service
let service: Running
let store: TestProject
let limited: TestProject[]
let env: Record<string, string>
const files: Record<string, string> = {}

const commandsUnder = (heading: string) =>
  commandsOf(operating, 'sh').flatMap(found => (found.heading === heading ? [found.command] : []))

/** Types a command of the documents, with the names of this test instead of those of the documents. */
async function type(command: string, before = ''): Promise<string> {
  const here = command
    .replace('HOST:5432/shop', `127.0.0.1:${postgres.port}/shop`)
    .replace(/HOST:6379/, `127.0.0.1:${redis.port}`)
    .replace('-h HOST', `-h 127.0.0.1 -p ${postgres.port}`)
    .replace('PID', String(service.child.pid))
    .replace('day-shift:OLD', `day-shift:${old}`)
    .replace('night-shift:NEW', `night-shift:${next}`)
    .replace('as_4fTq8ZxW', store.secret.slice(0, 11))
    .replace('corner-shop', store.project.slug)
  const { code, stdout, stderr } = await typeCommand(before + here, { HOME: folder, ...files, ...env })
  expect({ code, stderr }, here).toEqual({ code: 0, stderr: '' })
  return stdout
}

async function readRows(sql: string, values: unknown[]) {
  const client = new pg.Client(postgres.url.replace(/postgres$/, 'shop'))
  await client.connect()
  const { rows } = await client.query(sql, values)
  await client.end()
  return rows
}

/**
 * Creates pets at these addresses, one after the other, until stopped. Returns the statuses, and the acknowledged pets
 * that the database lacks.
 */
function keepWriting(...urls: string[]) {
  const statuses = new Set<number | string>()
  const acknowledged: number[] = []
  let isOver = false
  const writing = urls.map(async url => {
    while (!isOver) {
      const answer = await ask(`${url}/v1/pets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${store.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
      }).catch((error: Error) => error)
      statuses.add(answer instanceof Error ? answer.message : answer.status)
      if (!(answer instanceof Error) && answer.status === 201)
        acknowledged.push((answer.json as { id: number }).id)
      else await new Promise(resolve => setTimeout(resolve, 50))
    }
  })
  return {
    written: () => acknowledged.length,
    async stop() {
      isOver = true
      await Promise.all(writing)
      const rows = await readRows('SELECT id FROM pets WHERE id = ANY ($1)', [acknowledged])
      const stored = new Set(rows.map(({ id }) => Number(id)))
      return { statuses: [...statuses], lost: acknowledged.filter(id => !stored.has(id)) }
    },
  }
}

const statusOf = async (key: string) =>
  (
    await ask(`${service.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ plans { name } }' }),
    })
  ).status
const readiness = async () => (await ask(`${service.opsUrl}/readyz`)).json
const hasAll = ['postgres', 'redis-server', 'psql', 'bash', 'git', 'openssl'].every(findProgram)

describe.runIf(hasAll)(
  'the commands of the documents that change a running service, while clients write',
  () => {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'animal-store-docs-'))
      postgres = await startPostgres()
      redis = await startRedis()
      const admin = new Redis(redis.url)
      await admin.config('SET', 'requirepass', 'OLD')
      admin.disconnect()
      await administer(postgres.url, "CREATE ROLE store LOGIN SUPERUSER PASSWORD 'OLD'")
      await administer(postgres.url, 'CREATE DATABASE shop OWNER store')
      const rules = `VALUES ('host all store all scram-sha-256'), ('host all all all trust')`
      await administer(
        postgres.url,
        `DO $do$ BEGIN EXECUTE format('COPY (%s) TO %L', $$${rules}$$, current_setting('hba_file')); END $do$`,
      )
      await administer(postgres.url, 'SELECT pg_reload_conf()')
      const secrets = {
        DATABASE_URL: `postgresql://store:OLD@127.0.0.1:${postgres.port}/shop`,
        REDIS_URL: `redis://:OLD@127.0.0.1:${redis.port}`,
        OPERATOR_KEY: old,
        SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      }
      for (const [name, secret] of Object.entries(secrets)) {
        files[`${name}_FILE`] = join(folder, name)
        writeFileSync(join(folder, name), `${secret}\n`)
      }
      const here = await startApp({ env: { ...secrets } })
      service = await startProcess({ ...files, LOG_REQUESTS: '0', DRAIN_SECONDS: '1' })
      await service.printed(answersAt)
      store = await makeProject(here.tools, service.url, { perMinute: 1e9, perDay: 1e9 })
      limited = []
      for (let n = 0; n < 8; n++) limited.push(await makeProject(here.tools, service.url, { perMinute: 30 }))
      await here.stop()
      env = { ANIMAL_STORE_URL: service.url, ANIMAL_STORE_KEY: old, OPS_PORT: new URL(service.opsUrl).port }
    }, 180_000)
    afterAll(async () => {
      service?.child.kill('SIGKILL')
      await service?.ended
      await redis?.stop()
      await postgres?.stop()
      if (folder) rmSync(folder, { recursive: true, force: true })
    })

    it('the documented command rotates the key of a project, and the old and the new key both work', async () => {
      const [command = ''] = commandsUnder('A key of a project')
      const writers = keepWriting(service.url)

      const said = await type(command)

      const [secret = ''] = /as_\w{20,}/.exec(said) ?? []
      const status = async (key: string) =>
        (await ask(`${service.url}/v1/pets`, { headers: { authorization: `Bearer ${key}` } })).status
      expect([await status(secret), await status(store.secret)]).toEqual([200, 200])
      expect(await writers.stop()).toEqual({ statuses: [201], lost: [] })
    })

    it('the documented commands change the password of PostgreSQL, and no acknowledged write is lost', async () => {
      const writers = keepWriting(service.url)

      for (const command of commandsUnder('The password of PostgreSQL')) await type(command)
      await expect.poll(writers.written).toBeGreaterThan(5)
      // Without a new connection the new password would not be used.
      await administer(
        postgres.url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'store'",
      )
      const before = writers.written()
      await expect.poll(writers.written, { timeout: 20_000 }).toBeGreaterThan(before + 5)

      const { statuses, lost } = await writers.stop()
      expect([201, 503]).toEqual(expect.arrayContaining(statuses))
      expect(lost).toEqual([])
      expect(readFileSync(files.DATABASE_URL_FILE ?? '', 'utf8')).toContain(':NEW@')
    }, 60_000)

    it('the documented commands change the password of Redis, and every write succeeds', async () => {
      const writers = keepWriting(service.url)

      for (const command of commandsUnder('The password of Redis')) await type(command)
      const kill = 'CLIENT KILL TYPE normal'
      await type(`redis-cli -u redis://default:NEW@HOST:6379 --no-auth-warning ${kill}`)
      const before = writers.written()
      await expect.poll(writers.written, { timeout: 20_000 }).toBeGreaterThan(before + 5)

      await expect.poll(readiness, { timeout: 20_000 }).toMatchObject({ limiter: 'exact' })
      expect(await writers.stop()).toEqual({ statuses: [201], lost: [] })
    }, 60_000)

    it("the operator's key is changed: both keys work until the old one is removed", async () => {
      const writers = keepWriting(service.url)
      const seen: number[][] = []

      for (const command of commandsUnder("The operator's key")) {
        const read = service.output().split('secrets were read').length
        await type(command)
        if (!command.startsWith('kill')) continue
        await service.printed(new RegExp(`(secrets were read[^]*){${read}}`))
        seen.push([await statusOf(old), await statusOf(next)])
      }

      expect(seen).toEqual([
        [200, 200],
        [401, 200],
      ])
      expect(await writers.stop()).toEqual({ statuses: [201], lost: [] })
    })

    it('the documented commands replace the key that encrypts secrets, its file keeps owner and mode, and a stored secret can be decrypted', async () => {
      const webhook = await ask(`${service.url}/v1/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${store.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: 'https://hooks.shop.test/', enabled: false }),
      })
      const { id, secret } = webhook.json as { id: string; secret: string }
      const writers = keepWriting(service.url)
      const file = files.SECRETS_KEY_FILE ?? ''
      chmodSync(file, 0o600)
      if (process.getuid?.() === 0) chownSync(file, 65_534, 65_534)
      const { mode, uid } = statSync(file)
      const [before] = readFileSync(file, 'utf8').trim().split(',')

      for (const command of commandsUnder('The key of the secrets')) {
        const said = await type(command)
        if (command.startsWith('curl') && !said.includes('remove the older ones'))
          await expect.poll(() => type(command), { timeout: 30_000 }).toContain('remove the older ones')
      }

      const now = readFileSync(file, 'utf8').trim().split(',')
      expect(now).toHaveLength(1)
      expect(now).not.toContain(before)
      expect(statSync(file)).toMatchObject({ mode, uid })
      await expect.poll(readiness, { timeout: 30_000 }).toMatchObject({ status: 'ready', secrets: 'open' })
      const [sealed] = await readRows('SELECT sealed_secret FROM webhook_endpoints WHERE id = $1', [id])
      const seal = makeSeal([Buffer.from(now[0] ?? '', 'base64')])
      expect(seal.open(sealed?.sealed_secret, endpointLabel(id))).toBe(secret)
      expect(await writers.stop()).toEqual({ statuses: [201], lost: [] })
    }, 90_000)

    it('one more process is started and stopped, and limits stay exact', async () => {
      const port = await freePort()
      const opsPort = await freePort()
      const pid = join(folder, 'pid')
      onTestFinished(() => typeCommand(`kill -9 $(cat ${pid})`, {}).then(() => {}))
      const inFolder = (text: string) =>
        text.replaceAll('/etc/', `${folder}/`).replace('9401', String(opsPort))
      // All processes read this file. Its OPS_PORT is in use by the running service, so the new process must get
      // another one.
      writeFileSync(join(folder, 'animal-store.env'), `OPS_PORT=${new URL(service.opsUrl).port}\n`)
      const unit = readFileSync('deploy/systemd/animal-store@.service', 'utf8').replaceAll('%i', '4001')
      const settings = [...unit.matchAll(/^EnvironmentFile=-?(.*)$/gm)].map(([, file = '']) => `. ${file}; `)
      // Replaces systemctl, because no systemd manages a service here. The unit listens on the port of this test.
      const systemctl = `systemctl() {
      if [ "$1 $2 $3" = 'enable --now animal-store@4001' ]; then
          (cd '${resolve('.')}'; set -a; ${inFolder(settings.join(''))}PORT=${port} HTTPS_PORT=0 DRAIN_SECONDS=1 exec '${process.execPath}' src/start.js) >${folder}/log 2>&1 </dev/null & echo $! >${pid}
      else
        kill -TERM "$(cat ${pid})"
      fi
    }; `
      const [configure = '', start = '', stop = ''] = commandsUnder('Scaling out').map(inFolder)
      const url = `http://127.0.0.1:${port}`
      const writers = keepWriting(service.url)
      const state = () =>
        ask(`${url}/readyz`).then(
          ({ status }) => status,
          () => 0,
        )

      await type(configure)
      await type(start, systemctl)
      await expect.poll(state, { timeout: 60_000 }).toBe(200)
      expect((await ask(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(200)
      const onBoth = keepWriting(url)
      const countedAloneAt = async (opsUrl: string) =>
        /counted_in="memory"\} (\d+)/.exec((await ask(`${opsUrl}/metrics`)).text)?.[1]
      const countedAlone = async () =>
        (await Promise.all([service.opsUrl, `http://127.0.0.1:${opsPort}`].map(countedAloneAt))).join()
      let let30: unknown[] = []
      // On a busy machine Redis may answer too late. A process then counts requests in its own memory, so the number of
      // accepted requests proves nothing. Repeat the requests until no process has counted in its own memory.
      for (let before = ''; before !== (await countedAlone()); ) {
        before = await countedAlone()
        const headers = { authorization: `Bearer ${limited.pop()?.secret}` }
        const asked = Array.from({ length: 60 }, (_, i) =>
          ask(`${[service.url, url][i % 2]}/v1/pets`, { headers }),
        )
        let30 = (await Promise.all(asked)).filter(({ status }) => status === 200)
      }
      await expect.poll(onBoth.written).toBeGreaterThan(5)
      const ofSecond = await onBoth.stop()
      await type(stop, systemctl)
      await expect.poll(state, { timeout: 30_000 }).toBe(0)

      expect(let30).toHaveLength(30)
      expect(ofSecond).toEqual({ statuses: [201], lost: [] })
      expect(await writers.stop()).toEqual({ statuses: [201], lost: [] })
    }, 120_000)

    it('the service is rolled back to an older version and upgraded again, and no request is lost', async () => {
      const checkout = mkdtempSync(join(folder, 'checkout-'))
      makeVersions(checkout)
      const parent = await startProcess(
        { ...files, PROCESSES: '2', LOG_REQUESTS: '0', DRAIN_SECONDS: '2' },
        join(checkout, 'src/start.js'),
      )
      onTestFinished(async () => {
        parent.child.kill('SIGKILL')
        await parent.ended
      })
      await parent.printed(answersAt)
      const both = async () =>
        ((await ask(`${parent.opsUrl}/readyz`)).json as { processes: string }).processes
      await expect.poll(both, { timeout: 60_000 }).toBe('2 of 2 ready')
      const writers = keepWriting(parent.url, parent.url)
      // Replace npm by a command that does nothing, because the two versions have the same packages. Replace systemctl
      // by a signal to the service, because no systemd manages a service here.
      const here = `cd '${checkout}'; npm() { :; }; systemctl() { kill -HUP ${parent.child.pid}; }; `

      for (const [i, version] of ['older', 'newer'].entries()) {
        for (const command of commandsUnder('Upgrade and rollback')) {
          const quiet = command.startsWith('git') ? `${command} -q` : command
          await type(quiet.replace('VERSION', version), here)
        }
        await parent.printed(new RegExp(`(the processes were replaced[^]*){${i + 1}}`))
      }

      expect(await writers.stop()).toEqual({ statuses: [201], lost: [] })
      expect(await both()).toBe('2 of 2 ready')
    }, 240_000)
  },
)

/** Makes a checkout of this version, and of an older one that lacks the last migration. */
function makeVersions(checkout: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@test.example', ...args], {
      cwd: checkout,
    })
  for (const name of [
    'src',
    'prisma',
    'dist',
    'package.json',
    'openapi.yaml',
    'schema.graphql',
    'docs',
    'clients/typescript/src',
  ])
    cpSync(name, join(checkout, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'))
  git('init', '-q')
  git('add', '--all')
  git('commit', '-qm', 'newer')
  git('tag', 'newer')
  const last =
    readdirSync('prisma/migrations')
      .filter(name => /^\d/.test(name))
      .sort()
      .at(-1) ?? ''
  git('rm', '-rq', `prisma/migrations/${last}`)
  git('commit', '-qm', 'older')
  git('tag', 'older')
  git('checkout', '-q', 'newer')
}
