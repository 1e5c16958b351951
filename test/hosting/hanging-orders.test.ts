import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  type Authority,
  type Certified,
  startAuthority,
  startCertified,
  stateOf,
} from '../support/certified.ts'
import { until } from '../support/hosting.ts'
import { isPebbleInstalled } from '../support/pebble.ts'

const canRun = isPebbleInstalled() && inject('services').postgresUrl !== null

describe.skipIf(!canRun)('36 orders of one project that stay in processing', () => {
  let authority: Authority
  let certified: Certified

  beforeAll(async () => {
    authority = await startAuthority()
    certified = await startCertified(authority, { processes: 2 })
  })
  afterAll(async () => {
    await certified?.stop()
    await authority?.stop()
  })

  const idOf = (url: string | null | undefined) => url?.split('/').at(-1) ?? ''
  const rowOf = (name: string) =>
    certified.platform.first.tools.db.certificate.findUnique({ where: { name } })

  test('hanging orders of one project do not delay the certificates of other projects', async () => {
    const hanging = new Set<string>()
    let answered = ''
    certified.proxy.instead((kind, path) => {
      if (!['finalize', 'order'].includes(kind)) return null
      const id = idOf(path)
      if (id === answered || (kind === 'order' && !hanging.has(id))) return null
      hanging.add(id)
      const none = { identifiers: [], authorizations: [], finalize: 'https://none.test/' }
      return { status: 200, body: { status: 'processing', ...none } }
    })
    const [greedy, other] = [await certified.shop(), await certified.shop()]
    const suffix = randomUUID().slice(0, 8)
    const otherName = `www.other-${suffix}.test`
    const names = Array.from({ length: 36 }, (_, n) => `shop${n}.greedy-${suffix}.test`)
    await greedy.verify(...names)
    // Wait until ten orders hang: in an earlier version, two processes together had only ten slots for orders.
    await until(
      async () => hanging.size,
      size => size >= 10,
    )

    await other.verify(otherName)
    const { orderUrl } = (await until(
      () => rowOf(otherName),
      row => Boolean(row?.orderUrl),
    )) ?? { orderUrl: null }
    answered = idOf(orderUrl)
    await until(
      () => stateOf(certified, otherName),
      state => state === 'issued',
    )

    const states = await Promise.all(names.map(name => stateOf(certified, name)))
    expect(states).toEqual(names.map(() => 'issuing'))
  }, 90_000)
})
