import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countDueJobs } from '../../../src/core/certificates/backlog.ts'
import type { Domain, Project } from '../../../src/generated/prisma/client.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const now = new Date('2031-06-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)

describe.skipIf(!canRace())('due jobs', () => {
  const own = prepareOwnDatabase()
  let paying: Project
  let free: Project
  beforeAll(async () => {
    ;[paying, free] = [await own.makeProject('pro'), await own.makeProject('free')]
  })
  beforeEach(async () => {
    await own.db.domain.deleteMany()
    await own.db.certificate.deleteMany()
  })
  const name = 'www.shop.test'
  const addDomain = (data: Partial<Domain>, { id: projectId } = paying) =>
    own.db.domain.create({ data: { projectId, name, createdAt: now, looksSince: now, ...data } as never })

  it.each([
    ['whose time has come', { due: now, leasedUntil: null }, 1],
    ['whose time comes in a moment', { due: later(1), leasedUntil: null }, 0],
    ['that a worker has leased', { due: later(-1), leasedUntil: later(1) }, 0],
    ['whose worker has died', { due: later(-1), leasedUntil: now }, 1],
    ['without a time for its next step', { due: null, leasedUntil: null }, 0],
  ])(
    'a certificate or domain %s is counted as due only if its time has come and no worker holds its lease',
    async (_, times, count) => {
      const { due, leasedUntil } = times
      await addDomain({ nextLookAt: due, leasedUntil })
      await own.db.certificate.create({ data: { name, wantedSince: now, nextStepAt: due, leasedUntil } })

      expect(await countDueJobs(own.db, now)).toEqual({ certificate: count, domain_look: count })
    },
  )

  it('a domain of a project whose plan has no domains is due only if the project has proven the name', async () => {
    await addDomain({ nextLookAt: now }, free)
    await addDomain({ nextLookAt: now, name: 'had.shop.test', ownedName: 'had.shop.test' }, free)

    expect(await countDueJobs(own.db, now)).toEqual({ certificate: 0, domain_look: 1 })
  })
})
