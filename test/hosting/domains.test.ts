import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deploy, findCurrentDeploy } from '../../src/core/deploys/deploys.ts'
import {
  addDomain,
  findDomain,
  listDomains,
  removeDomain,
  reverifyDomain,
  verifyDomain,
} from '../../src/core/domains/domains.ts'
import { noteGrace } from '../../src/core/hosts/grace-period.ts'
import type { Domain } from '../../src/generated/prisma/client.ts'
import type { Tools } from '../../src/tools.ts'
import { type MovableClock, movableClock } from '../support/clock.ts'
import {
  certificateState,
  makeDeployed,
  type Platform,
  startPlatform,
  until,
  visit,
} from '../support/hosting.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let platform: Platform
let clock: MovableClock
let tools: Tools
let number = 0

beforeAll(async () => {
  clock = movableClock()
  platform = await startPlatform({ clock, env: { HTTPS_REDIRECT: '0', DATABASE_POOL_SIZE: '60' } })
  tools = platform.first.tools
})
afterAll(() => platform.stop())
beforeEach(() => platform.setRecords())

async function given(plan?: string) {
  const { project, target } = await makeDeployed(platform, plan)
  const name = `www.shop${++number}.test`
  const { ownershipToken: token } = await tools.db.project.findUniqueOrThrow({ where: { id: project.id } })
  const proof = (wanted = name) => `_animal-store.${wanted} TXT ${token}`
  const find = () => findDomain(tools.db, project, name)
  const add = (wanted = name) => addDomain(tools.db, tools.hosting, project, { name: wanted })
  const verify = (wanted = name) => {
    clock.advance(11_000)
    return verifyDomain(tools.db, tools.hosting, project, wanted)
  }
  const remove = () => removeDomain(tools.db, tools.hosting, project, name)
  const record = `${name} CNAME ${target}`
  return { project, target, token, name, record, proof, find, add, verify, remove }
}

describe('preconditions for adding a domain', () => {
  test('a domain cannot be added on a plan without domains', async () => {
    const { add } = await given('free')

    await expect(add()).rejects.toMatchObject({
      code: 'plan_required',
      message: expect.stringContaining('pro'),
    })
  })

  test('a domain cannot be added before the project is deployed', async () => {
    const { project } = await platform.first.makeProject({ plan: 'pro' })

    const adding = addDomain(tools.db, tools.hosting, project, { name: 'www.shop.test' })

    await expect(adding).rejects.toMatchObject({ code: 'deploy_required' })
  })
})

