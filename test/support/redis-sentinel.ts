import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { until } from './hosting.ts'
import { freePort, startProgram } from './programs.ts'
import { startRedis } from './services.ts'

const name = 'main'

/** A master, its replica, and three Sentinels that promote the replica after a short silence of the master. */
export async function startSentinels() {
  const master = await startRedis()
  const replica = await startRedis({ args: ['--replicaof', '127.0.0.1', `${master.port}`] })
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-sentinel-'))
  const ports = [await freePort(), await freePort(), await freePort()]
  const sentinels = await Promise.all(
    ports.map(port => startSentinel(folder, port, [`sentinel monitor ${name} 127.0.0.1 ${master.port} 2`])),
  )
  const clients = ports.map(port => new Redis({ port, host: '127.0.0.1' }))
  const about = (client: Redis) =>
    client.call('SENTINEL', 'MASTER', name).then(answer => (Array.isArray(answer) ? answer.join(' ') : ''))
  await until(
    () => Promise.all(clients.map(about)),
    answers => answers.every(answer => /num-slaves 1 .*num-other-sentinels 2 /.test(answer)),
  )
  for (const client of clients) client.disconnect()
  return {
    url: `redis+sentinel://${ports.map(port => `127.0.0.1:${port}`).join(',')}/${name}`,
    master,
    async stop() {
      await Promise.all(sentinels.map(sentinel => sentinel.stop()))
      await Promise.all([master.stop(), replica.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A Sentinel and its master, both with TLS and the name `localhost`. */
export async function startSecureSentinel(authority: { ca: string; certificate: string; key: string }) {
  const [masterPort, port] = [await freePort(), await freePort()]
  const tls = [
    `tls-cert-file ${authority.certificate}`,
    `tls-key-file ${authority.key}`,
    `tls-ca-cert-file ${authority.ca}`,
    'tls-auth-clients no',
  ]
  const args = [`tls-port ${masterPort}`, ...tls].flatMap(setting => `--${setting}`.split(' '))
  const master = await startRedis({ args })
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-sentinel-'))
  const sentinel = await startSentinel(folder, await freePort(), [
    ...[`tls-port ${port}`, ...tls, 'tls-replication yes'],
    ...['sentinel resolve-hostnames yes', 'sentinel announce-hostnames yes'],
    `sentinel monitor ${name} localhost ${masterPort} 1`,
  ])
  return {
    url: `rediss+sentinel://localhost:${port}/${name}`,
    async stop() {
      await sentinel.stop()
      await master.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A Sentinel and its master with different passwords. The Sentinel's password has a user name too. */
export async function startGuardedSentinel() {
  const master = await startRedis()
  const admin = new Redis(master.url)
  await admin.config('SET', 'requirepass', 'm@ster')
  admin.disconnect()
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-sentinel-'))
  const port = await freePort()
  const sentinel = await startSentinel(folder, port, [
    'user default on nopass ~* &* -@all +info +ping',
    'user watcher on >s/ecret ~* &* +@all',
    `sentinel monitor ${name} 127.0.0.1 ${master.port} 1`,
    `sentinel auth-pass ${name} m@ster`,
  ])
  return {
    url: (watcher: string) =>
      `redis+sentinel://:m%40ster@127.0.0.1:${port}/${name}?sentinel_username=watcher&sentinel_password=${watcher}`,
    async stop() {
      await sentinel.stop()
      await master.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function startSentinel(folder: string, port: number, about: string[]) {
  const file = join(folder, `${port}.conf`)
  const settings = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...about]
  const times = [`sentinel down-after-milliseconds ${name} 500`, `sentinel failover-timeout ${name} 1500`]
  writeFileSync(file, [...settings, ...times, ''].join('\n'))
  const answers = async () => {
    const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: null })
    client.on('error', () => {})
    await client.connect()
    client.disconnect()
  }
  return startProgram({ command: 'redis-server', args: [file, '--sentinel'], answers })
}
