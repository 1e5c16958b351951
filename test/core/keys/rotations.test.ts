import { beforeAll, describe, expect, it } from 'vitest'
import { StoreError } from '../../../src/core/errors.ts'
import { issueApiKey, isUsable, rotateApiKey } from '../../../src/core/keys/api-keys.ts'
import { type ApiKeyState, listApiKeys, stateOf } from '../../../src/core/keys/list.ts'
import type { Scope } from '../../../src/core/keys/scopes.ts'
import type { Project } from '../../../src/core/project.ts'
import type { ApiKey } from '../../../src/generated/prisma/client.ts'
import { movableClock } from '../../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const hour = 3_600_000
const clock = movableClock()
const began = Math.floor(clock.now() / 1000) * 1000
const inHours = (hours: number) => new Date(began + hours * hour)

describe.skipIf(!canRace())('the life of a key', () => {
  const own = prepareOwnDatabase()
  let project: Project
  beforeAll(async () => {
    project = (await own.makeProject()) as unknown as Project
  })

  const issue = (expiresAt: Date | null, scopes: Scope[] = ['pets:read']) =>
    issueApiKey(own.db, clock, project, { name: 'Till', scopes, expiresAt })

  it('of five concurrent rotations of a key one succeeds, and the key gets one successor', async () => {
    for (let round = 0; round < 5; round++) {
      const { apiKey } = await issue(null)
      const before = await own.db.apiKey.count()

      const rotated = await Promise.allSettled(
        Array.from({ length: 5 }, () => rotateApiKey(own.db, clock, project, apiKey.id, inHours(1))),
      )

      const won = rotated.filter(one => one.status === 'fulfilled').map(({ value }) => value.apiKey.id)
      const lost = rotated.filter(one => one.status === 'rejected').map(({ reason }) => reason)
      expect(won).toHaveLength(1)
      expect(lost.map(error => error instanceof StoreError && error.code)).toEqual(
        Array(4).fill('api_key_ended'),
      )
      expect(await own.db.apiKey.count()).toBe(before + 1)
      expect(await own.db.apiKey.findUnique({ where: { id: apiKey.id } })).toMatchObject({
        successorId: won[0],
      })
    }
  })

  it.each([
    ['a key without an end that is rotated works until the overlap ends', null, 1, null, 1],
    ['a key that ends before its overlap would end keeps its end', 1, 2, 1, 1],
    ['a key that ends later ends with its overlap', 3, 2, 3, 2],
    ['a key that is rotated without an overlap ends at once', 3, 0, 3, 0],
  ])(
    'a rotation passes the end of a key on to the successor, and may end the old key earlier: %s',
    async (_, ends, overlap, successorEnds, oldEnds) => {
      const hours = (one: number | null) => (one === null ? null : inHours(one))
      const { apiKey } = await issue(hours(ends), ['pets:read', 'orders:write'])
      const [wanted, left] = [hours(successorEnds), hours(oldEnds)]

      const { apiKey: successor } = await rotateApiKey(own.db, clock, project, apiKey.id, inHours(overlap))
      const old = await own.db.apiKey.findUniqueOrThrow({ where: { id: apiKey.id } })

      expect(successor).toMatchObject({
        name: 'Till',
        expiresAt: wanted,
        scopes: ['pets:read', 'orders:write'],
      })
      expect(Math.abs(Number(old.expiresAt) - Number(left))).toBeLessThan(60_000)
    },
  )

  it('a key is in exactly one state, and the list of keys finds the key by that state', async () => {
    const at = { clock: { ...clock, now: () => 2_000_000_000_000 } }
    const moment = (ms: number) => new Date(2_000_000_000_000 + ms)
    const other = (await own.makeProject()) as unknown as Project
    const make = async (data: object = {}) => {
      const { apiKey } = await issueApiKey(own.db, clock, other, { name: 'Till', scopes: ['pets:read'] })
      return own.db.apiKey.update({ where: { id: apiKey.id }, data })
    }
    const successor = await make()
    const later = await make()
    const keys = {
      active: [successor, later, await make({ expiresAt: moment(1) })],
      overlapping: [await make({ successorId: successor.id, expiresAt: moment(1) })],
      expired: [
        await make({ expiresAt: moment(0) }),
        await make({ successorId: later.id, expiresAt: moment(-1) }),
      ],
      revoked: [
        await make({ revokedAt: moment(-5) }),
        await make({ revokedAt: moment(-5), expiresAt: moment(-1) }),
      ],
    }
    const none = { search: null, states: null, endsBefore: null }
    const page = { limit: 100, after: null }

    for (const [state, expected] of Object.entries(keys) as [ApiKeyState, ApiKey[]][]) {
      const found = await listApiKeys(own.db, at.clock, other, { ...none, states: [state] }, page)
      expect(found.map(({ id }) => id).toSorted(), state).toEqual(expected.map(({ id }) => id).toSorted())
      for (const key of found) expect(stateOf(key, moment(0))).toBe(state)
    }
  })

  it('a search by name treats the wildcards of LIKE as plain characters', async () => {
    const other = (await own.makeProject()) as unknown as Project
    const names = ['100% sale', 'till_1', 'till21', 'back\\slash']
    for (const name of names) await issueApiKey(own.db, clock, other, { name, scopes: ['pets:read'] })
    const find = async (search: string) => {
      const filters = { search, states: null, endsBefore: null }
      const found = await listApiKeys(own.db, clock, other, filters, { limit: 100, after: null })
      return found.map(({ name }) => name)
    }

    expect(await find('%')).toEqual(['100% sale'])
    expect(await find('\\')).toEqual(['back\\slash'])
    expect(await find('L_1')).toEqual(['till_1'])
  })

  it('a key works until the millisecond of its end', () => {
    const expiresAt = new Date(1_000_000)

    expect(isUsable({ revokedAt: null, expiresAt }, new Date(999_999))).toBe(true)
    expect(isUsable({ revokedAt: null, expiresAt }, expiresAt)).toBe(false)
    expect(isUsable({ revokedAt: new Date(0), expiresAt: null }, new Date(1))).toBe(false)
  })
})