describe('adding a domain', () => {
  test('adding a domain a second time returns the same domain', async () => {
    const { add } = await given()

    expect((await add()).domain.id).toBe((await add()).domain.id)
  })

  test('adding pets.test with its partner www.pets.test adds two domains and redirects the partner to pets.test with status 301', async () => {
    const { project } = await given()

    const added = await addDomain(tools.db, tools.hosting, project, { name: 'pets.test', withPartner: true })

    expect([added.domain.name, added.partner?.name]).toEqual(['pets.test', 'www.pets.test'])
    expect((await findCurrentDeploy(tools.db, project))?.configuration.domains.redirects).toEqual([
      { from: 'www.pets.test', to: 'pets.test', status: 301 },
    ])
  })

  test('adding a domain with its partner (with or without www) fails with a reason and adds no domain if the partner cannot redirect', async () => {
    const { project } = await given()
    const addPair = (name: string) => addDomain(tools.db, tools.hosting, project, { name, withPartner: true })
    await addPair('round.test')
    const before = await findCurrentDeploy(tools.db, project)

    await expect(addPair('www.round.test')).rejects.toMatchObject({
      code: 'invalid_input',
      details: [{ field: 'withPartner', message: expect.stringContaining('leads back to itself') }],
    })
    await addDomain(tools.db, tools.hosting, project, { name: 'first.test' })
    await deploy(tools.db, tools.hosting, project, { domains: { primary: 'first.test' } })
    await expect(addPair('www.first.test')).rejects.toMatchObject({
      details: [{ message: expect.stringContaining('starts at the primary domain first.test') }],
    })

    expect((await listDomains(tools.db, project)).map(({ name }) => name)).toEqual([
      'first.test',
      'round.test',
      'www.round.test',
    ])
    expect(before?.succeeded).toBe(true)
    expect(await tools.db.deploy.count({ where: { projectId: project.id, succeeded: false } })).toBe(0)
  })

  test('a project gets at most fifty domains, even if several are added at once', async () => {
    const { project } = await given()
    const now = new Date(clock.now())
    const row = (n: number) => ({
      projectId: project.id,
      name: `many${n}.test`,
      createdAt: now,
      looksSince: now,
    })
    await tools.db.domain.createMany({ data: Array.from({ length: 47 }, (_, n) => row(n)) })

    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) =>
        addDomain(tools.db, tools.hosting, project, { name: `more${n}.test` }),
      ),
    )

    expect(answers.filter(answer => answer.status === 'fulfilled')).toHaveLength(3)
    expect(await listDomains(tools.db, project)).toHaveLength(50)
  })

  test('an unverified name can be added by other projects', async () => {
    const [one, other] = [await given(), await given()]
    await one.add('www.both.test')
    await other.add('www.both.test')
    platform.setRecords(`www.both.test CNAME ${other.target}`)

    expect(await other.verify('www.both.test')).toMatchObject({ state: 'live' })
    expect(await one.verify('www.both.test')).toMatchObject({ state: 'pending' })
  })
})

describe('verifying a domain', () => {
  test('a domain can be verified once in ten seconds', async () => {
    const { project, name, add, verify } = await given()
    await add()
    await verify()

    const again = verifyDomain(tools.db, tools.hosting, project, name)

    // The wait is ten seconds, of which the DNS check itself may have taken some.
    const retryAfterSeconds = expect.closeTo(8, -1)
    await expect(again).rejects.toMatchObject({ code: 'verify_too_soon', retryAfterSeconds })
    expect(await verify()).toMatchObject({ state: 'pending' })
  })

  test("verifying another project's domain fails with the error for a missing domain", async () => {
    const [one, other] = [await given(), await given()]
    await one.add()

    await expect(other.verify(one.name)).rejects.toMatchObject({ code: 'domain_not_found' })
  })

  test('verifying a domain stores what DNS returned and when to check it next', async () => {
    const { name, target, add, verify } = await given()
    await add()
    platform.setRecords(`${name} A 93.184.215.7`)

    const domain = await verify()

    expect(domain.verdict).toMatchObject({
      code: 'address_record_conflict',
      expected: [target],
      inTheWay: { type: 'A', name, value: '93.184.215.7' },
    })
    expect(domain.nextLookAt?.getTime()).toBeGreaterThan(clock.now())
  })
})

