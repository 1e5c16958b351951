import { beforeEach, describe, expect, it } from 'vitest'
import type { CertificateAuthority } from '../../src/hosting/certificate-authority.ts'
import { prepareDueCertificate } from '../support/due-certificate.ts'
import { canRace } from '../support/open-database.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe.skipIf(!canRace())('a certificate that was issued before', () => {
  const { own, due, at, issue, row, want, orderedFor, stopClock, sealKey, ordersTaken } =
    prepareDueCertificate()
  /** Requests to the authority. */
  let requests: unknown[]
  beforeEach(() => {
    requests = []
    stopClock()
  })

  const issuedBefore = (endsInMs = 60 * day) => ({
    ...{ chain: 'the chain of before', sealedKey: sealKey('the key of before'), renewAt: at(-1) },
    ...{ notBefore: at(endsInMs - 90 * day), notAfter: at(endsInMs) },
  })
  /** An authority that suggests to renew at this time, and to ask again in six hours. */
  const advising = (inMs: number): Partial<CertificateAuthority> => ({
    async adviseRenewal(name, chain) {
      requests.push(['advice', name, chain])
      return { renewAt: at(inMs), askAgainAt: at(6 * hour) }
    },
    async startOrder(name, chain) {
      requests.push(['order', name, chain])
      return 'https://ca.test/order/1'
    },
  })
  const [advice, order] = ['advice', 'order'].map(what => () => [what, due.name, 'the chain of before'])

  it('if the authority moves a renewal, the certificate stays, its earlier problem is removed, and the new times are stored', async () => {
    const problem = { code: 'ca_unreachable', message: 'Away.', record: null }
    await want({ ...issuedBefore(), attempts: 2, problem })

    await issue(advising(20 * day))

    expect(requests).toEqual([advice?.()])
    expect(await row()).toMatchObject({
      ...{ chain: 'the chain of before', renewAt: at(20 * day), nextStepAt: at(6 * hour) },
      ...{ leasedUntil: null, attempts: 2, problem: null },
    })
    expect(await ordersTaken()).toBe(0)
  })

  it.each([
    ['in a moment is kept until then', 1, false],
    ['now is ordered again, and the order names the old certificate', 0, true],
  ])('a certificate that the authority wants renewed %s', async (_, inMs, isOrdered) => {
    await want(issuedBefore())

    await issue(advising(inMs))

    expect(requests.slice(0, 2)).toEqual(isOrdered ? [advice?.(), order?.()] : [advice?.()])
    const { chain } = await row()
    expect(chain === 'the chain of before').toBe(!isOrdered)
    // If the suggested time were used for the new certificate too, the service would order again and again.
    if (isOrdered) expect(await row()).toMatchObject({ nextStepAt: at(6 * hour), issuedAt: at(0) })
    else expect(await row()).toMatchObject({ renewAt: at(1), nextStepAt: at(1) })
  })

  it('a renewal under way continues, whatever the authority now suggests', async () => {
    await want({ ...issuedBefore(), ...(await orderedFor(minute)) })

    await issue(advising(20 * day))

    const { chain } = await row()
    expect(chain).toContain('BEGIN CERTIFICATE')
    // The authority is asked only about the new certificate.
    expect(requests).toEqual([['advice', due.name, chain]])
    expect(await row()).toMatchObject({ renewAt: at(20 * day), nextStepAt: at(6 * hour) })
  })

  it.each([
    ['ends now', 0],
    ['ended 90 days ago', -90 * day],
  ])('a certificate that %s is ordered again, whatever the authority suggests', async (_, endsInMs) => {
    await want(issuedBefore(endsInMs))

    await issue(advising(20 * day))

    expect(requests[0]).toEqual(order?.())
    expect((await row()).chain).toContain('BEGIN CERTIFICATE')
  })

  it('a certificate whose project lost its domains is checked a day later, without asking the authority', async () => {
    const ended = { planName: 'free', domainsGraceEndsAt: at(-1) }
    await own.db.project.update({ where: { id: due.project.id }, data: ended })
    await want(issuedBefore())

    await issue(advising(0))

    expect(requests).toEqual([])
    expect(await row()).toMatchObject({
      nextStepAt: at(day),
      chain: 'the chain of before',
      leasedUntil: null,
    })
  })
})
