import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { accountLabel, certificateLabel, makeSeal } from '../../src/hosting/seal.ts'
import { ask } from '../support/ask.ts'
import {
  type Authority,
  type Certified,
  type Shop,
  secretsKey,
  startAuthority,
  startCertified,
  stateOf,
} from '../support/certified.ts'
import { sendGraphql } from '../support/graphql.ts'
import { shakesHands, until, visit } from '../support/hosting.ts'
import { isPebbleInstalled } from '../support/pebble.ts'
import { freePort } from '../support/programs.ts'
import { startProcess } from '../support/start-process.ts'

const canRun = isPebbleInstalled() && inject('services').postgresUrl !== null
const old = secretsKey
const fresh = randomBytes(32).toString('base64')
const freshSeal = makeSeal([Buffer.from(fresh, 'base64')])
const name = 'www.shop.test'

describe.skipIf(!canRun)('SECRETS_KEY', { timeout: 90_000 }, () => {
  let authority: Authority
  let certified: Certified
  let shop: Shop

  beforeAll(async () => {
    authority = await startAuthority()
  })
  afterAll(() => authority?.stop())

  /** Starts a process that has the old key, and gets a certificate. */
  beforeEach(async () => {
    certified = await startCertified(authority)
    shop = await certified.shop()
    await shop.verify(name)
    await issued(name)
  })
  afterEach(() => certified.stop())

  const tools = () => certified.platform.first.tools
  const row = (which = name) => tools().db.certificate.findUniqueOrThrow({ where: { name: which } })
  const issued = (which: string) =>
    until(
      () => stateOf(certified, which),
      state => state === 'issued',
    )

  /** Starts another process with the given keys. */
  async function start(SECRETS_KEY: string) {
    const [PORT, HTTPS_PORT, OPS_PORT] = [await freePort(), await freePort(), await freePort()]
    const ports = { PORT: String(PORT), HTTPS_PORT: String(HTTPS_PORT), OPS_PORT: String(OPS_PORT) }
    const { child, ended, url } = await certified.startAnother({ ...ports, SECRETS_KEY })
    const ready = async () => await ask(`http://127.0.0.1:${OPS_PORT}/readyz`)
    return {
      url,
      port: PORT,
      ready,
      secrets: async () => ((await ready()).json as { secrets: string }).secrets,
      metric: async (metric: string) =>
        new RegExp(`^${metric} (.*)$`, 'm').exec(
          (await ask(`http://127.0.0.1:${OPS_PORT}/metrics`)).text,
        )?.[1],
      serial: async (which = name) => {
        const socket = await shakesHands(which, HTTPS_PORT)
        const serial = socket?.getPeerCertificate().serialNumber ?? null
        socket?.destroy()
        return serial
      },
      async end() {
        child.kill('SIGTERM')
        await ended
      },
    }
  }

  test('with SECRETS_KEY=NEW,OLD everything is sealed again once every process has both keys, and the service reports when OLD may be removed', async () => {
    const { db, hosting } = tools()
    const before = await row()
    // The certificate also has a pending order with another sealed key.
    const sealedOrderKey = await hosting.seal.close('a key', certificateLabel(name))
    await db.certificate.update({ where: { name }, data: { sealedOrderKey } })
    const both = await start(`${fresh},${old}`)

    // The first process has only the old key, so nothing may be sealed with the new one yet.
    expect(await until(both.secrets, text => !text.startsWith('not known yet'))).toBe(
      '3 were sealed with an older key and are being sealed again',
    )
    expect(await both.metric('animal_store_sealed_with_older_key')).toBe('3')
    expect((await row()).sealedKey).toEqual(before.sealedKey)

    await tools().jobs.close()
    await until(both.secrets, text => text === 'all sealed with the first key; remove the older ones', 60_000)
    expect(await both.metric('animal_store_sealed_with_older_key')).toBe('0')
    expect(await both.metric('animal_store_sealed_unreadable')).toBe('0')
    const after = await row()
    const [account] = await db.acmeAccount.findMany()
    expect(freshSeal.keyOf(after.sealedKey ?? new Uint8Array(), certificateLabel(name))).toBe('first')
    expect(freshSeal.keyOf(after.sealedOrderKey ?? new Uint8Array(), certificateLabel(name))).toBe('first')
    expect(
      freshSeal.keyOf(account?.sealedKey ?? new Uint8Array(), accountLabel(account?.directoryUrl ?? '')),
    ).toBe('first')
    const serial = await both.serial()
    expect(serial).not.toBeNull()
    await both.end()

    const alone = await start(fresh)
    expect(await until(alone.secrets, text => !text.startsWith('not known yet'))).toBe('open')
    expect(await alone.serial()).toBe(serial)
    await shop.verify('www.next.test')
    await issued('www.next.test')
    expect(
      await until(
        () => alone.serial('www.next.test'),
        found => found !== null,
      ),
    ).not.toBeNull()
    expect(certified.proxy.count('newAccount')).toBe(1)
  })

  test('a SECRETS_KEY that opens nothing fails the start and says what to do', async () => {
    const refused = await startProcess({ ...certified.env, SECRETS_KEY: fresh })

    expect(await refused.ended).toBe(1)
    expect(refused.output()).toContain('SECRETS_KEY decrypts none of the private keys in the database')
    expect(refused.output()).toContain('SECRETS_KEY=NEW,OLD')
    expect(refused.output()).not.toContain('    at ')
  })

  test('a lost SECRETS_KEY is replaced as docs/domains.md says: the webhooks are listed and removed, and all certificates are issued again', async () => {
    const { db, jobs } = tools()
    await jobs.close()
    const { chain } = await row()
    const webhook = { url: 'https://hooks.shop.test/', description: 'Till', types: [], enabled: false }
    expect((await shop.post('/v1/webhooks', webhook)).status).toBe(201)
    const doc = readFileSync(new URL('../../docs/domains.md', import.meta.url), 'utf8')
    const [, list = ''] = /```sql lost-webhooks\n([\s\S]*?)```/.exec(doc) ?? []
    const [, sql = ''] = /```sql lost-key\n([\s\S]*?)```/.exec(doc) ?? []

    const listed = await db.$queryRawUnsafe(list)
    for (const statement of sql.split(';').filter(text => text.trim() !== ''))
      await db.$executeRawUnsafe(statement)
    const alone = await start(fresh)

    expect(listed).toEqual([{ slug: shop.project.slug, ...webhook }])
    expect(await db.webhookEndpoint.count()).toBe(0)
    expect((await until(row, now => now.chain !== null)).chain).not.toBe(chain)
    expect(await until(alone.serial, found => found !== null)).not.toBeNull()
    expect(certified.proxy.count('newAccount')).toBe(2)
  })

  test('if SECRETS_KEY opens only some keys, /readyz, the metrics and the API report the problem, and Re-verify creates a new certificate key and account', async () => {
    const { db, hosting, jobs } = tools()
    const well = 'www.well.test'
    await shop.verify(well)
    await issued(well)
    const key = hosting.seal.open((await row(well)).sealedKey ?? new Uint8Array(), certificateLabel(well))
    await db.certificate.update({
      where: { name: well },
      data: { sealedKey: freshSeal.close(key, certificateLabel(well)) },
    })
    await jobs.close()
    const alone = await start(fresh)

    expect(await until(alone.secrets, text => !text.startsWith('not known yet'))).toBe(
      '2 do not open with SECRETS_KEY',
    )
    expect(await alone.ready()).toMatchObject({ status: 200, json: { status: 'degraded' } })
    expect(await alone.metric('animal_store_sealed_unreadable')).toBe('2')
    const send = (query: string) => sendGraphql(alone.url, shop.secret, query)
    const shown = await send(
      `{ domain(name: "${name}") { id host certificate certificateDetails { problem { code message } } } }`,
    )
    expect(shown.data.domain).toMatchObject({
      host: 'live',
      certificate: 'failed',
      certificateDetails: {
        problem: { code: 'key_unreadable', message: expect.stringContaining('Re-verify') },
      },
    })
    const plain = () => visit(`http://${name}:${alone.port}/`, alone.port)
    expect((await until(plain, answer => answer.status !== 308, 5_000)).status).toBe(200)
    expect((await visit(`http://${well}:${alone.port}/`, alone.port)).status).toBe(308)
    expect([await alone.serial(), await alone.serial(well)]).toEqual([null, expect.any(String)])

    await db.domain.updateMany({ data: { checkRequestedAt: null } })
    const again = await send(`mutation { reverifyDomain(id: "${shown.data.domain.id}") { certificate } }`)
    expect(again.data.reverifyDomain).toEqual({ certificate: 'issuing' })
    await issued(name)

    expect(await until(alone.serial, found => found !== null)).not.toBeNull()
    expect((await until(plain, answer => answer.status !== 200, 5_000)).status).toBe(308)
    expect(certified.proxy.count('newAccount')).toBe(2)
    await until(alone.ready, ({ json }) => (json as { status: string }).status === 'ready')
    expect(await alone.metric('animal_store_sealed_unreadable')).toBe('0')
  })
})