describe('scheduled DNS checks', () => {
  test('a pending domain is checked until its record appears', async () => {
    const { record, find, add } = await given()
    await add()
    platform.setRecords(record)

    clock.advance(2 * minute)

    expect(await until(find, domain => domain.state === 'live')).toMatchObject({ verdict: { code: null } })
  })

  test('a pending domain is not checked after 48 hours until its owner verifies it', async () => {
    const { record, find, add, verify } = await given()
    await add()

    clock.advance(49 * hour)
    const resting = await until(find, domain => domain.state === 'stale')
    expect(resting.nextLookAt).toBeNull()

    const verified = await verify()
    expect(verified.state).toBe('pending')
    expect(verified.nextLookAt).not.toBeNull()
    platform.setRecords(record)
    expect(await verify()).toMatchObject({ state: 'live' })
  })

  test('a live domain whose record has disappeared drifts, and is live again when the record returns', async () => {
    const { name, record, find, add, verify } = await given()
    await add()
    platform.setRecords(record)
    await verify()
    platform.setRecords(`${name} CNAME elsewhere.test`)

    clock.advance(27 * hour)
    const drifted = await until(find, domain => domain.state === 'drifted')
    expect(drifted).toMatchObject({ ownedName: name, verdict: { code: 'record_differs' } })

    platform.setRecords(record)
    clock.advance(3 * hour)
    expect(await until(find, domain => domain.state === 'live')).toMatchObject({ driftedAt: null })
  })

  test('a drifted domain is served for seven days and no longer', async () => {
    const { name, record, find, add, verify } = await given()
    const { port } = platform.first
    await add()
    platform.setRecords(record)
    await verify()
    platform.setRecords()
    clock.advance(27 * hour)
    await until(find, domain => domain.state === 'drifted')
    expect((await visit(`http://${name}/v1/pets`, port)).status).not.toBe(421)

    clock.advance(7 * day)
    await until(find, domain => domain.state === 'stale')
    await until(
      () => visit(`http://${name}/`, port),
      answer => answer.status === 421,
    )
  })

  test('a live domain stays live while its name servers do not answer', async () => {
    const { name, record, find, add, verify } = await given()
    await add()
    platform.setRecords(record)
    await verify()
    platform.dns.misbehave(name, 'SERVFAIL')

    clock.advance(10 * day)

    const after = await until(find, domain => (domain.verdict as { code: string }).code === 'dns_unreachable')
    expect(after).toMatchObject({ state: 'live', ownedName: name })
  })
})

describe('the owner of a name', () => {
  test('the project with the TXT record wins if fifty projects verify an apex at once', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => given()))
    await Promise.all(all.map(one => one.add('race.test')))
    const winner = all[7]
    const addresses = all.map(one => `${one.target} A 93.184.215.1`)
    platform.setRecords('race.test A 93.184.215.1', ...addresses, winner?.proof('race.test') ?? '')
    clock.advance(11_000)

    const codeOf = ({ verdict }: Domain) => (verdict as { code: string | null }).code
    const verify = async (one: (typeof all)[number]): Promise<Domain> => {
      const domain = await verifyDomain(tools.db, tools.hosting, one.project, 'race.test')
      if (codeOf(domain) !== 'dns_unreachable') return domain
      // On busy cores the name server may answer the DNS check of one of the fifty projects too late. Then verify the
      // domain of this project again.
      clock.advance(11_000)
      return verify(one)
    }

    const answers = await Promise.all(all.map(verify))

    expect(answers.filter(domain => domain.state === 'live')).toMatchObject([
      { projectId: winner?.project.id, ownedName: 'race.test' },
    ])
    expect(new Set(answers.map(codeOf))).toEqual(new Set([null, 'ownership_required']))
  })

  test('a name goes to the project whose target its record shows now', async () => {
    const [old, next] = [await given(), await given()]
    await old.add('www.sold.test')
    await next.add('www.sold.test')
    platform.setRecords(`www.sold.test CNAME ${old.target}`)
    await old.verify('www.sold.test')

    platform.setRecords(`www.sold.test CNAME ${next.target}`)
    expect(await next.verify('www.sold.test')).toMatchObject({ state: 'live' })

    const lost = await findDomain(tools.db, old.project, 'www.sold.test')
    expect(lost).toMatchObject({ state: 'stale', ownedName: null, verdict: { code: 'claimed_elsewhere' } })
  })

  test('a CNAME does not move a name away from an owner whose TXT record exists', async () => {
    const [old, next] = [await given(), await given()]
    await old.add('www.kept.test')
    await next.add('www.kept.test')
    platform.setRecords(`www.kept.test CNAME ${old.target}`, old.proof('www.kept.test'))
    await old.verify('www.kept.test')

    platform.setRecords(`www.kept.test CNAME ${next.target}`, old.proof('www.kept.test'))
    expect(await next.verify('www.kept.test')).toMatchObject({ verdict: { code: 'ownership_required' } })

    platform.setRecords(`www.kept.test CNAME ${next.target}`, next.proof('www.kept.test'))
    expect(await next.verify('www.kept.test')).toMatchObject({ state: 'live' })
  })
})

