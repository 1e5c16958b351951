import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { invitationText } from '../../src/core/people/mail.ts'
import { rereadSecrets } from '../../src/reread-secrets.ts'
import { openMail } from '../../src/tools/mail.ts'
import { numberAll } from '../support/events.ts'
import { codesOf, sendGraphql } from '../support/graphql.ts'
import { type SignedIn, signedIn } from '../support/people.ts'
import { startSmtp, type Trouble } from '../support/smtp.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let smtp: Awaited<ReturnType<typeof startSmtp>>
let app: App
let store: TestProject
let ada: SignedIn
beforeAll(async () => {
  smtp = await startSmtp()
  app = await startApp({ env: smtp.env })
})
afterAll(async () => {
  await app.stop()
  smtp.close()
})
beforeEach(async () => {
  store = await app.makeProject()
  ada = await signedIn(app.tools, app.url, store.project, 'owner', 'Ada Lovelace')
  Object.assign(smtp, { trouble: null, connections: 0, commands: [] })
  smtp.received.length = 0
})

let sent = 0
const newAddress = () => `bob-${++sent}@acme.example`
const invite = async (email: string | null, person = ada) =>
  sendGraphql(
    app.url,
    await person.token(),
    'mutation Invite($input: MemberInviteInput!) { memberInvite(input: $input) { url mail invitation { id } } }',
    { variables: { input: { role: 'developer', email } } },
  )

it('the mail of an invitation is plain text with the link, and is sent only to the address of the invitation', async () => {
  const email = newAddress()
  const { data } = await invite(email)

  const { url, mail } = data.memberInvite
  expect(mail).toBe('sent')
  expect(smtp.received).toHaveLength(1)
  const [{ from, to, data: text } = { from: '', to: [], data: '' }] = smtp.received
  expect([from, to]).toEqual(['store@store.example', [email]])
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  expect(head).toContain(`To: ${email}`)
  expect(head).toContain('Content-Type: text/plain')
  expect(head).toContain(`Subject: Invitation to the project ${store.project.slug}`)
  expect(body).toContain(`Ada Lovelace invites you to the project ${store.project.slug} as developer.`)
  const whole = text.slice(head.length)
  expect(whole.replace(/=\r\n/g, '').replace(/=3D/g, '=')).toContain(url)
})

it('an invitation without an e-mail address sends no mail', async () => {
  const { data } = await invite(null)

  expect(data.memberInvite.mail).toBeNull()
  expect(smtp.connections).toBe(0)
})

it.each<Trouble>([
  'refuses the recipient',
  'refuses the message',
  'hangs up',
  'says nothing',
  'never ends its greeting',
])(
  'the invitation stands if the mail server %s, and the answer says so',
  async trouble => {
    smtp.trouble = trouble
    const warnings = vi.spyOn(app.tools.log, 'warn')
    const email = newAddress()

    const { data, errors } = await invite(email)

    expect(errors).toEqual([])
    expect(data.memberInvite.mail).toBe('failed')
    const { pathname, hash } = new URL(data.memberInvite.url)
    expect(pathname).toBe('/dashboard/invitation')
    const shown = await ada.post('/session/invitation/show', { secret: hash.slice(1) })
    expect(shown.status).toBe(200)
    expect(JSON.stringify(warnings.mock.calls)).not.toContain(email)
    expect(warnings.mock.calls.flat()).toContain('a message could not be mailed')
    warnings.mockRestore()
  },
  30_000,
)

it('a request with several invitations waits for a dead mail server only once', async () => {
  smtp.trouble = 'never ends its greeting'
  const aliases = ['a', 'b', 'c', 'd', 'e', 'f']
  const fields = aliases.map(
    name => `${name}: memberInvite(input: { role: viewer, email: "${newAddress()}" }) { mail url }`,
  )

  const { data, errors } = await sendGraphql(app.url, await ada.token(), `mutation { ${fields.join(' ')} }`)

  expect(errors).toEqual([])
  const failed = { mail: 'failed', url: expect.any(String) }
  expect(data).toEqual(Object.fromEntries(aliases.map(name => [name, failed])))
  // A request may wait ten seconds for all its mails, and the wait on one connection ends after five seconds. So the
  // service must not open a connection for each of the six mails.
  expect(smtp.connections).toBeLessThan(4)
}, 90_000)

