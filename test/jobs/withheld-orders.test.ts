import { describe, expect, it, vi } from 'vitest'
import type { CertificateAuthority } from '../../src/hosting/certificate-authority.ts'
import type { Dns } from '../../src/hosting/dns.ts'
import { dnsThatAnswers } from '../support/dns-double.ts'
import { prepareDueCertificate } from '../support/due-certificate.ts'
import { canRace } from '../support/open-database.ts'

const minute = 60_000

describe.skipIf(!canRace())('an order that is not sent', () => {
  const { own, due, at, issue, warnings, errors, row, want, stopClock, ordersTaken } = prepareDueCertificate()
  const startOrder = vi.fn<CertificateAuthority['startOrder']>(async () => 'https://ca.test/order/1')
  const issuer = async () => ({ identities: ['ca.test'], accountUrl: 'https://ca.test/account/1' })
  const isNotSent = async () => {
    expect(startOrder).not.toHaveBeenCalled()
    expect(await ordersTaken()).toBe(0)
    expect(await row()).toMatchObject({ orderUrl: null, sealedOrderKey: null, leasedUntil: null })
  }
  const caa = (name: string, value: string): Dns =>
    dnsThatAnswers(question =>
      name === question ? [{ name, type: 'CAA', value, caa: { critical: false, tag: 'issue', value } }] : [],
    )

  it.each([
    ['another authority', 'other.test'],
    ['another account of the authority', 'ca.test; accounturi=https://ca.test/account/2'],
  ])(
    'a CAA record that names %s withholds the order, shows the record to the owner, and is checked again',
    async (_, value) => {
      await want()

      const { refusals } = await issue({ startOrder, issuer }, undefined, { dns: caa(due.name, value) })

      await isNotSent()
      expect((await row()).problem).toMatchObject({
        code: 'caa_blocks',
        record: { name: due.name, type: 'CAA', value },
      })
      expect(await row()).toMatchObject({ attempts: 1 })
      expect([refusals, warnings.mock.calls]).toEqual([[], []])
    },
  )

  it('unreadable CAA records withhold the order and are reported without a record', async () => {
    await want()
    const dns = dnsThatAnswers(() => 'it was silent')

    await issue({ startOrder, issuer }, undefined, { dns })

    await isNotSent()
    expect((await row()).problem).toEqual({
      code: 'dns_unreachable',
      message: `The CAA records of ${due.name} could not be read: it was silent.`,
      record: null,
    })
    expect(await row()).toMatchObject({ attempts: 1 })
  })

  it('an order beyond the project’s limit waits for its turn and does not count as a failure', async () => {
    stopClock()
    await want({ attempts: 3 })
    const before = { projectId: due.project.id, name: 'www.before.test', orderedAt: at(-10 * minute) }
    await own.db.certificateOrder.create({ data: before })

    await issue({ startOrder }, undefined, { orderBounds: { perHour: 1, perDay: 5 } })

    await isNotSent()
    expect(await row()).toMatchObject({ attempts: 3, nextStepAt: at(50 * minute) })
    expect((await row()).problem).toEqual({
      code: 'too_many_orders',
      message: expect.stringContaining(at(50 * minute).toISOString()),
      record: null,
    })
  })

  it('four failed validations within the last hour withhold an order, and its problem names the time of the next attempt', async () => {
    stopClock()
    await want({ failedValidations: [90, 59, 40, 20, 1].map(minutes => at(-minutes * minute)) })

    await issue({ startOrder })

    await isNotSent()
    const after = await row()
    expect(after.problem).toEqual({
      code: 'validation_failed',
      message: `Four validations of ${due.name} failed within an hour; the next attempt is at ${at(minute).toISOString()}.`,
      record: null,
    })
    expect(after.failedValidations).toEqual([59, 40, 20, 1].map(minutes => at(-minutes * minute)))
  })

  it('if a bug withholds an order, its owner sees no details and the log has all of them', async () => {
    await want()

    await issue({ issuer: () => Promise.reject(new Error('a bug with a secret')) })

    await isNotSent()
    expect((await row()).problem).toEqual({
      code: 'ca_refused',
      message: 'Something went wrong on our side; it is tried again.',
      record: null,
    })
    expect(errors.mock.calls).toEqual([
      [
        { error: expect.objectContaining({ message: 'a bug with a secret' }), name: due.name },
        'a certificate cannot be issued',
      ],
    ])
    expect(warnings.mock.calls).toEqual([])
  })

  it('an order withheld by a database outage is logged as an outage', async () => {
    await want()
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

    await issue({ issuer: () => Promise.reject(away) })

    await isNotSent()
    expect(await row()).toMatchObject({ attempts: 1 })
    expect(errors.mock.calls).toEqual([])
  })
})