describe('the owner of an apex', () => {
  /** Points an apex at the platform's addresses, which are the same for all projects, and adds further records. */
  const lead = (name: string, all: { target: string }[], ...more: string[]) =>
    platform.setRecords(`${name} A 93.184.215.1`, ...all.map(one => `${one.target} A 93.184.215.1`), ...more)

  test('an apex that only one project has ever added needs no TXT record, even after that project removes and adds the apex again', async () => {
    const one = await given()
    const name = `alone-${randomUUID().slice(0, 8)}.test`
    await one.add(name)
    lead(name, [one])

    expect(await one.verify(name)).toMatchObject({ state: 'live' })
    await removeDomain(tools.db, tools.hosting, one.project, name)
    await one.add(name)
    expect(await one.verify(name)).toMatchObject({ state: 'live' })
  })

  test('if a project removes its apex but keeps the DNS record, the next project that adds the apex does not become the owner', async () => {
    const [gone, thief] = [await given(), await given()]
    await gone.add('left.test')
    lead('left.test', [gone, thief])
    await gone.verify('left.test')
    await removeDomain(tools.db, tools.hosting, gone.project, 'left.test')

    await thief.add('left.test')
    const stolen = await thief.verify('left.test')

    expect(stolen).toMatchObject({
      state: 'pending',
      ownedName: null,
      verdict: {
        code: 'ownership_required',
        message: expect.stringContaining(thief.proof('left.test')),
        expected: [thief.token],
      },
    })
    expect(await certificateState(platform.first, 'left.test')).toBe('none')
    // The stored certificate is not renewed any more.
    expect(await tools.db.certificate.findMany({ where: { name: 'left.test' } })).toMatchObject([
      { nextStepAt: null },
    ])
  })

  test('an apex that a squatter added first goes to the project with the TXT record, and to no project without it', async () => {
    const [squatter, owner] = [await given(), await given()]
    await squatter.add('newco.test')
    await owner.add('newco.test')
    lead('newco.test', [squatter, owner])

    expect(await squatter.verify('newco.test')).toMatchObject({ verdict: { code: 'ownership_required' } })
    expect(await owner.verify('newco.test')).toMatchObject({ verdict: { code: 'ownership_required' } })
    lead('newco.test', [squatter, owner], owner.proof('newco.test'))
    expect(await squatter.verify('newco.test')).toMatchObject({ verdict: { code: 'ownership_required' } })
    expect(await owner.verify('newco.test')).toMatchObject({ state: 'live', ownedName: 'newco.test' })
  })

  test('an apex goes at once to another project with a TXT record, unless the TXT record of the owner exists too', async () => {
    const [old, next] = [await given(), await given()]
    const name = `sold-${randomUUID().slice(0, 8)}.test`
    await old.add(name)
    lead(name, [old, next])
    await old.verify(name)
    await next.add(name)

    lead(name, [old, next], old.proof(name), next.proof(name))
    expect(await next.verify(name)).toMatchObject({ verdict: { code: 'claimed_elsewhere' } })

    lead(name, [old, next], next.proof(name))
    expect(await next.verify(name)).toMatchObject({ state: 'live' })
    const lost = await findDomain(tools.db, old.project, name)
    expect(lost).toMatchObject({ state: 'stale', ownedName: null, verdict: { code: 'claimed_elsewhere' } })
  })

  test('an apex that is served stays with its owner when other projects add it', async () => {
    const [owner, other] = [await given(), await given()]
    const name = `served-${randomUUID().slice(0, 8)}.test`
    await owner.add(name)
    lead(name, [owner, other])
    await owner.verify(name)

    await other.add(name)

    expect(await other.verify(name)).toMatchObject({ verdict: { code: 'ownership_required' } })
    expect(await owner.verify(name)).toMatchObject({ state: 'live' })
  })

  test('an apex that needs a TXT record gets no owner while the lookup of this record fails', async () => {
    const [one, other] = [await given(), await given()]
    await one.add('mute.test')
    await other.add('mute.test')
    lead('mute.test', [one, other], one.proof('mute.test'))
    platform.dns.misbehave('_animal-store.mute.test', 'SERVFAIL')

    expect(await one.verify('mute.test')).toMatchObject({ verdict: { code: 'dns_unreachable' } })
  })
})

