import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { joinByDomain } from '../../src/core/people/join-domains.ts'
import { listMembers, removeMember, setRole } from '../../src/core/people/members.ts'
import { anonymousCharge } from '../../src/core/projects/limits.ts'
import { numberAll } from '../support/events.ts'
import { codesOf, sendGraphql } from '../support/graphql.ts'
import { type Account, signInAtIssuer, startIssuer } from '../support/issuer.ts'
import { join, openBrowser, type SignedIn, signedIn, type TestBrowser } from '../support/people.ts'
import { freePort } from '../support/programs.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const verified = (email: string): Account => ({ name: 'Bob', email, email_verified: true })
const accounts: Record<string, Account> = {
  bob: verified('bob@acme.example'),
  eve: verified('eve@evil.example'),
  shouting: verified('BOB@ACME.Example'),
  unverified: { name: 'Bob', email: 'bob@acme.example', email_verified: false },
  silent: { name: 'Bob', email: 'bob@acme.example' },
  nameless: { name: 'Bob', email_verified: true },
  subdomain: verified('bob@mail.acme.example'),
  parent: verified('bob@example'),
  longer: verified('bob@notacme.example'),
  suffixed: verified('bob@acme.example.evil.example'),
  cyrillic: verified('bob@аcme.example'),
  fullWidth: verified('bob@ａcme.example'),
  dotted: verified('bob@acme.example.'),
  twoAts: verified('bob@evil.example@acme.example'),
  quoted: verified('"bob@acme.example"@evil.example'),
  spaced: verified('bob@acme.example bob'),
}
let app: App
let issuer: Awaited<ReturnType<typeof startIssuer>>
let store: TestProject
let ada: SignedIn
beforeAll(async () => {
  issuer = await startIssuer(accounts, await freePort())
  // The provider itself spells its issuer without the slash.
  app = await startApp({ env: { ...issuer.env, OIDC_ISSUER: `${issuer.url}/` } })
})
afterAll(async () => {
  await app.stop()
  issuer.close()
})
beforeEach(async () => {
  // Each step of a sign-in draws on the budget of the address.
  const { subject, windows } = anonymousCharge('127.0.0.1')
  await app.tools.limiter.delete(subject, { windows })
  store = await app.makeProject()
  ada = await signedIn(app.tools, app.url, store.project, 'owner', 'Ada')
})

const send = async (person: SignedIn, query: string, headers = {}) =>
  sendGraphql(app.url, await person.token(store.project.slug), query, { headers })
const set = (domain: string, role = 'viewer') =>
  `mutation { joinDomainSet(input: { domain: "${domain}", role: ${role} }) { joinDomain { domain role url issuer } } }`
const remove = (domain: string) => `mutation { joinDomainRemove(input: { domain: "${domain}" }) { wasSet } }`
const list = '{ project { joinDomains { domain role } } }'

/**
 * Joins as the page does after its button is pressed, and signs in at the provider. Returns the address in the
 * dashboard to which the sign-in leads.
 */
async function joinAs(
  subject: string,
  project = store.project.slug,
  browser: TestBrowser = openBrowser(app.url),
): Promise<string> {
  const { json } = await browser.post('/session/issuer', { join: project })
  const back = await signInAtIssuer((json as { url: string }).url, subject)
  return (await browser.visit(back)).headers.location?.replace(`${app.url}/dashboard/`, '') ?? ''
}
const roles = async () =>
  (await listMembers(app.tools.db, store.project)).map(({ person, role }) => [person.name, role])

describe('somebody with a verified address of the domain', () => {
  it('a person with a verified address of the domain joins by the button of the page, with the role that the owner chose', async () => {
    const { data } = await send(ada, set('acme.example', 'developer'))
    expect(data.joinDomainSet.joinDomain).toEqual({
      ...{ domain: 'acme.example', role: 'developer', issuer: `${issuer.url}/` },
      url: `${app.tools.config.publicUrl}/dashboard/join/${store.project.slug}`,
    })
    const browser = openBrowser(app.url)

    expect(await joinAs('bob', store.project.slug, browser)).toBe('#signed-in')

    expect(await roles()).toEqual([
      ['Ada', 'owner'],
      ['Bob', 'developer'],
    ])
    expect(await browser.token(store.project.slug)).toMatch(/^asa_/)
  })

  it('a person with an address of the domain does not join by signing in alone', async () => {
    await send(ada, set('acme.example'))
    const browser = openBrowser(app.url)
    const { json } = await browser.post('/session/issuer')
    // Another test may have created this person, but the person is no member of this project.
    await browser.visit(await signInAtIssuer((json as { url: string }).url, 'bob'))

    expect(await roles()).toEqual([['Ada', 'owner']])
  })

  it('a person joins whatever the case of the address, and joining a second time keeps the role', async () => {
    await send(ada, set('Acme.EXAMPLE.'))
    expect(await joinAs('shouting')).toBe('#signed-in')
    await send(ada, set('acme.example', 'developer'))

    expect(await joinAs('shouting')).toBe('#signed-in')

    expect(await roles()).toEqual([
      ['Ada', 'owner'],
      ['Bob', 'viewer'],
    ])
  })
})

