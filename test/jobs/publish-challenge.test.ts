import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishOnce } from '../../src/jobs/publish-challenge.ts'
import { prepareDueCertificate } from '../support/due-certificate.ts'
import { canRace } from '../support/open-database.ts'
import {
  openAuthority,
  type Reply,
  refused,
  type SaidAuthority,
  startSaidAuthority,
} from '../support/said-authority.ts'

const second = 1_000
const minute = 60 * second

describe.skipIf(!canRace())('the challenge of an order', () => {
  const { own, due, at, issue, row, want } = prepareDueCertificate()
  let said: SaidAuthority
  let replies: Record<string, Reply>
  const ok = (body: object): Reply => ({ status: 200, body })
  beforeAll(async () => {
    said = await startSaidAuthority()
  })
  afterAll(() => said?.stop())

  /** An authority that has not validated the name yet. Let's Encrypt shows a challenge as pending until then. */
  beforeEach(async () => {
    await own.db.acmeChallenge.deleteMany()
    await want()
    moveTo(due.clock.now())
    said.requests.length = 0
    const challenge = { type: 'http-01', status: 'pending', token: 'token', url: `${said.url}/challenge` }
    const order = { status: 'pending', identifiers: [], authorizations: [`${said.url}/authz`] }
    replies = {
      '/order/1': ok({ ...order, finalize: `${said.url}/finalize` }),
      '/authz': ok({ status: 'pending', challenges: [challenge] }),
      '/challenge': ok(challenge),
    }
    said.instead(({ path }) => replies[path] ?? null)
  })

  function moveTo(ms: number): void {
    due.clock = { ...due.clock, now: () => ms }
  }
  const clock = { now: () => due.clock.now(), aheadMs: () => 0 }
  const step = () =>
    issue({}, undefined, { authorities: [openAuthority(said, { db: own.db, clock })] as const })
  /** Takes the next step at its time, and returns the pause before it. */
  async function nextStep(): Promise<number> {
    const before = due.clock.now()
    moveTo(Number((await row()).nextStepAt))
    await step()
    return due.clock.now() - before
  }

  it('the authority is asked once to validate a name, and then polled less and less often', async () => {
    await step()
    const pauses: number[] = []
    while (due.clock.now() < Number((await row()).orderedAt) + 30 * second) pauses.push(await nextStep())

    expect(said.count('/challenge')).toBe(1)
    expect(await row()).toMatchObject({ problem: null, refusals: 0 })
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other))
    expect(pauses.at(-1)).toBeGreaterThan(4 * second)
    expect(pauses.length).toBeLessThan(40)
  })

  it('if a process ends between its request and the end of its step, the process that continues sends no second request', async () => {
    said.instead(async ({ path }) => {
      if (path === '/challenge') await own.db.certificate.updateMany({ data: { leasedUntil: at(minute) } })
      return replies[path] ?? null
    })
    await step()
    await own.db.certificate.updateMany({ data: { leasedUntil: null, nextStepAt: at(0) } })

    await step()

    expect(said.count('/order/1')).toBe(2)
    expect(said.count('/challenge')).toBe(1)
  })

  it('if a process ends before its request, the process that continues the order sends the request within two minutes', async () => {
    const answeredAt = at(0)
    const proof = { name: due.name, keyAuthorization: 'token.key', expiresAt: at(60 * minute) }
    await own.db.acmeChallenge.create({ data: { token: 'token', ...proof, answeredAt } })

    await step()
    expect(said.count('/challenge')).toBe(0)
    while (said.count('/challenge') === 0) await nextStep()

    expect(due.clock.now() - answeredAt.getTime()).toBeGreaterThanOrEqual(minute)
    expect(due.clock.now() - answeredAt.getTime()).toBeLessThan(2 * minute)
    expect(await row()).toMatchObject({ orderMovedAt: (await row()).orderedAt })
  })

  it.each(['ca_unreachable', 'ca_refused'])(
    'a request for a validation that the authority did not accept is sent again in the next step: %s',
    async code => {
      replies['/challenge'] = code === 'ca_refused' ? refused('malformed') : { status: 500 }
      await step()
      expect(await row()).toMatchObject({ problem: { code } })
      replies['/challenge'] = ok({})

      await nextStep()
      await nextStep()

      expect(said.count('/challenge')).toBe(2)
      expect(await row()).toMatchObject({ orderMovedAt: expect.any(Date) })
    },
  )

  it('of two processes that publish a challenge at once, one asks the authority to validate', async () => {
    let asked = 0
    const publish = publishOnce({ db: own.db, clock } as never, due.name)
    const ask = async () => void asked++

    const isFirst = await Promise.all(Array.from({ length: 5 }, () => publish('token', 'token.key', ask)))

    expect(asked).toBe(1)
    expect(isFirst.filter(Boolean)).toHaveLength(1)
  })

  it('a name that the authority cannot validate is a failed validation, even if the request came too late', async () => {
    said.instead(({ path }) => {
      if (path !== '/challenge') return replies[path] ?? null
      const challenges = [{ type: 'http-01', status: 'invalid', error: { detail: 'Found nothing.' } }]
      replies['/authz'] = ok({ status: 'invalid', challenges })
      return refused('malformed')
    })
    await step()

    await nextStep()

    expect(await row()).toMatchObject({ problem: { code: 'validation_failed' }, refusals: 0, orderUrl: null })
    expect((await row()).failedValidations).toHaveLength(1)
  })
})
