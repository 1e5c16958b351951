import { describe, expect, it, onTestFinished } from 'vitest'
import { approveCode } from '../../src/core/people/device-codes.ts'
import { ask } from '../support/ask.ts'
import { freshDatabase } from '../support/databases.ts'
import { askForCode, pollForKey } from '../support/device-login.ts'
import { join, signedIn } from '../support/people.ts'
import { findProgram } from '../support/programs.ts'
import { startApp } from '../support/start-app.ts'
import { answersAt, startProcess } from '../support/start-process.ts'
import { startTwo } from '../support/two-processes.ts'

describe.skipIf(!findProgram('postgres'))('a terminal that signs in at several processes', () => {
  it('a code that one process gave can be approved at another process, and its key works at both', async () => {
    const { here, other, store } = await startTwo()
    const ada = await signedIn(here.tools, here.url, store.project, 'developer')
    const asked = await askForCode(other.url)

    const headers = { authorization: `Bearer ${await ada.token()}` }
    const body = { userCode: asked.user_code, project: store.project.slug }
    expect((await ada.post('/session/device/approve', body, headers)).status).toBe(200)
    const polls = await Promise.all([here.url, other.url].map(url => pollForKey(url, asked)))

    const keys = polls.flatMap(({ access_token }) => access_token ?? [])
    expect(keys).toHaveLength(1)
    for (const url of [here.url, other.url]) {
      const asKey = { headers: { authorization: `Bearer ${keys[0]}` } }
      expect((await ask(`${url}/v1/pets`, asKey)).status).toBe(200)
    }
  })

  it('a terminal gets exactly one key although the process is killed before and after the approval', async () => {
    const database = await freshDatabase()
    onTestFinished(database.remove)
    const app = await startApp({ env: { ...database.env } as Record<string, string> })
    onTestFinished(() => app.stop())
    const { tools, makeProject } = app
    const { project } = await makeProject()
    const ada = await join(tools, project, 'developer', { name: 'Ada' })
    const start = async () => {
      const service = await startProcess({ ...database.env })
      onTestFinished(() => void service.child.kill('SIGKILL'))
      await service.printed(answersAt)
      return service
    }
    const kill = async ({ child, ended }: Awaited<ReturnType<typeof start>>) => {
      child.kill('SIGKILL')
      await ended
    }

    const first = await start()
    const asked = await askForCode(first.url)
    await kill(first)
    const second = await start()
    expect(await pollForKey(second.url, asked)).toMatchObject({ error: 'authorization_pending' })
    await approveCode(tools.db, tools.clock, asked.user_code, ada, project.slug)
    // Kill the process while the polls are under way. A poll without an answer has either left the code in place or
    // made the key.
    const amid = Promise.allSettled(Array.from({ length: 4 }, () => pollForKey(second.url, asked)))
    await kill(second)
    const before = await amid
    const third = await start()
    const after = [await pollForKey(third.url, asked), await pollForKey(third.url, asked)]

    const answers = [...before.flatMap(one => (one.status === 'fulfilled' ? [one.value] : [])), ...after]
    expect(answers.filter(({ access_token }) => access_token).length).toBeLessThanOrEqual(1)
    expect(await tools.db.apiKey.count({ where: { issuedBy: ada } })).toBe(1)
    expect(await tools.db.deviceCode.count()).toBe(0)
  }, 120_000)

  it('if the transaction that issues a key is cut off, the code stays approved, and the next poll gets the one key', async () => {
    const app = await startApp()
    onTestFinished(() => app.stop())
    const { tools } = app
    const { project } = await app.makeProject()
    const ada = await join(tools, project, 'developer', { name: 'Ada' })
    const asked = await askForCode(app.url)
    await approveCode(tools.db, tools.clock, asked.user_code, ada, project.slug)
    await tools.db.$executeRawUnsafe(`
      CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`)
    await tools.db.$executeRawUnsafe(
      'CREATE TRIGGER cut AFTER INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION cut()',
    )
    const cut = await pollForKey(app.url, asked)
    await tools.db.$executeRawUnsafe('DROP TRIGGER cut ON api_keys')

    expect(cut.access_token).toBeUndefined()
    expect(await tools.db.apiKey.count({ where: { issuedBy: ada } })).toBe(0)
    expect(await pollForKey(app.url, asked)).toMatchObject({ name: 'Ada on laptop' })
    expect(await tools.db.apiKey.count({ where: { issuedBy: ada } })).toBe(1)
  })
})
