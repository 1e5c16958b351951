import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { addDomain, removeDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import type { Project } from '../../src/core/project.ts'
import {
  certificateState,
  makeDeployed,
  type Platform,
  shakesHands,
  startPlatform,
  until,
} from '../support/hosting.ts'

describe.skipIf(!inject('services').postgresUrl)('connections of a removed domain', () => {
  let platform: Platform
  let project: Project
  let target: string

  beforeAll(async () => {
    platform = await startPlatform()
    ;({ project, target } = await makeDeployed(platform))
  })
  afterAll(() => platform?.stop())

  async function goLive(name: string) {
    const { db, hosting, jobs } = platform.first.tools
    platform.setRecords(`${name} CNAME ${target}`)
    await addDomain(db, hosting, project, { name })
    await verifyDomain(db, hosting, project, name)
    jobs.wake('domains')
    await until(
      () => certificateState(platform.first, name),
      state => state === 'issued',
    )
    return connectTo(name)
  }
  /** Opens a connection and sends a request, because the service closes an unused connection after some seconds. */
  async function connectTo(name: string) {
    const socket = await until(
      () => shakesHands(name, platform.first.httpsPort),
      socket => socket !== null,
    )
    const answered = once(socket as TLSSocket, 'data')
    socket?.write(`GET /livez HTTP/1.1\r\nHost: ${name}\r\n\r\n`)
    await answered
    return socket as TLSSocket
  }
  const isClosed = (socket: TLSSocket) => expect.poll(() => socket.destroyed, { timeout: 10_000 }).toBe(true)

  test('a connection of a removed domain is closed even if the process twice fails to read the domain from the database', async () => {
    const { config, db, jobs } = platform.first.tools
    const open = await goLive('www.gone.test')
    // With the jobs stopped, only look-ups of hosts read the certificates.
    await jobs.close()
    onTestFinished(() => jobs.start())
    const other = new pg.Client(config.databaseUrl ?? '')
    await other.connect()
    onTestFinished(() => other.end())
    const waiting = async () => {
      // PostgreSQL keeps a snapshot of the statistics until the transaction ends, so connections that opened later
      // would be missing.
      await other.query('SELECT pg_stat_clear_snapshot()')
      const { rows } = await other.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
      return rows.length
    }

    await other.query('BEGIN; LOCK TABLE certificates IN ACCESS EXCLUSIVE MODE')
    await db.domain.deleteMany({ where: { name: 'www.gone.test' } })
    for (let times = 0; times < 2; times++) {
      await until(waiting, count => count > 0)
      await until(waiting, count => count === 0)
    }
    expect(open.destroyed).toBe(false)
    await other.query('ROLLBACK')

    await isClosed(open)
  })

  test('a connection of a removed domain is closed even if the log of changes was unreadable during the removal and no request follows', async () => {
    const { changes, config } = platform.first.tools
    const open = await goLive('www.unheard.test')
    const inCapitals = await connectTo('WWW.Unheard.TEST')
    // Closing one connection must not affect the others.
    const shorter = await connectTo('www.unheard.test')
    shorter.end()
    await once(shorter, 'close')
    const other = new pg.Client(config.databaseUrl ?? '')
    await other.connect()
    onTestFinished(() => other.end())

    // Reads of the log wait for this transaction until they time out.
    await other.query("BEGIN; DELETE FROM domains WHERE name = 'www.unheard.test'; LOCK TABLE changes")
    await expect.poll(() => changes.isTrusted(3_000), { timeout: 20_000 }).toBe(false)
    expect(open.destroyed).toBe(false)
    await other.query('COMMIT')

    await isClosed(open)
    await expect.poll(() => inCapitals.destroyed).toBe(true)
  })

  test('a connection of a removed domain is closed even if its handshake ended after the removal', async () => {
    const { db, hosting } = platform.first.tools
    ;(await goLive('www.slow.test')).destroy()
    const slow = await startSlowClient(platform.first.httpsPort)
    const socket = connectSecurely({
      ...{ host: '127.0.0.1', port: slow.port, servername: 'www.slow.test', rejectUnauthorized: false },
    })
    socket.on('error', () => {})
    // In TLS 1.3, the handshake ends for the client before the server has read the client's last message.
    await Promise.all([once(socket, 'secureConnect'), slow.hasAnswer])

    await removeDomain(db, hosting, project, 'www.slow.test')
    await hosting.hosts.waitUntilForgotten()
    slow.goOn()

    await isClosed(socket)
  })
})

/** Starts a TCP proxy that delays the client's second message, which ends the handshake. */
async function startSlowClient(port: number) {
  const answered = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const open: Socket[] = []
  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    open.push(client, upstream)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.once('data', hello => {
      upstream.write(hello)
      client.pause()
      gone.promise.then(() => client.pipe(upstream))
    })
    upstream.once('data', () => answered.resolve())
    upstream.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, hasAnswer: answered.promise, goOn: gone.resolve }
}
