import { beforeEach, describe, expect, it } from 'vitest'
import { endPauses } from '../../src/core/certificates/authority-pauses.ts'
import {
  retryCertificate,
  setCertificateAside,
  wantCertificate,
} from '../../src/core/certificates/certificates.ts'
import type { Certificate } from '../../src/generated/prisma/client.ts'
import {
  AuthorityRefusal,
  type CertificateAuthority,
  StoredPause,
} from '../../src/hosting/certificate-authority.ts'
import type { CertificateTools } from '../../src/jobs/certificate-tools.ts'
import { dnsThatAnswers } from '../support/dns-double.ts'
import { prepareDueCertificate } from '../support/due-certificate.ts'
import { canRace } from '../support/open-database.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe.skipIf(!canRace())('a certificate with two authorities', () => {
  const { own, due, at, sign, double, issue, warnings, row, want, orderedFor, stopClock } =
    prepareDueCertificate()
  /** For each requested order, the host of its authority. */
  let requests: string[]
  beforeEach(() => {
    requests = []
    stopClock()
  })

  type Changes = Partial<CertificateAuthority>
  const recording = (host: string, changes: Changes = {}): CertificateAuthority => {
    const authority = double(host, changes)
    const startOrder = (name: string, chain: string | null) => {
      requests.push(chain ? `${host} to replace` : host)
      return authority.startOrder(name, chain)
    }
    return { ...authority, startOrder }
  }
  const away = { startOrder: () => Promise.reject(new AuthorityRefusal('ca_unreachable', 'Away.')) }
  /** Runs the job at the time when the certificate's next step is due. */
  async function step(
    one: Changes,
    two: Changes,
    others: Partial<CertificateTools> = {},
  ): Promise<Certificate> {
    const next = Math.max(Number((await row()).nextStepAt), due.clock.now())
    due.clock = { ...due.clock, now: () => next }
    const authorities = [recording('one.test', one), recording('two.test', two)] as const
    // Allow many orders, because these tests are not about the project's limit on orders.
    const orderBounds = { perHour: 1_000, perDay: 1_000 }
    await issue({}, undefined, { authorities, orderBounds, ...others })
    return row()
  }
  /** Runs due steps until the certificate is as `isEnd` requires. */
  async function steps(
    one: Changes,
    two: Changes,
    isEnd: (now: Certificate) => boolean,
  ): Promise<Certificate> {
    for (let n = 0; n < 60; n++) {
      const now = await step(one, two)
      if (isEnd(now)) return now
    }
    throw new Error('no step of 60 ended as wished')
  }
  const isIssued = ({ chain, problem }: Certificate) => chain !== null && problem === null
  /** A certificate of 90 days that `issuedBy` issued, of which 30 days are left. */
  async function inUse(issuedBy: string | null): Promise<Partial<Certificate>> {
    const { chain, sealedKey } = await issueOnce()
    await own.db.certificate.deleteMany()
    return { chain, sealedKey, issuedBy, notBefore: at(-60 * day), notAfter: at(30 * day) }
  }
  async function issueOnce(): Promise<Certificate> {
    await want()
    await issue()
    return row()
  }
  const [one, two] = ['https://one.test/dir', 'https://two.test/dir']

  it('a first certificate is ordered at the second authority after three refusals of the first', async () => {
    await want()

    const first = await step(away, {})
    const began = due.clock.now()
    await step(away, {})
    const third = await step(away, {})
    const issued = await step(away, {})

    expect(requests).toEqual(['one.test', 'one.test', 'one.test', 'two.test'])
    expect(first).toMatchObject({ directoryUrl: one, refusals: 1 })
    expect((first.problem as { message: string }).message).toBe(
      `Away. If the refusals continue, the certificate is ordered from two.test at ${new Date(began + 15 * minute).toISOString()} at the latest.`,
    )
    expect(third).toMatchObject({ directoryUrl: two, refusals: 0, refusedSince: null, nextStepAt: at(0) })
    expect(third.problem).toMatchObject({ message: 'Away. two.test is asked next.' })
    expect(issued).toMatchObject({ issuedBy: two, directoryUrl: null, problem: null, attempts: 0 })
    const lines = warnings.mock.calls.filter(([, text]) => text === 'the next certificate authority is asked')
    expect(lines.map(([line]) => line)).toMatchObject([
      { name: due.name, authority: 'one.test', next: 'two.test' },
    ])
  })

  it('a pause of two days at the first authority delays a first certificate by 15 minutes, until the second authority issues it', async () => {
    await want()
    const began = due.clock.now()
    const pause = new StoredPause('ca_rate_limited', 'Too many.', at(2 * day))

    const paused = await step({ startOrder: () => Promise.reject(pause) }, {})
    await steps({ startOrder: () => Promise.reject(pause) }, {}, isIssued)

    expect(paused.nextStepAt).toEqual(new Date(began + 15 * minute))
    expect(due.clock.now() - began).toBe(15 * minute)
    expect(requests).toEqual(['one.test', 'one.test', 'two.test'])
  })

  it('a renewal is ordered at the second authority after a third of the remaining life, whatever pause the issuer asks for', async () => {
    await want({ ...(await inUse(one)), nextStepAt: at(0) })
    const began = due.clock.now()
    const pause = () =>
      Promise.reject(
        new AuthorityRefusal('ca_rate_limited', 'Too many.', new Date(due.clock.now() + 25 * day)),
      )

    const issued = await steps({ startOrder: pause }, {}, isIssued)

    expect(due.clock.now() - began).toBe(10 * day)
    expect(issued.issuedBy).toBe(two)
    // Only the order at the issuer names the certificate to replace, because no other authority knows it.
    expect([...new Set(requests)]).toEqual(['one.test to replace', 'two.test'])
  })

  it('a renewal is ordered at the issuer first, even if it is not the first of the configuration', async () => {
    await want({ ...(await inUse(two)), nextStepAt: at(0) })

    await step({}, {})

    expect(requests).toEqual(['two.test to replace'])
    expect(await row()).toMatchObject({ issuedBy: two, problem: null })
  })

  it('only the authority that issued a certificate is asked when to renew; if that authority is not configured, no authority is asked', async () => {
    const advised: string[] = []
    const advise = (host: string): Changes => ({
      async adviseRenewal() {
        advised.push(host)
        return { renewAt: at(day), askAgainAt: at(hour) }
      },
    })
    const certificate = {
      ...(await inUse(two)),
      notBefore: at(-2 * day),
      notAfter: at(88 * day),
      issuedAt: at(-2 * day),
    }

    await want({ ...certificate, nextStepAt: at(0) })
    await step(advise('one.test'), advise('two.test'))
    await own.db.certificate.deleteMany()
    await want({ ...certificate, issuedBy: 'https://gone.test/dir', nextStepAt: at(0) })
    await step(advise('one.test'), advise('two.test'))

    expect(advised).toEqual(['two.test'])
    expect(requests).toEqual([])
  })

  it('an authority that recovers before the service changes to the second authority issues the certificate', async () => {
    await want()
    await step(away, {})
    await step(away, {})

    const issued = await step({}, {})

    expect(requests).toEqual(['one.test', 'one.test', 'one.test'])
    expect(issued).toMatchObject({ issuedBy: one, directoryUrl: null, refusedSince: null, refusals: 0 })
  })

  it('an order that the first authority accepts just before the service would change to the second authority is completed at the first authority', async () => {
    await want()
    await step(away, {})
    await step(away, {})
    const moving = { advance: async () => ({ outcome: 'pending', waitMs: 10 * minute }) as const }

    await step(moving, {})
    const issued = await step({}, {})

    expect(requests).toEqual(['one.test', 'one.test', 'one.test'])
    expect(issued.issuedBy).toBe(one)
  })

  it('an order that hangs for 15 minutes counts as silence of the authority, and the next order goes to the second authority', async () => {
    await want()
    const began = due.clock.now()
    const hangs = { advance: async () => ({ outcome: 'pending', waitMs: 0 }) as const }

    const overdue = await steps(hangs, {}, ({ problem }) => problem !== null)
    const issued = await step(hangs, {})

    expect(overdue.problem).toMatchObject({
      code: 'overdue',
      message:
        'The certificate authority one.test did not finish the order in time; a new order follows. two.test is asked next.',
    })
    expect(overdue).toMatchObject({ orderUrl: null, sealedOrderKey: null })
    expect(due.clock.now() - began).toBeLessThanOrEqual(15 * minute + second)
    expect(issued.issuedBy).toBe(two)
  })

  it('if an authority becomes unreachable during an order, the second authority issues the certificate', async () => {
    await want()
    await step({ advance: async () => ({ outcome: 'pending', waitMs: 0 }) }, {})
    const silent = { advance: () => Promise.reject(new AuthorityRefusal('ca_unreachable', 'Away.')) }

    const issued = await steps(silent, {}, isIssued)

    expect(issued).toMatchObject({ issuedBy: two, orderUrl: null })
    expect(requests).toEqual(['one.test', 'two.test'])
  })

  it('a domain that is removed and added again hours later is ordered at the same authority, without counting a failure', async () => {
    await want()
    await step({ advance: async () => ({ outcome: 'pending', waitMs: 0 }) }, {})
    await setCertificateAside(own.db, due.name)
    const later = due.clock.now() + 2 * hour
    due.clock = { ...due.clock, now: () => later }
    await wantCertificate(own.db, at(0), due.name)

    const issued = await step({}, {})

    expect(requests).toEqual(['one.test', 'one.test'])
    expect(issued).toMatchObject({ issuedBy: one, problem: null })
  })

  it('if an authority loses each order at once, the second authority issues the certificate after a few orders', async () => {
    await want()

    const lost = await step({ advance: async () => ({ outcome: 'gone' }) }, {})
    const issued = await steps({ advance: async () => ({ outcome: 'gone' }) }, {}, isIssued)

    expect(lost.problem).toMatchObject({ code: 'ca_refused' })
    expect(requests).toEqual(['one.test', 'one.test', 'one.test', 'two.test'])
    expect(issued.issuedBy).toBe(two)
  })

  it('a first certificate skips an authority that has asked to wait, and a renewal does not', async () => {
    const until = at(2 * day)
    const pause = {
      directoryUrl: one,
      name: '',
      wholeDomain: true,
      until,
      reason: 'Slow down.',
      isExplained: true,
    }
    await own.db.acmePause.create({ data: pause })

    await want()
    const issued = await step({}, {})
    await own.db.certificate.deleteMany()
    await want({ ...(await inUse(one)), nextStepAt: at(0) })
    await step({}, {})
    await own.db.acmePause.deleteMany()

    expect(issued.issuedBy).toBe(two)
    expect(requests).toEqual(['two.test', 'one.test to replace'])
  })

  it('a second authority that is added during an outage is used as soon as the operator ends the pauses', async () => {
    await want()
    await issue(away)
    const later = due.clock.now() + hour
    due.clock = { ...due.clock, now: () => later }
    await own.db.certificate.updateMany({ data: { nextStepAt: at(5 * hour) } })
    const first = { ...away, directoryUrl: 'https://ca.test/dir', host: 'ca.test' }

    const resumed = await endPauses(own.db, at(0))
    await step(first, {})
    const issued = await step(first, {})

    expect(resumed).toMatchObject({ certificates: 1 })
    expect(issued.issuedBy).toBe(two)
  })

  it('an order at an authority that is no longer configured is abandoned, and a new order is sent to a configured authority', async () => {
    await want({
      ...(await orderedFor(minute)),
      directoryUrl: two,
      attempts: 2,
      refusals: 2,
      refusedSince: at(-minute),
    })
    const followed: string[] = []
    const authority = recording('one.test', {
      async advance(_name, url, csr) {
        followed.push(url)
        return { outcome: 'issued', chain: await sign(csr) }
      },
    })

    await issue({}, undefined, { authorities: [authority] })

    expect(followed).toEqual(['https://one.test/order/1'])
    expect(await row()).toMatchObject({ issuedBy: one, directoryUrl: null, orderUrl: null, problem: null })
  })

  it('an order that an older version of the service sent is continued at the authority that the URL of the order names', async () => {
    await want({ ...(await orderedFor(minute)), orderUrl: 'https://two.test/order/7' })

    const issued = await step({}, {})

    expect(requests).toEqual([])
    expect(issued.issuedBy).toBe(two)
  })

  it('a certificate without a recorded issuer, from an older version of the service, is renewed at the first authority', async () => {
    await want({ ...(await inUse(null)), nextStepAt: at(0) })

    await step({}, {})

    expect(requests).toEqual(['one.test to replace'])
  })

  it('while all authorities are away, each of them is asked at growing intervals', async () => {
    await want()
    const began = due.clock.now()
    const times: number[] = []
    const note = {
      startOrder: async () => {
        times.push(due.clock.now())
        throw new AuthorityRefusal('ca_unreachable', 'Away.')
      },
    }

    for (let n = 0; n < 60; n++) await step(note, note)

    expect(new Set(requests)).toEqual(new Set(['one.test', 'two.test']))
    const days = (due.clock.now() - began) / day
    expect(days).toBeGreaterThan(2)
    const lastDay = times.filter(time => time > due.clock.now() - day).length
    expect(lastDay).toBeLessThan(24)
  })

  it('while all authorities are away, a certificate in use is ordered at each of them before it expires', async () => {
    await want({ ...(await inUse(one)), nextStepAt: at(0) })
    const { notAfter } = await row()

    let count = 0
    while (due.clock.now() < Number(notAfter) && count++ < 300) await step(away, away)

    expect(requests.filter(host => host.startsWith('one')).length).toBeGreaterThan(2)
    expect(requests.filter(host => host.startsWith('two')).length).toBeGreaterThan(2)
    // The pauses between steps grow up to six hours. If they stayed short, the thirty days would take many more steps.
    expect(count).toBeLessThan(300)
  })

  it.each<[string, Changes, Partial<Certificate>]>([
    ['validations fail', { advance: async () => ({ outcome: 'invalid', message: 'it answered 404.' }) }, {}],
    [
      'the key of the account cannot be opened',
      { startOrder: () => Promise.reject(new AuthorityRefusal('key_unreadable', 'No key.')) },
      {},
    ],
  ])('the first authority keeps its turn if %s', async (_, one, more) => {
    await want(more)

    for (let n = 0; n < 3; n++) await step(one, {})

    expect(requests).toEqual(['one.test', 'one.test', 'one.test'])
    expect(await row()).toMatchObject({
      directoryUrl: 'https://one.test/dir',
      refusals: 0,
      refusedSince: null,
    })
  })

  it('the second authority is asked after repeated refusals by the first authority, even if the owner chooses Re-verify in between', async () => {
    await want()
    await step(away, {})
    await step(away, {})

    await retryCertificate(own.db, new Date(due.clock.now()), due.name)
    await step(away, {})
    await retryCertificate(own.db, new Date(due.clock.now()), due.name)

    expect((await step(away, {})).issuedBy).toBe(two)
  })

  describe('CAA records with two authorities', () => {
    const issuerOf = (...identities: string[]): Changes => ({
      issuer: async () => ({ identities, accountUrl: null }),
    })
    const admits = (...identities: string[]) => ({
      dns: dnsThatAnswers(name =>
        identities.map(value => ({
          ...{ name, type: 'CAA', value: `0 issue "${value}"` },
          caa: { critical: false, tag: 'issue', value },
        })),
      ),
    })

    it('an authority that CAA blocks is passed over at once', async () => {
      await want()

      const issued = await step(issuerOf('one.example'), issuerOf('two.example'), admits('two.example'))

      expect(requests).toEqual(['two.test'])
      expect(issued.issuedBy).toBe(two)
    })

    it('a certificate is blocked only if CAA blocks all authorities, and the error names each', async () => {
      await want()

      const blocked = await step(issuerOf('one.example'), issuerOf('two.example'), admits('three.example'))

      expect(requests).toEqual([])
      expect(blocked.problem).toMatchObject({ code: 'caa_blocks' })
      const { message } = blocked.problem as { message: string }
      expect(message).toContain('does not allow the certificate authority one.example')
      expect(message).toContain('A CAA record for two.example is enough too.')
    })

    it('if CAA blocks one of two authorities, only the other authority is asked, and its refusals count', async () => {
      await want()
      const dns = admits('two.example')
      const silent = { ...issuerOf('two.example'), ...away }

      for (let n = 0; n < 8; n++) await step(issuerOf('one.example'), silent, dns)

      expect(new Set(requests)).toEqual(new Set(['two.test']))
      expect((await row()).attempts).toBeGreaterThan(4)
    })

    it('if the directory of the first authority stays unreadable, the service changes to the second authority, which issues the certificate', async () => {
      await want()
      const dead: Changes = { issuer: () => Promise.reject(new AuthorityRefusal('ca_unreachable', 'Away.')) }

      const issued = await steps(dead, {}, isIssued)

      expect(issued.issuedBy).toBe(two)
      expect(requests).toEqual(['two.test'])
    })
  })
})