describe('accounts that cannot join', () => {
  it.each(Object.keys(accounts).filter(subject => !['bob', 'shouting'].includes(subject)))(
    'the account %s is not admitted',
    async subject => {
      await send(ada, set('acme.example'))

      expect(await joinAs(subject)).toBe('#refused:not_admitted')

      expect(await roles()).toEqual([['Ada', 'owner']])
      expect(await app.tools.db.person.count({ where: { subject } })).toBe(0)
    },
  )

  it('joining fails in the same way for a project without the domain, a missing project and a removed domain', async () => {
    const other = await app.makeProject()
    await send(ada, set('acme.example'))
    expect((await send(ada, remove('ACME.example'))).data.joinDomainRemove).toEqual({ wasSet: true })
    expect((await send(ada, remove('acme.example'))).data.joinDomainRemove).toEqual({ wasSet: false })

    for (const slug of [store.project.slug, other.project.slug, 'no-such-project'])
      expect(await joinAs('bob', slug)).toBe('#refused:not_admitted')
  })

  it('a domain for joining admits only accounts of the identity provider that was configured when the domain was set', async () => {
    await send(ada, set('acme.example'))
    const joiner = { name: 'Bob', email: 'bob@acme.example' }
    const { db, clock } = app.tools
    const from = (name: string) =>
      joinByDomain(
        db,
        clock,
        store.project.slug,
        { ...joiner, identity: { issuer: name, subject: 'b' } },
        issuer.url,
        'A device',
      )

    expect(await from('https://other.example')).toBeNull()
    await db.joinDomain.updateMany({ data: { issuer: 'https://former.example' } })
    expect(await from(issuer.url)).toBeNull()
  })

  it('a removed member can join again only by an invitation', async () => {
    await send(ada, set('acme.example'))
    await joinAs('bob')
    const { db, clock } = app.tools
    const bob = (await listMembers(db, store.project)).find(({ person }) => person.name === 'Bob')
    await removeMember(db, clock, store.project, bob?.personId ?? '')

    expect(await joinAs('bob')).toBe('#refused:not_admitted')
    expect(await roles()).toEqual([['Ada', 'owner']])

    const made = await send(ada, 'mutation { memberInvite(input: { role: viewer }) { url } }')
    const invitation = new URL(made.data.memberInvite.url).hash.slice(1)
    const browser = openBrowser(app.url)
    const { json } = await browser.post('/session/issuer', { invitation })
    await browser.visit(await signInAtIssuer((json as { url: string }).url, 'bob'))
    expect((await roles()).length).toBe(2)
    const again = (await listMembers(db, store.project)).find(({ person }) => person.name === 'Bob')
    expect(await db.barredIdentity.count({ where: { projectId: store.project.id } })).toBe(0)
    expect(again?.role).toBe('viewer')
  })

  it('a member whose role was lowered does not get the old role back by deleting the account and joining again', async () => {
    await send(ada, set('acme.example', 'developer'))
    const browser = openBrowser(app.url)
    await joinAs('bob', store.project.slug, browser)
    const { db } = app.tools
    const bob = (await listMembers(db, store.project)).find(({ person }) => person.name === 'Bob')
    await setRole(db, store.project, bob?.personId ?? '', 'viewer')
    const remove = `mutation { viewerDelete(input: { id: "person_${bob?.personId}" }) { viewerId } }`
    expect((await sendGraphql(app.url, await browser.token(store.project.slug), remove)).errors).toEqual([])

    expect(await joinAs('bob')).toBe('#refused:not_admitted')
  })

  it('a project with the maximum number of members admits no further person by domain', async () => {
    await send(ada, set('acme.example'))
    const at = new Date(Date.now() + 1e9)
    await app.tools.db.invitation.createMany({
      data: Array.from({ length: 99 }, (_, n) => ({
        ...{ projectId: store.project.id, role: 'viewer' as const, createdAt: at, expiresAt: at },
        hash: new Uint8Array(Buffer.from(`${store.project.slug} ${n}`)),
      })),
    })

    expect(await joinAs('bob')).toBe('#refused:too_many_members')
  })

  it.each([7, '', '../x', 'A', 'x'.repeat(41), { slug: 'a' }])(
    'a sign-in to join the project %j is refused',
    async slug => {
      const { status } = await openBrowser(app.url).post('/session/issuer', { join: slug })

      expect(status).toBe(400)
    },
  )
})

