import acme from 'acme-client'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
import { openContexts } from '../../src/hosting/contexts.ts'
import { openHosts } from '../../src/hosting/hosts.ts'
import { makeRoot, signLeaf } from '../../src/hosting/local-signing.ts'
import { openSeal } from '../../src/hosting/own-seal.ts'
import { certificateLabel, makeSeal } from '../../src/hosting/sealing.ts'
import { givenKeys } from '../../src/hosting/secrets-key.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { changesByHand } from '../support/changes-by-hand.ts'

const name = 'www.shop.test'
const hosts = { what: 'hosts' } as const
const [ours, theirs] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
type Issued = { chain: string; sealedKey: Uint8Array }
let first: Issued
let renewed: Issued
let certificate: Issued
let read: number

beforeAll(async () => {
  const root = await makeRoot(systemClock)
  const issue = async () => {
    const [key, csr] = await acme.crypto.createCsr({ altNames: [name] })
    const chain = await signLeaf(root, name, csr, systemClock)
    return { chain, sealedKey: makeSeal([ours]).close(key.toString(), certificateLabel(name)) }
  }
  ;[first, renewed] = [await issue(), await issue()]
})
beforeEach(() => {
  ;[certificate, read] = [first, 0]
})

/** The database stands at the border. */
const db = {
  $queryRaw: async () => [
    {
      ...{ host: name, id: 1, slug: 'shop', name: 'Shop', plan: 'pro', domains_grace_ends_at: null },
      configuration: { title: null, description: null, domains: { primary: null, redirects: [] } },
      ...{ suspended_at: null, verified_names: [name], certified_until: new Date() },
    },
  ],
  certificate: {
    async findMany() {
      read++
      return [{ name, ...certificate }]
    },
  },
} as unknown as PrismaClient

function open(key = ours, log = openLog('silent')) {
  const seal = openSeal(db, givenKeys([key]), log)
  const changes = changesByHand()
  const served = openHosts({ db, clock: systemClock, changes, platformHost: 'animals.test' })
  const { find } = openContexts({ db, hosts: served, seal, log })
  return { changes, find: () => find(name) }
}

test('a certificate is read and opened once for handshakes at once, and those after', async () => {
  const { find } = open()

  const contexts = new Set([...(await Promise.all([find(), find(), find()])), await find()])

  expect([contexts.size, contexts.has(null), read]).toEqual([1, false, 1])
})

test('a change of the project, and none of its certificate, opens no key anew', async () => {
  const { changes, find } = open()
  const before = await find()

  changes.tell({ ...hosts, projectId: 1 })

  expect(await find()).toBe(before)
  expect(read).toBe(2)
})

test.each([
  ['by its name', { ...hosts, name }],
  ['with its project', { ...hosts, projectId: 1 }],
  ['with all hosts', hosts],
  ['by nobody, since the log could not be read', null],
])('a renewed certificate, told of %s, is the one of the next handshake', async (_, change) => {
  const { changes, find } = open()
  const before = await find()
  certificate = renewed

  changes.tell(change)

  expect(await find()).not.toBe(before)
  expect(await find()).not.toBeNull()
})

test.each([
  ['of which the key does not open', theirs, () => first],
  ['that is none', ours, () => ({ ...first, chain: 'no chain' })],
  ['for another key', ours, () => ({ ...first, chain: renewed.chain })],
])('a handshake is refused, and the operator told once, by a certificate %s', async (_, key, given) => {
  certificate = given()
  const log = openLog('silent')
  const lines = vi.spyOn(log, 'error').mockImplementation(() => {})
  const { find } = open(key, log)

  expect([await find(), await find()]).toEqual([null, null])

  expect(lines.mock.calls).toEqual([[{ error: expect.any(Error), name }, 'a certificate cannot be used']])
})
