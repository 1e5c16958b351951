import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openLimitNotices } from '../../src/core/projects/limit-notices.ts'
import type { Project } from '../../src/generated/prisma/client.ts'
import { AuthorityRefusal, type CertificateAuthority } from '../../src/hosting/certificate-authority.ts'
import { type ClaimedSeal, openSeal } from '../../src/hosting/seal-claim.ts'
import { givenKeys } from '../../src/hosting/secrets-key.ts'
import { openWebhooks } from '../../src/hosting/webhooks.ts'
import { type Jobs, openJobs } from '../../src/jobs/jobs.ts'
import { openLog } from '../../src/tools/log.ts'
import { openMetrics } from '../../src/tools/metrics.ts'
import { makeCallers } from '../support/callers.ts'
import { changesByHand } from '../support/changes-by-hand.ts'
import { movableClock } from '../support/clock.ts'
import { dnsLook } from '../support/dns-look.ts'
import { canRace, prepareOwnDatabase } from '../support/open-database.ts'

const clock = movableClock()
const ago = (ms: number) => new Date(clock.now() - ms)
const day = 86_400_000
const log = openLog('silent')
const nothing = { reached: true, records: [] } as const

describe.skipIf(!canRace())('the jobs of a process', () => {
  const own = prepareOwnDatabase()
  let project: Project
  let jobs: Jobs
  /** Names for which DNS or the authority was queried. */
  let received: string[]
  beforeEach(async () => {
    for (const table of [own.db.certificate, own.db.domain, own.db.secretsKey] as { deleteMany(): object }[])
      await table.deleteMany()
    project = await own.makeProject()
    received = []
  })
  afterEach(() => jobs.close())

  function open(seal: ClaimedSeal, authority: Partial<CertificateAuthority> = {}): Jobs {
    const record = { resolve: async () => nothing, askZone: async () => nothing }
    return openJobs({
      ...{ db: own.db, database: own.database, clock, log, metrics: openMetrics(), seal },
      changes: changesByHand(),
      limitNotices: openLimitNotices(own.db),
      webhooks: openWebhooks(
        { databaseUrl: '', webhookNetworks: [] },
        { database: own.database, clock, seal },
      ),
      ...{ platformHost: 'animals.test', orderBounds: { perHour: 3, perDay: 5 } },
      nameRules: { platformHost: 'animals.test', ownHosts: [], suffixes: ['test'] },
      dns: { ...record, findNameServers: async () => [] } as never,
      async checkDns(name) {
        received.push(`DNS for ${name}`)
        return dnsLook()
      },
      authorities: [
        {
          ...{ directoryUrl: 'https://ca.test/dir', host: 'ca.test', root: null },
          issuer: async () => ({ identities: [], accountUrl: null }),
          async startOrder(name) {
            received.push(`the authority for ${name}`)
            throw new AuthorityRefusal('ca_unreachable', 'away')
          },
          advance: async () => ({ outcome: 'gone' }),
          adviseRenewal: async () => null,
          isRevoked: async () => false,
          ...authority,
        },
      ],
    })
  }
  const ownSeal = () => {
    const key = randomBytes(32)
    return openSeal(
      own.db,
      givenKeys(() => [key]),
      log,
    )
  }

  /** Stores one due job of each kind. */
  async function fill() {
    const { db } = own
    await own.giveDomain(project, 'www.owned.test')
    await db.certificate.create({ data: { name: 'www.owned.test', wantedSince: ago(1), nextStepAt: ago(1) } })
    const looked = { createdAt: ago(day), looksSince: ago(day), nextLookAt: ago(1) }
    await db.domain.create({ data: { projectId: project.id, name: 'www.waits.test', ...looked } })
    const challenge = { name: 'www.gone.test', keyAuthorization: 'key', expiresAt: ago(1) }
    await db.acmeChallenge.create({ data: { token: `${project.id}`, ...challenge } })
    await db.pet.create({ data: { projectId: project.id, name: 'Rex', categoryId: 1n } })
    const creation = { projectId: project.id, key: 'k', inputHash: new Uint8Array(32), petId: 1n }
    await db.idempotentCreation.create({ data: { ...creation, expiresAt: ago(1) } })
    const [caller] = await makeCallers(db, 1)
    const startOfDay = Math.floor(ago(30 * day).getTime() / day) * day
    const use = { door: 'rest', requests: 1n, refusals: 0n, faulty: 0n, failed: 0n }
    const usage = { projectId: caller?.project.id ?? 0, apiKeyId: caller?.key.id ?? '', ...use }
    const hours = [1, 2, 3].map(hour => ({ ...usage, hour: new Date(startOfDay + hour * 3_600_000) }))
    await db.keyUsage.createMany({ data: hours })
    return async () => ({
      challenges: await db.acmeChallenge.count(),
      keys: await db.idempotentCreation.count(),
      pets: await db.petCount.count({ where: { projectId: project.id, what: 'unset' } }),
      hours: await db.keyUsage.count({ where: { apiKeyId: usage.apiKeyId } }),
      processes: await db.secretsKeyHolder.count(),
      looks: received.filter(one => one === 'DNS for www.waits.test').length,
    })
  }
  const done = { challenges: 0, keys: 0, pets: 1, hours: 1, processes: 1, looks: 1 }

  it('every kind of job starts and ends with the process', { timeout: 30_000 }, async () => {
    const state = await fill()
    jobs = open(ownSeal())
    expect(await state()).toEqual({ challenges: 1, keys: 1, pets: 0, hours: 3, processes: 0, looks: 0 })

    jobs.start()

    await expect.poll(state, { timeout: 20_000 }).toEqual(done)
    await expect.poll(() => received, { timeout: 20_000 }).toContain('the authority for www.owned.test')
    await jobs.close()
    expect((await state()).processes).toBe(0)
  })

  it('a process without the secrets key does every job but certificates', { timeout: 30_000 }, async () => {
    const state = await fill()
    jobs = open({ ...ownSeal(), refusal: () => 'lacks the key' })
    const before = await own.db.certificate.findMany({ where: { name: 'www.owned.test' } })
    jobs.start()

    await expect.poll(state, { timeout: 20_000 }).toEqual(done)
    jobs.wake('domains')
    await expect.poll(() => own.db.certificate.count()).toBe(2)

    expect(await own.db.certificate.findMany({ where: { name: 'www.owned.test' } })).toEqual(before)
    expect(received).toEqual(['DNS for www.waits.test'])
  })

  it('a change of a domain starts the DNS checks at once, but not the clean-up', {
    timeout: 30_000,
  }, async () => {
    const state = await fill()
    jobs = open({ ...ownSeal(), refusal: () => 'lacks the key' })
    jobs.start()
    await expect.poll(state, { timeout: 20_000 }).toEqual(done)
    const challenge = { name: 'www.gone.test', keyAuthorization: 'key', expiresAt: ago(1) }
    await own.db.acmeChallenge.create({ data: { token: 'another', ...challenge } })
    const looked = { createdAt: ago(day), looksSince: ago(day), nextLookAt: ago(1) }
    await own.db.domain.create({ data: { projectId: project.id, name: 'www.more.test', ...looked } })

    // Half of the interval after which workers look for jobs by themselves.
    const later = performance.now() + 16_000
    const watch = vi.spyOn(performance, 'now').mockImplementation(() => later)
    onTestFinished(() => watch.mockRestore())
    jobs.wake('domains')

    await expect.poll(() => received, { timeout: 10_000 }).toContain('DNS for www.more.test')
    expect(await own.db.acmeChallenge.count()).toBe(1)
  })

  /** Stores a due certificate, and sends its order. */
  async function startOrdering(authority: Partial<CertificateAuthority>): Promise<void> {
    await own.giveDomain(project, 'www.owned.test')
    const due = { name: 'www.owned.test', wantedSince: ago(1), nextStepAt: ago(1) }
    await own.db.certificate.create({ data: due })
    jobs = open(ownSeal(), authority)
    jobs.start()
    await expect.poll(() => received, { timeout: 20_000 }).toEqual(['the authority'])
  }
  const isLetGo = { attempts: 0, problem: null, leasedUntil: null }

  it('when a process stops, its jobs end after their current step and leave the next step to other processes', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<void>()
    await startOrdering({
      async startOrder() {
        received.push('the authority')
        await promise
        throw new AuthorityRefusal('ca_unreachable', 'away')
      },
    })

    const ended: string[] = []
    const closing = jobs.close().then(() => ended.push('the jobs'))
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    ended.push('the step')
    answer()
    await closing

    expect(ended).toEqual(['the step', 'the jobs'])
    expect(await own.db.certificate.findFirst()).toMatchObject(isLetGo)
  })

  it('when a process stops, its jobs end without waiting for a slow order', { timeout: 15_000 }, async () => {
    await startOrdering({
      startOrder: async () => 'https://ca.test/order/1',
      async advance() {
        received.push('the authority')
        return { outcome: 'pending', waitMs: 19_000 }
      },
    })

    await jobs.close()

    const orderUrl = 'https://ca.test/order/1'
    expect(await own.db.certificate.findFirst()).toMatchObject({ ...isLetGo, orderUrl })
  })
})
