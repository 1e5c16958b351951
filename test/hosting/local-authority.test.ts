import { X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import acme from 'acme-client'
import { expect, inject, onTestFinished, test } from 'vitest'
import { addDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import { makeRoot, signLeaf } from '../../src/hosting/local-signing.ts'
import { certificateLabel } from '../../src/hosting/seal.ts'
import { ask } from '../support/ask.ts'
import { movableClock } from '../support/clock.ts'
import { freshDatabase } from '../support/databases.ts'
import { certificateState, makeDeployed, startPlatform, until } from '../support/hosting.ts'
import { type App, startApp } from '../support/start-app.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')

async function start(env: Record<string, string>): Promise<{ app: App; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-authority-'))
  const app = await startApp({ env: { ...env, DATA_DIR: folder } })
  onTestFinished(async () => {
    await app.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { app, folder }
}

const written = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
const rootOf = ({ app }: { app: App }) => app.ask('/local-ca.pem')

test('the local authority is shared by all processes of a database, and no process writes to DATA_DIR', async ({
  skip,
}) => {
  if (inject('services').postgresUrl === null) return skip('PostgreSQL is not installed')
  const { env, remove } = await freshDatabase()
  onTestFinished(remove)
  const two = [await start({ ...env, SECRETS_KEY }), await start({ ...env, SECRETS_KEY })]

  const [one, other] = await Promise.all(two.map(rootOf))

  expect(one?.text).toMatch(/^-----BEGIN CERTIFICATE-----/)
  expect(other?.text).toBe(one?.text)
  expect(two.flatMap(({ folder }) => written(folder))).toEqual([])
})

test('a certificate of the local authority names the root that signed it', async () => {
  const clock = movableClock()
  const root = await makeRoot(clock)
  const [, csr] = await acme.crypto.createCsr({ altNames: ['www.shop.test'] })

  const leaf = new X509Certificate(await signLeaf(root, 'www.shop.test', csr, clock))
  const authority = new X509Certificate(root.slice(root.indexOf('-----BEGIN CERTIFICATE-----')))

  expect(leaf.checkIssued(authority)).toBe(true)
  expect(leaf.verify(authority.publicKey)).toBe(true)
  expect(leaf.checkHost('www.shop.test')).toBe('www.shop.test')
})

test('a process without SECRETS_KEY that uses a PostgreSQL database writes a key file only when the process first encrypts a secret', async ({
  skip,
}) => {
  if (inject('services').postgresUrl === null) return skip('PostgreSQL is not installed')
  const { env, remove } = await freshDatabase()
  onTestFinished(remove)
  const alone = await start(env)

  const before = written(alone.folder)
  await rootOf(alone)

  expect(before).toEqual([])
  expect(written(alone.folder)).toEqual(['secrets.key'])
})

test('if two processes start at once without SECRETS_KEY, one creates the key, and the other reports the missing key and cannot restart', {
  timeout: 60_000,
}, async ({ skip }) => {
  if (inject('services').postgresUrl === null) return skip('PostgreSQL is not installed')
  const { env, remove } = await freshDatabase()
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'animal-store-authority-')))
  const start = (DATA_DIR: string) => startProcess({ ...env, DATA_DIR })
  const [one, other] = await Promise.all(folders.map(start))
  onTestFinished(async () => {
    for (const process of [one, other]) process?.child.kill('SIGKILL')
    await Promise.all([one?.ended, other?.ended])
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    await remove()
  })
  await Promise.all([one, other].map(process => process?.printed(answersAt)))

  const answers = await Promise.all([one, other].map(process => ask(`${process?.url}/local-ca.pem`)))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 503])
  const lost = answers.findIndex(({ status }) => status === 503)
  const loser = [one, other][lost]
  expect(answers[lost]?.json).toMatchObject({ code: 'unavailable' })
  expect(await loser?.printed(/Give all processes the same SECRETS_KEY/)).toBeTruthy()
  // The process that made a key logs its path.
  const storedKeyLine = /kept in \S+secrets\.key: give it to all processes as SECRETS_KEY/
  expect(await [one, other][1 - lost]?.printed(storedKeyLine)).toBeTruthy()
  expect((await ask(`${loser?.opsUrl}/readyz`)).json).toMatchObject({
    status: 'degraded',
    secrets: 'this process lacks the SECRETS_KEY of the others',
  })
  expect(folders.map(written)[lost]).toEqual([])
  const again = await start(folders[lost] ?? '')
  expect(await again.ended).toBe(1)
  expect(again.output()).toContain('SECRETS_KEY')
  expect(folders.map(written)[lost]).toEqual([])
})

test('of two processes without SECRETS_KEY, only the process that created the key gets certificates', async ({
  skip,
}) => {
  if (inject('services').postgresUrl === null) return skip('PostgreSQL is not installed')
  const platform = await startPlatform({ processes: 2, env: { HTTPS_PORT: '0', SECRETS_KEY: '' } })
  onTestFinished(() => platform.stop())
  const { project, target } = await makeDeployed(platform)
  const { db, hosting } = platform.first.tools
  const names = ['a', 'b', 'c', 'd'].map(label => `${label}.${project.slug}.test`)
  platform.setRecords(...names.map(name => `${name} CNAME ${target}`))
  for (const name of names) {
    await addDomain(db, hosting, project, { name })
    await verifyDomain(db, hosting, project, name)
    for (const { tools } of platform.instances) tools.jobs.wake('domains')
  }

  for (const name of names) {
    await until(
      () => certificateState(platform.first, name),
      state => state === 'issued',
    )
  }

  const rows = await db.certificate.findMany({ select: { name: true, sealedKey: true } })
  const opened = platform.instances.map(
    ({ tools: { hosting } }) =>
      rows.filter(({ name, sealedKey }) => sealedKey && hosting.seal.keyOf(sealedKey, certificateLabel(name)))
        .length,
  )
  expect(opened.sort()).toEqual([0, names.length])
})
