import { describe, expect, it } from 'vitest'
import { removeMember } from '../../src/core/people/members.ts'
import { endSessions } from '../../src/core/people/sessions.ts'
import { ask } from '../support/ask.ts'
import { join, signedIn } from '../support/people.ts'
import { findProgram } from '../support/programs.ts'
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
})
