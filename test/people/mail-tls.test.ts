import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { makeAuthority } from '../support/authority.ts'
import { freshFolder } from '../support/databases.ts'
import { sendGraphql } from '../support/graphql.ts'
import { type SmtpTls, startSmtp } from '../support/smtp.ts'
import { startApp } from '../support/start-app.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

const operatorKey = 'operator-key-of-the-mail-tests-000000'
/**
 * Two addresses of this machine. The service sends mail to a mail server at these addresses only over TLS. The
 * certificate of the mail server names only the first address.
 */
const [host, otherHost] = ['127.0.0.2', '127.0.0.3']
const ways: SmtpTls['way'][] = ['at once', 'STARTTLS']

let authority: ReturnType<typeof makeAuthority>
beforeAll(() => {
  authority = makeAuthority(undefined, `IP:${host}`)
})
afterAll(() => rmSync(authority.folder, { recursive: true }))

async function startServer(way: SmtpTls['way'], at: string) {
  const smtp = await startSmtp(at, { way, ...authority })
  onTestFinished(smtp.close)
  return smtp
}

const invite = (url: string, projectId: string) =>
  sendGraphql(
    url,
    operatorKey,
    'mutation M($input: MemberInviteInput!) { memberInvite(input: $input) { url mail } }',
    {
      variables: { input: { projectId, role: 'developer', email: 'bob@acme.example' } },
    },
  )

/**
 * Starts a service that trusts the test's certificate authority, and invites a person through the service. The service
 * runs in its own process, because Node.js reads the authority's file only when a process starts.
 */
async function inviteFromService(smtpUrl: string) {
  const own = await freshFolder()
  const service = await startProcess({
    ...{ ...own.env, OPERATOR_KEY: operatorKey, LOG_LEVEL: 'warn' },
    ...{ SMTP_URL: smtpUrl, MAIL_FROM: 'store@store.example', NODE_EXTRA_CA_CERTS: authority.ca },
  })
  onTestFinished(async () => {
    service.child.kill('SIGKILL')
    await service.ended
    await own.remove()
  })
  await service.printed(answersAt)
  const { data } = await invite(service.url, 'project_demo')
  return { service, ...(data.memberInvite as { url: string; mail: string }) }
}

it.each(ways)('an invitation and the password are sent over TLS: %s', async way => {
  const smtp = await startServer(way, host)

  const { url, mail } = await inviteFromService(smtp.env.SMTP_URL.replace('//', '//store:secret@'))

  expect(mail).toBe('sent')
  expect(smtp.received).toMatchObject([
    { login: '\0store\0secret', to: ['bob@acme.example'], isSecure: true },
  ])
  const text = smtp.received[0]?.data.replace(/=\r\n/g, '').replace(/=3D/g, '=')
  expect(text).toContain(url)
  expect(smtp.connections).toBe(1)
})

it.each(ways)('a certificate for another name is refused, and the log says so: %s', async way => {
  const smtp = await startServer(way, otherHost)

  const { service, mail } = await inviteFromService(smtp.env.SMTP_URL)

  expect([mail, smtp.received]).toEqual(['failed', []])
  await service.printed(/ERR_TLS_CERT_ALTNAME_INVALID.*a message could not be mailed/)
})

it.each(ways)('a certificate of an unknown authority is refused, and the log says so: %s', async way => {
  const smtp = await startServer(way, host)
  const app = await startApp({ env: { ...smtp.env, OPERATOR_KEY: operatorKey } })
  onTestFinished(app.stop)
  const { project } = await app.makeProject()
  const warnings = vi.spyOn(app.tools.log, 'warn')

  const { data } = await invite(app.url, `project_${project.slug}`)

  expect([data.memberInvite.mail, smtp.received]).toEqual(['failed', []])
  expect(smtp.commands.filter(line => !/^(?:EHLO|STARTTLS)/.test(line))).toEqual([])
  const refusal = expect.objectContaining({ cause: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  expect(warnings.mock.calls).toContainEqual([refusal, 'a message could not be mailed'])
})
