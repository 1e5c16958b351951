import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { openRedis, setCredentials } from '../../src/limiter/redis.ts'
import { openLog } from '../../src/tools/log.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { startRedis } from '../support/services.ts'

const silent = openLog('silent')

describe.runIf(findProgram('redis-server'))('the connection to Redis', () => {
  it('the URL of Redis gives the client the password, the user and the number of the database', async () => {
    const service = await startRedis()
    const admin = await openRedis(service.url, silent)
    await admin.acl('SETUSER', 'shop', 'on', '>of the shop', '~*', '+@all')
    const shop = await openRedis(service.url.replace('//', '//shop:of%20the%20shop@').concat('/3'), silent)
    expect(await shop.client('INFO')).toMatch(/ db=3 .* user=shop /)
    shop.disconnect()
    await admin.config('SET', 'requirepass', 'p@ss/word')

    const redis = await openRedis(service.url.replace('//', `//:${encodeURIComponent('p@ss/word')}@`), silent)

    expect(await redis.ping()).toBe('PONG')
    for (const client of [admin, redis]) client.disconnect()
    await service.stop()
  })

  it('after a change to a URL without a user, new connections sign in without the old user', async () => {
    const service = await startRedis()
    const admin = await openRedis(service.url, silent)
    await admin.acl('SETUSER', 'shop', 'on', '>old', '~*', '+@all')
    const redis = await openRedis(service.url.replace('//', '//shop:old@'), silent)
    await admin.config('SET', 'requirepass', 'new')
    const changed = service.url.replace('//', '//:new@')

    expect(setCredentials(redis, changed)).toBe(true)
    redis.disconnect(true)

    await expect.poll(() => redis.client('INFO')).toContain(' user=default ')
    expect(setCredentials(redis, changed)).toBe(false)
    for (const client of [admin, redis]) client.disconnect()
    await service.stop()
  })

  it.runIf(findProgram('openssl'))('a rediss:// URL connects with TLS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-tls-'))
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', certificate]
    execFileSync('openssl', ['req', ...made, ...subject], { stdio: 'pipe' })
    const port = await freePort()
    const tls = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-auth-clients', 'no']
    const service = await startRedis({ args: ['--tls-port', `${port}`, ...tls] })
    const trusted = getCACertificates()
    setDefaultCACertificates([...trusted, readFileSync(certificate, 'utf8')])

    const redis = await openRedis(`rediss://localhost:${port}`, silent)

    expect(await redis.ping()).toBe('PONG')
    setDefaultCACertificates(trusted)
    redis.disconnect()
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  it('each outage of Redis is logged with one line when it begins and one line when it ends', async () => {
    const lines: string[] = []
    const log = pino({}, { write: line => lines.push(JSON.parse(line).msg) })
    const service = await startRedis()
    const redis = await openRedis(service.url, log)
    const attempts: number[] = []
    redis.on('reconnecting', (delay: number) => attempts.push(delay))

    for (const outage of [1, 2]) {
      attempts.length = 0
      await service.kill9()
      await expect.poll(() => attempts.length, { timeout: 5000 }).toBeGreaterThan(3)
      await service.restart()
      await expect.poll(() => redis.status, { timeout: 2000 }).toBe('ready')
      expect(attempts.slice(0, 4)).toEqual([200, 250, 300, 300])

      expect(lines).toEqual(Array(outage).fill(['Redis is out of reach', 'Redis is in reach again']).flat())
    }
    redis.disconnect()
    await service.stop()
  })

  it('Redis stays out of reach if it does not have the database of its URL, and nothing is counted in another one', async () => {
    const lines: string[] = []
    const log = pino(
      {},
      { write: line => lines.push([JSON.parse(line).msg, JSON.parse(line).reason].join(': ')) },
    )
    const service = await startRedis()
    const redis = await openRedis(`${service.url}/99`, log)
    const statuses = new Set<string>([redis.status])
    for (const status of ['ready', 'reconnecting']) redis.on(status, () => statuses.add(status))

    await expect.poll(() => statuses, { timeout: 10_000 }).toContain('reconnecting')
    await expect(redis.set('key', '')).rejects.toThrow()

    expect([...statuses]).not.toContain('ready')
    expect(lines).toEqual(['Redis is out of reach: ERR DB index is out of range'])
    redis.disconnect()
    await service.stop()
  })

  it('a Redis that may evict counts causes a warning at each connection, and a Redis that may not causes none', async () => {
    const lines: string[] = []
    const log = pino({}, { write: line => lines.push(JSON.parse(line).msg) })
    const warned = () => lines.filter(line => line.startsWith('Redis may evict counts')).length
    const service = await startRedis({ args: ['--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru'] })
    const redis = await openRedis(service.url, log)
    await expect.poll(warned).toBe(1)

    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'no').catch(() => {})
    await expect.poll(warned, { timeout: 10_000 }).toBe(2)
    redis.disconnect()

    for (const [limit, policy] of [
      ['0', 'volatile-lru'],
      ['100mb', 'noeviction'],
    ]) {
      const admin = await openRedis(service.url, silent)
      await admin.config('SET', 'maxmemory', limit ?? '', 'maxmemory-policy', policy ?? '')
      const harmless = await openRedis(service.url, log)
      // The answer to this command comes after the answers to the commands of the start.
      await harmless.ping()
      for (const client of [admin, harmless]) client.disconnect()
    }
    expect(warned()).toBe(2)
    await service.stop()
  })

  it('the start does not wait for a missing Redis', async () => {
    const began = performance.now()

    const redis = await openRedis(`redis://127.0.0.1:${await freePort()}`, silent)

    expect(performance.now() - began).toBeLessThan(2000)
    expect(redis.status).not.toBe('ready')
    // While Redis is missing, a command fails at once.
    const pong = redis.ping().catch(() => 'refused at once')
    expect(await Promise.race([pong, new Promise(resolve => setImmediate(resolve))])).toBe('refused at once')
    redis.disconnect()
  })
})