it.each([
  'bob@acme.example\r\nBcc: eve@evil.example',
  'bob@acme.example\nRCPT TO:<eve@evil.example>',
  'bob@acme.example,eve@evil.example',
  'bob@acme.example eve@evil.example',
  'Bob <bob@acme.example>',
  '"bob\r\nBcc: eve"@acme.example',
  'bob@acme.example>\r\nRCPT TO:<eve@evil.example',
  'bob@acme',
  'bob@[127.0.0.1]',
  'bob@-acme.example',
  '.bob@acme.example',
  'bob@acmé.example',
  '@acme.example',
  'bob',
  '',
  `${'b'.repeat(65)}@acme.example`,
])('no invitation is made for %j, which is no single address', async email => {
  const before = await app.tools.db.invitation.count()

  expect(codesOf(await invite(email))).toEqual(['invalid_input'])

  expect(await app.tools.db.invitation.count()).toBe(before)
  expect(smtp.connections).toBe(0)
})

describe('a name that a person chose', () => {
  it.each([
    ['Ada Lovelace', true],
    ['Dr. Ada O’Neil-Łukasz', true],
    ['Eve\r\nBcc: eve@evil.example', false],
    ['Win at evil.example', false],
    ['Call 0900 123456', false],
    ['https://evil.example', false],
    ['eve@evil.example', false],
    ['+1 555 0100 <call>', false],
    [`${'a '.repeat(500)}/`, false],
  ])(
    'for the inviter’s name %j, it is %s that the mail of the invitation shows the name',
    (inviter, shown) => {
      const text = invitationText(
        'shop',
        'viewer',
        inviter,
        'https://store.example/dashboard/invitation#asi_',
      )

      expect(text.startsWith(inviter)).toBe(shown)
      expect(text.startsWith('Somebody invites you')).toBe(!shown)
    },
  )

  it('a line break in the inviter’s name adds no recipient and no header to the mail of the invitation', async () => {
    await app.tools.db.person.update({
      where: { id: ada.personId },
      data: { name: 'Ada\r\nBcc: eve@evil.example' },
    })

    expect((await invite(newAddress())).data.memberInvite.mail).toBe('sent')

    expect(smtp.received[0]?.to).toHaveLength(1)
    expect(smtp.received[0]?.data).not.toContain('evil')
  })
})

it('a project sends at most 20 invitations an hour and five a day to one address, whatever other projects send', async () => {
  const { limiter } = app.tools
  const [email, other] = [newAddress(), newAddress()]
  for (let n = 0; n < 5; n++) expect((await invite(email)).data.memberInvite.mail).toBe('sent')

  const sixth = await invite(email.toUpperCase())
  expect(sixth.data.memberInvite).toMatchObject({ mail: 'limited', url: expect.any(String) })
  expect((await invite(other)).data.memberInvite.mail).toBe('sent')
  const windows = [{ name: 'hour', seconds: 3600, limit: 20 }]
  await limiter.consume(`mail:${store.project.id}`, 14, { windows })
  for (let n = 0; n < 5; n++) expect((await invite(other)).data.memberInvite.mail).toBe('limited')
  expect(smtp.received).toHaveLength(6)
  // The messages that the project could not send do not count for the address.
  await limiter.delete(`mail:${store.project.id}`, { windows })
  expect((await invite(other)).data.memberInvite.mail).toBe('sent')

  const neighbour = await app.makeProject()
  const eve = await signedIn(app.tools, app.url, neighbour.project, 'owner')
  expect((await invite(email, eve)).data.memberInvite.mail).toBe('sent')
})