describe('the owner', () => {
  it('an owner lists the domains whose people may join; other members and API keys can neither see nor change them', async () => {
    const viewer = await signedIn(app.tools, app.url, store.project, 'viewer')
    const developer = await signedIn(app.tools, app.url, store.project, 'developer')
    await send(ada, set('acme.example'))
    await send(ada, set('bücher.example'))

    expect((await send(ada, list)).data.project.joinDomains).toEqual([
      { domain: 'acme.example', role: 'viewer' },
      { domain: 'xn--bcher-kva.example', role: 'viewer' },
    ])
    for (const query of [list, set('evil.example'), remove('acme.example')]) {
      for (const person of [viewer, developer])
        expect(codesOf(await send(person, query))).toEqual(['insufficient_scope'])
      expect(codesOf(await sendGraphql(app.url, store.secret, query))).toEqual(['insufficient_scope'])
    }
  })

  it('an owner of another project cannot set a domain for joining this project', async () => {
    const other = await app.makeProject()
    const eve = await signedIn(app.tools, app.url, other.project, 'owner')
    const input = `{ projectId: "project_${store.project.slug}", domain: "evil.example", role: viewer }`
    const query = `mutation { joinDomainSet(input: ${input}) { joinDomain { domain } } }`

    const answer = await sendGraphql(app.url, await eve.token(), query)

    expect(codesOf(answer)).toEqual(['project_not_found'])
  })

  it.each([
    ...[
      'gmail.com',
      'GMail.com.',
      'outlook.com',
      'com',
      'co.uk',
      'github.io',
      'acme',
      '',
      '127.0.0.1',
      '[::1]',
    ],
    ...[
      '*.acme.example',
      'acme..example',
      'acme.example/x',
      'bob@acme.example',
      'ａcme.example',
      'acme example.com',
    ],
  ])('the domain %j cannot be set for joining', async domain => {
    expect(codesOf(await send(ada, set(domain)))).toEqual(['invalid_input'])
  })

  it('joining by a domain cannot give the role owner, and a project has at most 20 domains for joining', async () => {
    expect(codesOf(await send(ada, set('acme.example', 'owner')))).toEqual(['invalid_input'])
    for (let n = 0; n < 20; n++) expect((await send(ada, set(`n${n}.example`))).errors).toEqual([])

    expect(codesOf(await send(ada, set('one-more.example')))).toEqual(['invalid_input'])
    expect((await send(ada, set('n3.example', 'developer'))).errors).toEqual([])
  })

  it('the audit log records a change of a join domain and a person who joins by it, without an e-mail address', async () => {
    await send(ada, set('acme.example'))
    await send(ada, set('acme.example', 'developer'))
    await joinAs('bob')
    await send(ada, remove('acme.example'))
    await numberAll(app.tools)

    const { data } = await send(
      ada,
      '{ auditLog(types: ["join_domain.added", "join_domain.changed", "join_domain.removed", "member.added"], first: 5) { nodes { type subject actor { type name } data } } }',
    )
    const nodes = data.auditLog.nodes.toReversed().slice(1)
    const byAda = { subject: 'join_domain:acme.example', actor: { type: 'person', name: 'Ada' } }
    expect(nodes).toMatchObject([
      { type: 'join_domain.added', ...byAda, data: { role: 'viewer' } },
      { type: 'join_domain.changed', ...byAda, data: { role: 'developer' } },
      { type: 'member.added', actor: { type: 'person', name: 'Bob' } },
      { type: 'join_domain.removed', ...byAda },
    ])
    expect(JSON.stringify(data)).not.toContain('bob@')
  })

  it('without an identity provider, no domain can be set for joining', async () => {
    const plain = await startApp()
    const shop = await plain.makeProject()
    await join(plain.tools, shop.project, 'owner')
    const owner = await signedIn(plain.tools, plain.url, shop.project, 'owner')

    const answer = await sendGraphql(plain.url, await owner.token(), set('acme.example'))

    expect(codesOf(answer)).toEqual(['precondition_failed'])
    await plain.stop()
  })
})
