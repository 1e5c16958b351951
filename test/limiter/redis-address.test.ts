import { rmSync } from 'node:fs'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRedis } from '../../src/limiter/redis.ts'
import { openLog } from '../../src/tools/log.ts'
import { makeAuthority } from '../support/authority.ts'
import { until } from '../support/hosting.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { startGuardedSentinel, startSecureSentinel, startSentinels } from '../support/redis-sentinel.ts'
import { startRedis } from '../support/services.ts'

const silent = openLog('silent')

describe.runIf(findProgram('redis-server'))('the connection to Redis', () => {
  it('the limiter finds the master through Sentinel, and finds the next master after the first is killed', async () => {
    const { url, master, stop } = await startSentinels()
    onTestFinished(stop)
    const redis = await openRedis(`${url}/1`, silent)
    onTestFinished(() => redis.disconnect())
    await redis.set('before', '1')
    expect(await redis.info('server')).toContain(`tcp_port:${master.port}`)

    await master.kill9()

    await until(
      () => redis.set('after', '1').catch(() => null),
      answer => answer === 'OK',
    )
    expect(await redis.info('server')).not.toContain(`tcp_port:${master.port}`)
  }, 60_000)

  it('the limiter signs in to Sentinels and to the master with their own names and passwords', async () => {
    const { url, stop } = await startGuardedSentinel()
    onTestFinished(stop)

    const redis = await openRedis(url('s%2Fecret'), silent)
    const mistaken = await openRedis(url('other'), silent)
    onTestFinished(() => {
      for (const client of [redis, mistaken]) client.disconnect()
    })

    expect(await redis.ping()).toBe('PONG')
    expect(mistaken.status).not.toBe('ready')
  })

  it('the limiter connects over a unix socket', async () => {
    const service = await startRedis()
    onTestFinished(() => service.stop())
    const path = `${service.folder}/redis.sock`
    const admin = new Redis(service.url)
    onTestFinished(() => admin.disconnect())
    const socketed = await startRedis({ args: ['--unixsocket', path] })
    onTestFinished(() => socketed.stop())

    const redis = await openRedis(`unix://${path}?db=3`, silent)
    onTestFinished(() => redis.disconnect())

    expect(await redis.client('INFO')).toMatch(/addr=\S+redis\.sock.* db=3 /)
  })

  it.runIf(findProgram('openssl'))(
    'the limiter trusts the authority of REDIS_CA_FILE, and no other',
    async () => {
      const [own, other] = [makeAuthority(undefined), makeAuthority(undefined)]
      onTestFinished(() => {
        for (const { folder } of [own, other]) rmSync(folder, { recursive: true })
      })
      const port = await freePort()
      const tls = ['--tls-cert-file', own.certificate, '--tls-key-file', own.key, '--tls-auth-clients', 'no']
      const service = await startRedis({ args: ['--tls-port', `${port}`, ...tls] })
      onTestFinished(() => service.stop())

      const redis = await openRedis(`rediss://localhost:${port}`, silent, own.ca)
      const mistrusting = await openRedis(`rediss://localhost:${port}`, silent, other.ca)
      onTestFinished(() => {
        for (const client of [redis, mistrusting]) client.disconnect()
      })

      expect(await redis.ping()).toBe('PONG')
      expect(mistrusting.status).not.toBe('ready')
      await expect(openRedis(`rediss://localhost:${port}`, silent, '/absent.pem')).rejects.toThrow(
        /^REDIS_CA_FILE cannot be read/,
      )
      await expect(openRedis(`rediss://localhost:${port}`, silent, own.key)).rejects.toThrow(
        /^REDIS_CA_FILE must be a PEM file of certificates/,
      )
    },
  )

  it.runIf(findProgram('openssl'))('the limiter trusts only REDIS_CA_FILE for Sentinels too', async () => {
    const [own, other] = [makeAuthority(undefined), makeAuthority(undefined)]
    const { url, stop } = await startSecureSentinel(own)
    onTestFinished(async () => {
      await stop()
      for (const { folder } of [own, other]) rmSync(folder, { recursive: true })
    })

    const redis = await openRedis(url, silent, own.ca)
    const mistrusting = await openRedis(url, silent, other.ca)
    onTestFinished(() => {
      for (const client of [redis, mistrusting]) client.disconnect()
    })

    expect(await redis.ping()).toBe('PONG')
    expect(mistrusting.status).not.toBe('ready')
  })
})
