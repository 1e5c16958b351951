import { describe, expect, it, onTestFinished } from 'vitest'
import { invite } from '../../src/core/people/invitations.ts'
import { acceptInvitation } from '../../src/core/people/joining.ts'
import { removeMember } from '../../src/core/people/members.ts'
import { deletePerson } from '../../src/core/people/people.ts'
import { endSession, endSessions, listSessions } from '../../src/core/people/sessions.ts'
import { lockProject } from '../../src/core/project-lock.ts'
import { ask } from '../support/ask.ts'
import { freshDatabase } from '../support/databases.ts'
import { join, type SignedIn, signedIn } from '../support/people.ts'
import { findProgram } from '../support/programs.ts'
import { startApp } from '../support/start-app.ts'
import { startTwo } from '../support/two-processes.ts'

describe.skipIf(!findProgram('postgres'))('two processes', () => {
  it('a process refuses a token soon after its session or membership ended at another process', async () => {
    const { here, other, store } = await startTwo()
    const { tools } = here
    await join(tools, store.project, 'owner')
    const ways = [
      (personId: string) => endSessions(tools.db, personId, null),
      (personId: string) => removeMember(tools.db, tools.clock, store.project, personId),
    ]

    for (const end of ways) {
      const ada = await signedIn(tools, here.url, store.project, 'viewer')
      const headers = { authorization: `Bearer ${await ada.token()}` }
      const statusThere = async () => (await ask(`${other.url}/v1/pets`, { headers })).status
      expect(await statusThere()).toBe(200)

      await end(ada.personId)

      await expect.poll(statusThere, { timeout: 20_000 }).toBe(401)
    }
  })

  it('a cached token of an ended session or membership is refused by each process after its next read of the log of changes', async () => {
    const own = await freshDatabase()
    onTestFinished(own.remove)
    const here = await startApp({ env: own.env })
    onTestFinished(here.stop)
    const there = await startApp({ env: own.env })
    onTestFinished(there.stop)
    const { db, clock } = here.tools
    const store = await here.makeProject()
    await join(here.tools, store.project, 'owner')
    const ways: Record<string, (person: SignedIn) => Promise<unknown>> = {
      'one session': async ({ personId }) => {
        const [session] = await listSessions(db, clock, personId)
        await endSession(db, personId, session?.id ?? '')
      },
      'all sessions': ({ personId }) => endSessions(db, personId, null),
      'signing out': async person => {
        const headers = { authorization: `Bearer ${await person.token()}` }
        expect((await person.post('/session/end', {}, headers)).status).toBe(200)
      },
      removal: ({ personId }) => removeMember(db, clock, store.project, personId),
      deletion: ({ personId }) => deletePerson(db, personId),
    }

    for (const [way, end] of Object.entries(ways)) {
      const ada = await signedIn(here.tools, here.url, store.project, 'viewer')
      const headers = { authorization: `Bearer ${await ada.token()}` }
      const statuses = () =>
        Promise.all([here, there].map(async app => (await app.ask('/v1/pets', { headers })).status))
      expect([way, await statuses()]).toEqual([way, [200, 200]])

      await end(ada)
      await Promise.all([here.tools.changes.read(), there.tools.changes.read()])

      expect([way, await statuses()]).toEqual([way, [401, 401]])
    }
  })

  it('a person who becomes the only owner of another project during the own deletion is not deleted', async () => {
    const own = await freshDatabase()
    onTestFinished(own.remove)
    const here = await startApp({ env: own.env })
    onTestFinished(here.stop)
    const { db, clock } = here.tools
    const [{ project: first }, { project: second }] = [await here.makeProject(), await here.makeProject()]
    await join(here.tools, first, 'owner')
    await join(here.tools, second, 'developer')
    const personId = await join(here.tools, first, 'developer')
    const { secret } = await invite(db, clock, second, { role: 'owner', invitedBy: null })

    const [deletion] = await db.$transaction(async tx => {
      await lockProject(tx, first.id)
      const deleting = Promise.allSettled([deletePerson(db, personId)])
      const waiting = () =>
        db.$queryRaw`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      await expect.poll(waiting).toHaveLength(1)
      await acceptInvitation(db, clock, secret, { personId })
      return [deleting]
    })

    expect(await deletion).toMatchObject([{ status: 'rejected', reason: { code: 'last_owner' } }])
    expect(await db.membership.count({ where: { personId } })).toBe(2)
  })
})
