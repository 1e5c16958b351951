import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invite } from '../../src/core/people/invitations.ts'
import { acceptInvitation } from '../../src/core/people/joining.ts'
import { listMembers } from '../../src/core/people/members.ts'
import { type Project, toProject } from '../../src/core/project.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { ask } from '../support/ask.ts'
import { hasChromium, openBrowser as openChromium, openTab } from '../support/browser.ts'
import { type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { sendGraphql } from '../support/graphql.ts'
import { signInAtIssuer, startIssuer } from '../support/issuer.ts'
import { type KillingProxy, startKillingProxy } from '../support/killing-proxy.ts'
import { addAuthenticator, sessionCalls } from '../support/passkeys.ts'
import { openBrowser, type TestBrowser } from '../support/people.ts'
import { findProgram, freePort } from '../support/programs.ts'
import { answersAt, type Running, startProcess } from '../support/start-process.ts'

const tables = [
  ...['people', 'memberships', 'invitations', 'sessions'],
  ...['access_tokens', 'passkeys', 'challenges'],
]

/** Kills the process at each commit of each act, before the service gets the commit's answer. Then repeats the act. */
describe.skipIf(!findProgram('postgres') || !hasChromium)('a killed process', { timeout: 300_000 }, () => {
  let own: FreshDatabase
  let database: Awaited<ReturnType<typeof openDatabase>>
  let proxy: KillingProxy
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  let env: Record<string, string>
  let service: Running
  let chromium: Browser
  let demo: Project
  let dataDir: string
  const db = () => database.db

  async function start(): Promise<void> {
    service = await startProcess(env)
    await service.printed(answersAt)
  }
  beforeAll(async () => {
    own = await freshDatabase()
    const databaseUrl = own.env.DATABASE_URL ?? ''
    const port = await freePort()
    ;[proxy, issuer, chromium] = await Promise.all([
      startKillingProxy(databaseUrl, tables),
      startIssuer({}, port),
      openChromium(),
    ])
    dataDir = mkdtempSync(join(tmpdir(), 'animal-store-killed-'))
    env = {
      ...{ ...issuer.env, DATABASE_URL: proxy.url, DATA_DIR: dataDir, SEED_DEMO: '1' },
      ...{ PORT: String(port), LOG_LEVEL: 'silent' },
    }
    await start()
    database = await openDatabase({ databaseUrl, dataDir: '' })
    await database.migrated
    demo = toProject(await db().project.findFirstOrThrow({ include: { plan: true } }))
  })
  afterAll(async () => {
    service?.child.kill('SIGKILL')
    await service?.ended
    proxy?.stop()
    issuer?.close()
    await database?.close()
    await Promise.all([chromium?.close(), own?.remove()])
    rmSync(dataDir, { recursive: true, force: true })
  })

  type Act = {
    /** Does the act, or a part of it if the process is killed. */
    act(): Promise<void>
    /** Repeats the act after the process was killed and started again. */
    again(): Promise<void>
  }

  /** Returns, for each commit at which the process was killed, the tables that the commit writes. */
  async function killAtEach(prepare: () => Promise<Act>): Promise<string[]> {
    for (let at = 1; ; at++) {
      const { act, again } = await prepare()
      proxy.arm(at, () => service.child.kill('SIGKILL'))
      const isDone = await act().then(
        () => true,
        () => false,
      )
      const commits = [...proxy.commits]
      proxy.arm(0, () => {})
      if (isDone) {
        expect(commits.length).toBeLessThan(at)
        return commits
      }
      expect(commits.length).toBe(at)
      await service.ended
      await start()
      await again()
    }
  }

  const openInvitation = async (project: Project) =>
    (await invite(db(), systemClock, project, { role: 'owner', invitedBy: null })).secret
  const makeAttempt = () => randomBytes(32).toString('base64url')
  const browserHere = () => openBrowser(service.url)

  async function makeProject(): Promise<Project> {
    const slug = `p${randomBytes(6).toString('hex')}`
    const row = await db().project.create({
      data: { slug, name: 'A store', planName: 'pro' },
      include: { plan: true },
    })
    return toProject(row)
  }
  async function makeMember(project: Project, name: string): Promise<TestBrowser> {
    const browser = browserHere()
    const joined = await browser.post('/session/invitation', { secret: await openInvitation(project), name })
    expect(joined.status).toBe(200)
    return browser
  }
  const run = (page: Page, script: string) => page.evaluate<number>(`(async () => { ${script} })()`)
  async function openPage(): Promise<Page> {
    const page = await openTab(chromium, null)
    await page.goto(`http://localhost:${env.PORT}/healthz`)
    await addAuthenticator(page)
    await page.evaluate(sessionCalls)
    return page
  }

  it('after a process is killed, the printed sign-in link works until the owner has a passkey', async () => {
    const pages: Page[] = []
    const commits = await killAtEach(async () => {
      await db().membership.deleteMany({ where: { projectId: demo.id } })
      await db().person.deleteMany()
      service.child.kill('SIGKILL')
      await service.ended
      await start()
      const [, secret] = await service.printed(/invitation#(\S+)/)
      const page = await openPage()
      pages.push(page)
      const attempt = makeAttempt()
      const joins = `
        const { status } = await post('/invitation', { secret: '${secret}', name: 'Ada', attempt: '${attempt}' })
        if (status !== 200) throw new Error('not joined: ' + status)`
      const add = `
        const added = await post('/passkeys', { name: 'Laptop', response: await make() }, await token())
        if (added.status !== 200) throw new Error('not added: ' + added.status)`
      return {
        async act() {
          await run(page, joins + add)
        },
        async again() {
          const hasPasskey = (await db().passkey.count()) > 0
          const isUsed = await db().session.count({
            where: { lastUsedAt: { gt: db().session.fields.createdAt } },
          })
          // A start prints a link exactly when the owner has neither a passkey nor a used session.
          expect(/invitation#/.test(service.output())).toBe(!hasPasskey && isUsed === 0)
          await run(page, hasPasskey ? '' : joins + add)
          await page.context().clearCookies()
          const signed = await run(page, `return (await post('/passkey', { response: await sign() })).status`)
          expect(signed).toBe(200)
          expect(await listMembers(db(), demo)).toMatchObject([{ role: 'owner', person: { name: 'Ada' } }])
          expect(await db().person.count()).toBe(1)
        },
      }
    })
    await Promise.all(pages.map(page => page.context().close()))

    expect(commits).toEqual([
      'challenges invitations memberships people sessions',
      ...['access_tokens', 'sessions', 'challenges'],
      // To store the passkey, the page needs a second access token, so a commit writes `access_tokens` a second time.
      ...['access_tokens', 'sessions', 'challenges', 'passkeys'],
    ])
  })

  it('after a process is killed, a signed-in person can accept an invitation again', async () => {
    const commits = await killAtEach(async () => {
      const [first, second] = [await makeProject(), await makeProject()]
      const ada = await makeMember(first, 'Ada')
      const headers = { authorization: `Bearer ${await ada.token()}` }
      const body = { secret: await openInvitation(second), attempt: makeAttempt() }
      const press = async () => {
        const { status, json } = await ada.post('/session/invitation', body, headers)
        expect([status, json]).toEqual([200, { project: second.slug }])
      }
      return {
        act: press,
        async again() {
          await press()
          expect(await listMembers(db(), second)).toMatchObject([{ person: { name: 'Ada' } }])
          expect(await ada.token(second.slug)).toMatch(/^asa_/)
        },
      }
    })

    expect(commits).toEqual(['challenges invitations memberships'])
  })

  it('after a process is killed, a person can sign in by the passkey again', async () => {
    const page = await openPage()
    const project = await makeProject()
    const secret = await openInvitation(project)
    await run(
      page,
      `await post('/invitation', { secret: '${secret}', name: 'Bob' })
       await post('/passkeys', { name: 'Laptop', response: await make() }, await token())`,
    )
    const signIn = async () => {
      const status = await run(
        page,
        `await post('/passkey', { response: await sign() })
         return (await post('/token')).status`,
      )
      expect(status).toBe(200)
    }
    const commits = await killAtEach(async () => {
      await page.context().clearCookies()
      return { act: signIn, again: signIn }
    })
    await page.context().close()

    expect(commits).toEqual(['challenges', 'challenges', 'passkeys', 'sessions', 'access_tokens', 'sessions'])
  })

  it('after a process is killed, an invited person can finish the sign-in at the identity provider', async () => {
    let people = 0
    const signIn = async (browser: TestBrowser, subject: string, invitation?: string) => {
      const begun = await browser.post('/session/issuer', { invitation })
      expect(begun.status).toBe(200)
      const back = await signInAtIssuer((begun.json as { url: string }).url, subject)
      expect((await browser.visit(back)).headers.location).toMatch(/#signed-in$/)
      expect(await browser.token()).toMatch(/^asa_/)
    }
    const commits = await killAtEach(async () => {
      const project = await makeProject()
      const subject = `person-${++people}`
      const invitation = await openInvitation(project)
      return {
        act: () => signIn(browserHere(), subject, invitation),
        async again() {
          const isOpen = (await db().invitation.count({ where: { projectId: project.id } })) > 0
          await signIn(browserHere(), subject, isOpen ? invitation : undefined)
          expect(await listMembers(db(), project)).toHaveLength(1)
          expect(await db().person.count({ where: { subject } })).toBe(1)
        },
      }
    })

    expect(commits).toEqual([
      ...['challenges', 'challenges', 'invitations memberships people sessions'],
      ...['access_tokens', 'sessions'],
    ])
  })

  it('if a process is killed while removing a member, the removal is complete or absent, and a retry lists the keys of the member', async () => {
    const commits = await killAtEach(async () => {
      const project = await makeProject()
      const [ada, bob] = [await makeMember(project, 'Ada'), await makeMember(project, 'Bob')]
      const [token, tokenOfBob] = [await ada.token(), await bob.token()]
      const members = await listMembers(db(), project)
      const { personId = '' } = members.find(({ person }) => person.name === 'Bob') ?? {}
      const issue =
        'mutation { apiKeyIssue(input: { name: "of Bob", scopes: [pets_read] }) { apiKey { id } } }'
      const issued = await sendGraphql(service.url, tokenOfBob, issue)
      expect(issued.data.apiKeyIssue, issued.text).not.toBeNull()
      const query = `mutation { memberRemove(input: { id: "member_${project.slug}_${personId}" }) { apiKeys { name } } }`
      const remove = async () => {
        const { data, text } = await sendGraphql(service.url, token, query)
        expect(data.memberRemove, text).toEqual({ apiKeys: [{ name: 'of Bob' }] })
      }
      return {
        act: remove,
        async again() {
          await remove()
          expect(await listMembers(db(), project)).toMatchObject([{ person: { name: 'Ada' } }])
          const headers = { authorization: `Bearer ${tokenOfBob}` }
          expect((await ask(`${service.url}/v1/pets`, { headers })).status).toBe(401)
          expect((await bob.post('/session/token')).status).toBe(401)
          expect(await db().session.count({ where: { personId } })).toBe(0)
        },
      }
    })

    expect(commits).toEqual(['memberships people'])
  })

  it('if the answer to an accepted invitation is lost, a repeated request returns a session only with the attempt value of the first request', async () => {
    const project = await makeProject()
    const secret = await openInvitation(project)
    const attempt = makeAttempt()
    const [lost, again] = [browserHere(), browserHere()]
    const press = (browser: TestBrowser, value?: string) =>
      browser.post('/session/invitation', { secret, name: 'Ada', attempt: value })
    await press(lost, attempt)

    const others = await Promise.all([undefined, '', makeAttempt()].map(value => press(browserHere(), value)))
    expect(others.map(({ status }) => status)).toEqual([404, 404, 404])
    expect((await press(again, attempt)).status).toBe(200)

    expect((await lost.post('/session/token')).status).toBe(401)
    const headers = { authorization: `Bearer ${await again.token()}` }
    await again.post('/session/end', {}, headers)
    expect((await press(browserHere(), attempt)).status).toBe(404)
    expect(await listMembers(db(), project)).toHaveLength(1)
    await expect(
      acceptInvitation(db(), systemClock, secret, { personId: randomUUID() }, { attempt }),
    ).rejects.toMatchObject({ code: 'invitation_not_found' })
  })
})
