import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setJoinDomain } from '../../src/core/people/join-domains.ts'
import { listMembers } from '../../src/core/people/members.ts'
import { ask } from '../support/ask.ts'
import { type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { signInAtIssuer, startIssuer } from '../support/issuer.ts'
import { openBrowser } from '../support/people.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

const subjects = ['bob', 'carol', 'dan', 'erin', 'frank', 'grace']
const accounts = Object.fromEntries(
  subjects.map(name => [name, { name, email: `${name}@acme.example`, email_verified: true }]),
)

describe.skipIf(!findProgram('postgres'))('people who join by a domain at the same moment', () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  let database: FreshDatabase
  let here: App
  let there: Running
  beforeAll(async () => {
    issuer = await startIssuer(accounts, await freePort())
    database = await freshDatabase()
    const env = { ...(database.env as Record<string, string>), ...issuer.env }
    here = await startApp({ env })
    there = await startProcess({ ...env, PORT: String(await freePort()) })
    await there.printed(answersAt)
  })
  afterAll(async () => {
    there?.child.kill('SIGKILL')
    await here?.stop()
    await database?.remove()
    issuer?.close()
  })

  async function makeStore(): Promise<TestProject> {
    const store = await here.makeProject()
    const { db, clock } = here.tools
    const rule = { domain: 'acme.example', role: 'developer', issuer: issuer.url } as const
    await setJoinDomain(db, clock, store.project, rule)
    return store
  }

  /**
   * Signs in at the provider in a browser. Returns a function that takes the last step of the sign-in at the process
   * with the given URL.
   */
  async function comeBack(subject: string, { project }: TestProject) {
    const browser = openBrowser(here.url)
    const { json } = await browser.post('/session/issuer', { join: project.slug })
    const back = new URL(await signInAtIssuer((json as { url: string }).url, subject))
    return async (url: string) => {
      const headers = { host: back.host, cookie: browser.cookie() ?? '', 'sec-fetch-site': 'cross-site' }
      const { headers: answer } = await ask(url + back.pathname + back.search, { headers })
      return answer.location?.replace(/.*#/, '#')
    }
  }

  async function finish(steps: Awaited<ReturnType<typeof comeBack>>[]) {
    return Promise.all(steps.map((step, n) => step(n % 2 === 0 ? here.url : there.url)))
  }
  const names = async ({ project }: TestProject) =>
    (await listMembers(here.tools.db, project)).map(({ person }) => person.name).sort()
  const personsNamed = (name: string) => here.tools.db.person.count({ where: { name } })

  it('a person who joins a project in four browsers at once becomes one member, and is signed in in all four browsers', async () => {
    const store = await makeStore()
    const steps = []
    for (let n = 0; n < 4; n++) steps.push(await comeBack('bob', store))

    expect(await finish(steps)).toEqual(Array(4).fill('#signed-in'))

    expect(await names(store)).toEqual(['bob'])
    expect(await personsNamed('bob')).toBe(1)
  })

  it('a person who joins two projects at the same time, over two processes, is stored once', async () => {
    const [first, second] = [await makeStore(), await makeStore()]
    const steps = []
    for (const store of [first, second, first, second]) steps.push(await comeBack('carol', store))

    expect(await finish(steps)).toEqual(Array(4).fill('#signed-in'))

    expect([await names(first), await names(second)]).toEqual([['carol'], ['carol']])
    expect(await personsNamed('carol')).toBe(1)
  })

  it('if several people join a project by its domain at the same moment, each person becomes exactly one member', async () => {
    const store = await makeStore()
    const steps = []
    for (const subject of subjects) steps.push(await comeBack(subject, store))

    expect(await finish(steps)).toEqual(subjects.map(() => '#signed-in'))

    expect(await names(store)).toEqual(subjects)
  })
})