test('an existing domain that is internal to the network of the operator is not looked up in DNS, and can be removed', async () => {
  const { project } = await given()
  const now = new Date(clock.now())
  const name = 'redis.default.svc.cluster.local'
  await tools.db.domain.create({ data: { projectId: project.id, name, createdAt: now, looksSince: now } })
  platform.dns.received.length = 0

  const verifying = verifyDomain(tools.db, tools.hosting, project, name)

  await expect(verifying).rejects.toMatchObject({ code: 'invalid_input' })
  expect(platform.dns.received.filter(question => question.includes(name))).toEqual([])
  expect(await removeDomain(tools.db, tools.hosting, project, name)).toMatchObject({ name })
})

describe('removing a domain', () => {
  test('removing a domain takes it out of the configuration too, so that the next deploy works', async () => {
    const { project, add, remove, name } = await given()
    await add()
    await add(`old.${name}`)
    const redirects = [{ from: `old.${name}`, to: name, status: 301 }]
    await deploy(tools.db, tools.hosting, project, { title: 'Shop', domains: { primary: name, redirects } })

    await remove()

    const current = await findCurrentDeploy(tools.db, project)
    expect(current?.configuration).toMatchObject({ title: 'Shop', domains: { primary: null, redirects: [] } })
  })

  test('removing a domain does not affect another project that proved its ownership of the same name before the removal', async () => {
    const [old, next] = [await given(), await given()]
    await old.add('www.moved.test')
    await next.add('www.moved.test')
    platform.setRecords(`www.moved.test CNAME ${next.target}`)
    await next.verify('www.moved.test')

    await removeDomain(tools.db, tools.hosting, old.project, 'www.moved.test')

    expect(await findDomain(tools.db, next.project, 'www.moved.test')).toMatchObject({
      state: 'live',
    })
    expect(await tools.db.certificate.findUnique({ where: { name: 'www.moved.test' } })).not.toBeNull()
  })
})

describe('the grace period of domains', () => {
  test('after a downgrade to a plan without domains, a project keeps its domains for 14 days and regains them by an upgrade', async () => {
    const { project, name, record, add, verify } = await given()
    const { port } = platform.first
    await add()
    platform.setRecords(record)
    await verify()
    await deploy(tools.db, tools.hosting, project, {})
    const setPlan = (planName: string) =>
      tools.db.project.update({ where: { id: project.id }, data: { planName } })
    const note = () => noteGrace(tools.db, new Date(clock.now()))
    const status = async () => (await visit(`http://${name}/nothing`, port)).status

    await setPlan('free')
    await note()
    const where = { id: project.id }
    const { domainsGraceEndsAt } = await tools.db.project.findUniqueOrThrow({ where })
    expect(domainsGraceEndsAt?.getTime()).toBeGreaterThan(clock.now() + 13 * day)
    await until(status, now => now === 404)
    await expect(
      reverifyDomain(tools.db, tools.hosting, { ...project, planName: 'free' }, name),
    ).rejects.toMatchObject({ code: 'plan_required' })

    clock.advance(15 * day)
    await until(status, now => now === 421)

    await setPlan('pro')
    await note()
    await until(status, now => now === 404)
  })
})
