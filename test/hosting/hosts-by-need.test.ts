import acme from 'acme-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { addDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import type { Tools } from '../../src/tools.ts'
import { freshAddress } from '../support/ask.ts'
import {
  certificateState,
  makeDeployed,
  type Platform,
  shakesHands,
  startPlatform,
  until,
  visit,
} from '../support/hosting.ts'
import { watchStatements } from '../support/statements.ts'

let platform: Platform
let tools: Tools
let port: number
let httpsPort: number

beforeAll(async () => {
  platform = await startPlatform({ env: { HTTPS_REDIRECT: '0' } })
  ;({ tools, port, httpsPort } = platform.first)
})
afterAll(() => platform.stop())

const statusOf = async (name: string, from?: string) =>
  (await visit(`http://${name}/`, port, { ...(from && { from }) })).status
const isServed = (status: number) => status === 200

test('a deploy makes the process read the changed project from the database, and not all the other projects that it serves', async () => {
  const all: Awaited<ReturnType<typeof makeDeployed>>[] = []
  for (let n = 0; n < 30; n++) all.push(await makeDeployed(platform))
  for (const { target } of all) await until(() => statusOf(target), isServed)
  const [changed] = all
  const title = async () => /<h1>(.*)<\/h1>/.exec((await visit(`http://${changed?.target}/`, port)).text)?.[1]

  const watch = watchStatements()
  if (changed) await deploy(tools.db, tools.hosting, changed.project, { title: 'Changed' })
  await until(title, now => now === 'Changed', 1_000)
  for (const { target } of all) expect(await statusOf(target)).toBe(200)
  watch.stop()

  // Allow more than one row, because a busy machine may not read the log of changes in time. Reading all hosts would be
  // thirty rows.
  expect(watch.rowsOf('deploys')).toBeLessThan(15)
})

test('a flood of unknown names gets 421 and then 429, without further queries', async () => {
  const { project, target } = await makeDeployed(platform)
  await until(() => statusOf(target), isServed)
  const from = freshAddress()

  const watch = watchStatements()
  const statuses: number[] = []
  for (let n = 0; n < 200; n++) statuses.push(await statusOf(`flood${n}.test`, from))
  watch.stop()

  expect(statuses.slice(0, 60)).toEqual(Array(60).fill(421))
  expect(statuses.slice(60)).toEqual(Array(140).fill(429))
  // Count only the statements that contain the unknown names. The background jobs also send two statements about
  // domains each second.
  expect(watch.naming('flood')).toBeLessThan(70)
  expect(await statusOf(target, from)).toBe(200)
  await deploy(tools.db, tools.hosting, project, { title: 'Changed' })
  await tools.hosting.hosts.waitUntilForgotten()
  expect(await statusOf(target, from)).toBe(200)
  expect(await statusOf('flood0.test', freshAddress())).toBe(421)
})

test('twenty successive requests for one unknown host cause fewer than ten database queries', async () => {
  const from = freshAddress()

  const watch = watchStatements()
  for (let n = 0; n < 20; n++) expect(await statusOf('again.test', from)).toBe(421)
  watch.stop()

  // Allow more than one query: a busy machine may read the log of changes late, and each late read drops the cached
  // answer.
  expect(watch.naming('again.test')).toBeLessThan(10)
})

test('concurrent requests for unknown names share queries', async () => {
  const from = freshAddress()

  const watch = watchStatements()
  await Promise.all(Array.from({ length: 50 }, (_, n) => statusOf(`together${n}.test`, from)))
  watch.stop()

  expect(watch.about('domains')).toBeLessThan(25)
})

test('concurrent handshakes for unknown names share queries', async () => {
  const watch = watchStatements()
  const sockets = await Promise.all(
    Array.from({ length: 50 }, (_, n) => shakesHands(`handshake${n}.test`, httpsPort)),
  )
  watch.stop()

  expect(sockets.every(socket => socket === null)).toBe(true)
  expect(watch.about('domains')).toBeLessThan(25)
})

test('a new domain is served within a second, even if its name was requested just before', async () => {
  const { project, target } = await makeDeployed(platform)
  const name = `www.${project.slug}.test`
  platform.setRecords(`${name} CNAME ${target}`)
  await addDomain(tools.db, tools.hosting, project, { name })
  expect(await statusOf(name)).toBe(421)

  await verifyDomain(tools.db, tools.hosting, project, name)

  await until(() => statusOf(name), isServed, 1_000)
})

test('a project whose deploys were deleted is served at its domains again after a new deploy', async () => {
  const { project, target } = await makeDeployed(platform)
  const name = 'www.returned.test'
  platform.setRecords(`${name} CNAME ${target}`)
  await addDomain(tools.db, tools.hosting, project, { name })
  await verifyDomain(tools.db, tools.hosting, project, name)
  await tools.db.$executeRaw`DELETE FROM deploys WHERE project_id = ${project.id}`
  await until(
    () => statusOf(name),
    status => status === 421,
    1_000,
  )

  await deploy(tools.db, tools.hosting, project, {})

  await until(() => statusOf(name), isServed, 1_000)
})

test('a domain that is deleted by SQL is rejected within a second', async () => {
  const { project, target } = await makeDeployed(platform)
  const name = 'www.byhand.test'
  platform.setRecords(`${name} CNAME ${target}`)
  await addDomain(tools.db, tools.hosting, project, { name })
  await verifyDomain(tools.db, tools.hosting, project, name)
  await until(() => statusOf(name), isServed, 1_000)

  await tools.db.$executeRaw`DELETE FROM domains WHERE name = ${name}`

  await until(
    () => statusOf(name),
    status => status === 421,
    1_000,
  )
})

test('a changed certificate is used in handshakes within a second', async () => {
  const { project, target } = await makeDeployed(platform)
  const name = 'www.renewed.test'
  platform.setRecords(`${name} CNAME ${target}`)
  await addDomain(tools.db, tools.hosting, project, { name })
  await verifyDomain(tools.db, tools.hosting, project, name)
  tools.jobs.wake('domains')
  await until(
    () => certificateState(platform.first, name),
    state => state === 'issued',
  )
  const serial = async () => {
    const socket = await shakesHands(name, httpsPort)
    const number = socket?.getPeerCertificate().serialNumber
    socket?.destroy()
    return number
  }
  const before = await until(serial, number => number !== undefined, 1_000)

  const key = (await acme.crypto.createPrivateEcdsaKey()).toString()
  const [, csr] = await acme.crypto.createCsr({ altNames: [name] }, key)
  const { seal } = tools.hosting
  const [authority] = tools.hosting.authorities
  const step = await authority.advance(name, await authority.startOrder(name, null), csr, async () => false)
  if (step.outcome !== 'issued') throw new Error('the local authority signs at once')
  const sealedKey = Buffer.from(await seal.close(key, `certificate:${name}`))
  await tools.db.$executeRaw`
    UPDATE certificates SET chain = ${step.chain}, sealed_key = ${sealedKey} WHERE name = ${name}`

  await until(serial, number => number !== undefined && number !== before, 1_000)
})
