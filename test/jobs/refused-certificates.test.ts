import acme from 'acme-client'
import { describe, expect, it } from 'vitest'
import { AuthorityRefusal, StoredPause } from '../../src/hosting/certificate-authority.ts'
import { prepareDueCertificate } from '../support/due-certificate.ts'
import { canRace } from '../support/open-database.ts'

const minute = 60_000
const hour = 60 * minute

describe.skipIf(!canRace())('a certificate that is due', () => {
  const { due, at, sign, issue, warnings, errors, row, want, orderedFor, stopClock, ordersTaken } =
    prepareDueCertificate()

  it.each([
    ['another name', async (csr: Buffer) => sign(csr, 'www.zoo.test')],
    [
      'another key',
      async () => {
        const [, other] = await acme.crypto.createCsr({ altNames: [due.name] })
        return sign(other)
      },
    ],
  ])(
    'a certificate that the authority issued for %s is rejected, and the operator is warned',
    async (what, chainOf) => {
      await want()

      await issue({ advance: async (_name, _url, csr) => ({ outcome: 'issued', chain: await chainOf(csr) }) })

      expect(await row()).toMatchObject({ chain: null, sealedKey: null, attempts: 1, leasedUntil: null })
      const reason = expect.stringMatching(what === 'another key' ? what : due.name)
      expect(warnings.mock.calls).toMatchObject([
        [{ code: 'ca_refused', reason }, 'the certificate authority refused'],
      ])
      expect(errors.mock.calls).toEqual([])
    },
  )

  it('after a refusal by the authority the certificate is tried again, and the refusal is counted and logged with the domain name', async () => {
    await want()
    const retryAt = at(2 * hour)
    const refusal = new AuthorityRefusal('ca_rate_limited', 'Too many.', retryAt)

    const { refusals } = await issue({ startOrder: () => Promise.reject(refusal) })

    expect(refusals).toEqual(['ca_rate_limited'])
    const line = {
      name: due.name,
      authority: 'ca.test',
      code: 'ca_rate_limited',
      reason: 'Too many.',
      retryAt,
    }
    expect(warnings.mock.calls).toEqual([[line, 'the certificate authority refused']])
    expect(errors.mock.calls).toEqual([])
    expect(await row()).toMatchObject({
      attempts: 1,
      problem: { code: 'ca_rate_limited', message: 'Too many.' },
    })
    expect(Number((await row()).nextStepAt)).toBeGreaterThan(Number(retryAt))
    // The refused order counts too, because the request for it was sent.
    expect(await ordersTaken()).toBe(1)
  })

  it('a certificate that waits because of an earlier refusal is not counted towards the limit of orders and is not logged', async () => {
    await want()

    const { refusals } = await issue({
      startOrder: () => Promise.reject(new StoredPause('ca_rate_limited', 'Too many.', at(hour))),
    })

    expect(await ordersTaken()).toBe(0)
    expect([refusals, warnings.mock.calls]).toEqual([[], []])
    expect(await row()).toMatchObject({ problem: { code: 'ca_rate_limited' } })
  })

  it.each([
    ['four within the hour, until the first is an hour old', [59, 40, 20, 1], 4],
    ['four of which one is an hour old, at once', [60, 40, 20, 1], 3],
    ['three within the hour, at once', [40, 20, 1], 3],
  ])(
    'failed validations delay the next order only if four of them are within the hour: %s',
    async (_, minutesAgo, counted) => {
      stopClock()
      await want({ failedValidations: minutesAgo.map(ago => at(-ago * minute)) })

      const { refusals } = await issue({
        advance: async () => ({ outcome: 'invalid', message: 'no answer' }),
      })

      const after = await row()
      expect(after.problem).toMatchObject({ code: 'validation_failed' })
      if (counted === 4) expect(after).toMatchObject({ nextStepAt: at(minute), attempts: 0 })
      else expect(after).toMatchObject({ attempts: 1 })
      expect(after.failedValidations).toHaveLength(4)
      expect(refusals).toEqual(counted === 4 ? [] : ['validation_failed'])
      expect(await ordersTaken()).toBe(counted === 4 ? 0 : 1)
    },
  )

  it('an order under way continues, even after many failed validations', async () => {
    await want({
      failedValidations: [4, 3, 2, 1].map(ago => at(-ago * minute)),
      ...(await orderedFor(minute)),
    })

    await issue()

    expect((await row()).chain).not.toBeNull()
  })
})