it('the e-mail address of an invitation is stored nowhere', async () => {
  const email = newAddress()
  await invite(email)
  await numberAll(app.tools)

  const tables = await app.tools.db.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema()`
  expect(tables.length).toBeGreaterThan(20)
  for (const { name } of tables) {
    const rows = await app.tools.db.$queryRawUnsafe(
      `SELECT 1 FROM ${name} AS t WHERE strpos(t::text, '${email}') > 0`,
    )
    expect([name, rows]).toEqual([name, []])
  }
})

it('a service without a mail server makes the invitation and says that it sends no mail', async () => {
  const plain = await startApp()
  const shop = await plain.makeProject()
  const owner = await signedIn(plain.tools, plain.url, shop.project, 'owner')
  const query = `mutation { memberInvite(input: { role: viewer, email: "${newAddress()}" }) { mail url } }`

  const { data } = await sendGraphql(plain.url, await owner.token(), query)
  const { data: shown } = await sendGraphql(
    plain.url,
    await owner.token(),
    '{ project { sendsInvitations } }',
  )

  expect(data.memberInvite).toMatchObject({ mail: 'unavailable', url: expect.any(String) })
  expect(shown.project.sendsInvitations).toBe(false)
  await plain.stop()
})

it('a line break in an address or a subject adds no recipient and no header', async () => {
  const evil = '\r\nBcc: eve@evil.example\r\nRCPT TO:<eve@evil.example>'

  for (const message of [
    { to: `bob@acme.example>${evil}`, subject: 'Hello' },
    { to: 'bob@acme.example', subject: `Hello${evil}` },
    { to: 'bob@acme.example, eve@evil.example', subject: 'Hello' },
  ])
    await app.tools.mail?.send({ ...message, text: 'Hello' })

  expect(smtp.commands.filter(line => /^(?:Bcc|RCPT TO:<eve)/i.test(line))).toEqual([])
  for (const { to, data } of smtp.received) {
    expect(to).not.toContain('eve@evil.example')
    expect(data).not.toMatch(/^(?:Bcc|RCPT)/m)
  }
})

it('a mail server on another machine gets neither the message nor the password without TLS', async () => {
  const far = await startSmtp('127.0.0.2')
  onTestFinished(far.close)
  const url = `smtp://store:secret@127.0.0.2:${far.port}`
  const mail = openMail({ url, from: 'store@store.example' }, app.tools.log)

  expect(await mail?.send({ to: 'bob@acme.example', subject: 'Hello', text: 'Hello' })).toBe(false)

  expect(far.connections).toBe(1)
  expect(far.commands.filter(line => !/^(?:EHLO|STARTTLS|QUIT)/.test(line))).toEqual([])
})

it('SIGHUP reads the file of SMTP_URL again: the next message goes to the new server with its password', async () => {
  const [first, second] = [await startSmtp(), await startSmtp()]
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-mail-'))
  const file = join(folder, 'smtp-url')
  writeFileSync(file, first.env.SMTP_URL)
  const other = await startApp({ env: { SMTP_URL_FILE: file, MAIL_FROM: 'store@store.example' } })
  onTestFinished(async () => {
    await other.stop()
    first.close()
    second.close()
    rmSync(folder, { recursive: true })
  })
  const message = { to: 'bob@acme.example', subject: 'Hello', text: 'Hello' }
  expect(await other.tools.mail?.send(message)).toBe(true)

  writeFileSync(file, 'http://smtp.test')
  rereadSecrets(other.tools)
  expect(await other.tools.mail?.send(message)).toBe(true)
  expect(first.received).toMatchObject([{ login: null }, { login: null }])
  writeFileSync(file, `smtp://store:p%40ss@127.0.0.1:${second.port}`)
  rereadSecrets(other.tools)

  expect(await other.tools.mail?.send(message)).toBe(true)
  expect(first.received).toHaveLength(2)
  expect(second.received).toMatchObject([{ login: '\0store\0p@ss', to: ['bob@acme.example'] }])
})
