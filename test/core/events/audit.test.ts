import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { type Act, actAs, actAsSystem, manage, recordOnce } from '../../../src/core/acts.ts'
import { readEvents } from '../../../src/core/events/log.ts'
import { issueApiKey, renameApiKey, revokeApiKey, rotateApiKey } from '../../../src/core/keys/api-keys.ts'
import { revokeBySecret } from '../../../src/core/keys/leaks.ts'
import { toProject } from '../../../src/core/project.ts'
import { createProject } from '../../../src/core/projects/operator.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { freshDatabase } from '../../support/databases.ts'
import { numberAll } from '../../support/events.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const keyId = '0197f6a0-0000-7000-8000-000000000001'
const endpointId = '0197f6a0-0000-7000-8000-000000000002'
const invitationId = '0197f6a0-0000-7000-8000-000000000004'
const domainId = '0197f6a0-0000-7000-8000-000000000003'

describe.skipIf(!canRace())('audit entries', () => {
  const own = prepareOwnDatabase(freshDatabase)
  const sql = (text: string) => own.db.$executeRawUnsafe(text)
  let made = 0

  async function shop() {
    const data = { slug: `store-${++made}`, name: 'Shop', planName: 'pro' }
    return toProject(await own.db.project.create({ data, include: { plan: true } }))
  }

  /** Reads a project's entries in the audit log; project 0 is the service. */
  async function entriesOf(id: number) {
    await numberAll(own)
    const wanted = { after: null, kind: 'management', types: null, subject: null, limit: 1_000 } as const
    const { events } = await readEvents(own.database, { id }, wanted)
    return events.map(({ type, subject, data, previous, act }) => ({
      type,
      subject,
      data: JSON.parse(data),
      previous: previous === null ? null : JSON.parse(previous),
      actor: JSON.parse(act?.actor ?? 'null'),
      door: act?.door ?? null,
      address: act?.address ?? null,
      requestId: act?.requestId ?? null,
    }))
  }

  /** Connects as a role of its own, as somebody with psql does. The role has no rights on the log. */
  async function psql() {
    const role = `support_${++made}_${process.pid}`
    const [{ name } = { name: '' }] = await own.db.$queryRaw<
      { name: string }[]
    >`SELECT current_database() AS name`
    const url = new URL(inject('services').postgresUrl ?? '')
    url.pathname = name
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    await client.query(`CREATE ROLE ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON api_keys, projects, domains, deploys, certificates,
        webhook_endpoints, webhook_deliveries, set_aside_events, plans, invitations, memberships, people, passkeys,
        sessions, access_tokens, join_domains TO ${role};
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role};
      SET SESSION AUTHORIZATION ${role}`)
    onTestFinished(async () => {
      await client.query(`RESET SESSION AUTHORIZATION; DROP OWNED BY ${role}; DROP ROLE ${role}`)
      await client.end()
    })
    return { role, run: (text: string) => client.query(text) }
  }

  it('every change of a management table by psql writes an audit entry with the database role as its actor', async () => {
    const { id } = await shop()
    const { role, run } = await psql()
    const person = await own.db.person.create({ data: { name: 'Mara', createdAt: new Date() } })
    const key = `(id, project_id, name, prefix, hash, scopes)`
    const changes: [statement: string, type: string][] = [
      [
        `INSERT INTO api_keys ${key} VALUES ('${keyId}', ${id}, 'By hand', 'as_1', sha256('1'), '{pets:read}')`,
        'api_key.issued',
      ],
      [`UPDATE api_keys SET scopes = '{project:write}' WHERE id = '${keyId}'`, 'api_key.changed'],
      [`UPDATE api_keys SET hash = sha256('2') WHERE id = '${keyId}'`, 'api_key.changed'],
      [`UPDATE api_keys SET expires_at = now() WHERE id = '${keyId}'`, 'api_key.changed'],
      [`UPDATE api_keys SET revoked_at = now() WHERE id = '${keyId}'`, 'api_key.revoked'],
      [`UPDATE api_keys SET revoked_at = NULL WHERE id = '${keyId}'`, 'api_key.changed'],
      [`UPDATE api_keys SET successor_id = '${keyId}' WHERE id = '${keyId}'`, 'api_key.rotated'],
      [`DELETE FROM api_keys WHERE id = '${keyId}'`, 'api_key.removed'],
      [`UPDATE projects SET plan = 'business' WHERE id = ${id}`, 'plan.changed'],
      [`UPDATE projects SET requests_per_minute = 9 WHERE id = ${id}`, 'plan.changed'],
      [`UPDATE projects SET suspended_at = now() WHERE id = ${id}`, 'project.suspended'],
      [`UPDATE projects SET suspended_at = NULL WHERE id = ${id}`, 'project.resumed'],
      [`UPDATE projects SET name = 'Renamed' WHERE id = ${id}`, 'project.changed'],
      [`UPDATE projects SET ownership_token = gen_random_uuid() WHERE id = ${id}`, 'project.changed'],
      [
        `INSERT INTO domains (id, project_id, name, created_at, looks_since)
        VALUES ('${domainId}', ${id}, 'a.example', now(), now())`,
        'domain.added',
      ],
      [`UPDATE domains SET owned_name = name, state = 'live' WHERE id = '${domainId}'`, 'domain.verified'],
      [
        `INSERT INTO certificates (name, chain, wanted_since, failed_validations)
        VALUES ('a.example', 'chain', now(), '{}')`,
        'certificate.issued',
      ],
      [
        `UPDATE certificates SET problem = '{"code":"caa_blocks","message":"No."}' WHERE name = 'a.example'`,
        'certificate.failed',
      ],
      [`UPDATE certificates SET chain = 'other' WHERE name = 'a.example'`, 'certificate.issued'],
      [`DELETE FROM certificates WHERE name = 'a.example'`, 'certificate.removed'],
      [`UPDATE domains SET state = 'drifted' WHERE id = '${domainId}'`, 'domain.drifted'],
      [`UPDATE domains SET state = 'live' WHERE id = '${domainId}'`, 'domain.verified'],
      [`UPDATE domains SET owned_name = NULL, state = 'stale' WHERE id = '${domainId}'`, 'domain.lost'],
      [`UPDATE domains SET state = 'pending' WHERE id = '${domainId}'`, 'domain.changed'],
      [`DELETE FROM domains WHERE id = '${domainId}'`, 'domain.removed'],
      [
        `INSERT INTO deploys (id, project_id, succeeded, configuration, log)
        VALUES (${id * 10}, ${id}, true, '{"domains":{"primary":null,"redirects":[]}}', '[]')`,
        'deploy.succeeded',
      ],
      [
        `INSERT INTO deploys (id, project_id, succeeded, configuration, log)
        VALUES (${id * 10 + 1}, ${id}, false, '{}', '[{"level":"error","message":"Broken."}]')`,
        'deploy.failed',
      ],
      [`UPDATE deploys SET configuration = '{}' WHERE id = ${id * 10}`, 'deploy.changed'],
      [`DELETE FROM deploys WHERE id = ${id * 10}`, 'deploy.removed'],
      [
        `INSERT INTO webhook_endpoints (id, project_id, url, types, sealed_secret, delivered)
        VALUES ('${endpointId}', ${id}, 'https://hooks.example/T0/secret-path', '{}', '\\x01', 0)`,
        'webhook.added',
      ],
      [
        `UPDATE webhook_endpoints SET url = 'https://evil.example/' WHERE id = '${endpointId}'`,
        'webhook.changed',
      ],
      [`UPDATE webhook_endpoints SET sealed_secret = '\\x02' WHERE id = '${endpointId}'`, 'webhook.changed'],
      [`UPDATE webhook_endpoints SET delivered = -1 WHERE id = '${endpointId}'`, 'webhook.changed'],
      [`UPDATE webhook_endpoints SET disabled_at = now() WHERE id = '${endpointId}'`, 'webhook.disabled'],
      [`DELETE FROM webhook_endpoints WHERE id = '${endpointId}'`, 'webhook.removed'],
      [`DELETE FROM deploys WHERE project_id = ${id}`, 'deploy.removed'],
      [
        `INSERT INTO invitations (id, project_id, role, hash, created_at, expires_at)
        VALUES ('${invitationId}', ${id}, 'owner', sha256('${id}'), now(), now())`,
        'invitation.added',
      ],
      [`UPDATE invitations SET hash = sha256('own${id}') WHERE id = '${invitationId}'`, 'invitation.changed'],
      [`DELETE FROM invitations WHERE id = '${invitationId}'`, 'invitation.removed'],
      [
        `INSERT INTO memberships (project_id, person_id, role, joined_at) VALUES (${id}, '${person.id}', 'viewer', now())`,
        'member.added',
      ],
      [`UPDATE memberships SET role = 'owner' WHERE project_id = ${id}`, 'member.changed'],
      [`DELETE FROM memberships WHERE project_id = ${id}`, 'member.removed'],
      [
        `INSERT INTO join_domains (project_id, domain, issuer, role, created_at)
        VALUES (${id}, 'acme.example', 'https://id.acme.example', 'viewer', now())`,
        'join_domain.added',
      ],
      [`UPDATE join_domains SET role = 'developer' WHERE project_id = ${id}`, 'join_domain.changed'],
      [`DELETE FROM join_domains WHERE project_id = ${id}`, 'join_domain.removed'],
      [`DELETE FROM projects WHERE id = ${id}`, 'project.removed'],
    ]

    for (const [statement] of changes) await run(statement)

    const entries = await entriesOf(id)
    const actor = { type: 'database', name: `database:${role}` }
    expect(entries.map(({ type, actor, door }) => ({ type, actor, door }))).toEqual([
      { type: 'project.created', actor: { type: 'database', name: 'database:postgres' }, door: null },
      ...changes.map(([, type]) => ({ type, actor, door: null })),
    ])
    expect(JSON.stringify(entries)).not.toMatch(/secret-path|\\\\x0|chain/)
  })

  it('a change of a plan and a truncated table are audit entries of the service, not of a project', async () => {
    const before = (await entriesOf(0)).length
    const { role, run } = await psql()

    await run(`UPDATE plans SET requests_per_minute = requests_per_minute + 1 WHERE name = 'free'`)
    await run('TRUNCATE webhook_endpoints CASCADE')

    expect((await entriesOf(0)).slice(before)).toMatchObject([
      {
        ...{ type: 'plan.limits_changed', subject: 'plan:free', data: { requestsPerMinute: 61 } },
        ...{ previous: { requestsPerMinute: 60 }, actor: { type: 'database', name: `database:${role}` } },
      },
      { type: 'table.truncated', data: { table: 'webhook_endpoints' }, actor: { name: `database:${role}` } },
    ])
    await sql(`UPDATE plans SET requests_per_minute = 60 WHERE name = 'free'`)
  })

  it('changes of people and passkeys by psql are audit entries of the service, not of a project', async () => {
    const { role, run } = await psql()
    const before = (await entriesOf(0)).length
    const id = '0197f6a0-0000-7000-8000-000000000005'
    await run(`INSERT INTO people (id, name, created_at) VALUES ('${id}', 'Ada', now())`)
    await run(
      `INSERT INTO passkeys (id, person_id, name, public_key, counter, created_at) VALUES ('k', '${id}', 'Phone', '\\x01', 0, now())`,
    )
    await run(`UPDATE passkeys SET counter = 5, last_used_at = now() WHERE id = 'k'`)
    await run(`UPDATE passkeys SET public_key = '\\x02' WHERE id = 'k'`)
    await run(`DELETE FROM passkeys WHERE id = 'k'`)
    await run(`UPDATE people SET name = 'Eve' WHERE id = '${id}'`)
    expect((await entriesOf(0)).at(-1)).toMatchObject({ data: { name: 'Eve' }, previous: { name: 'Ada' } })
    await run(`DELETE FROM people WHERE id = '${id}'`)

    const entries = (await entriesOf(0)).slice(before)
    expect(JSON.stringify(entries)).not.toMatch(/"(Ada|Eve|Phone)"/)
    const person = { subject: `person:${id}`, actor: { type: 'database', name: `database:${role}` } }
    expect(entries).toMatchObject([
      { type: 'person.added', ...person },
      { type: 'passkey.added', ...person },
      { type: 'passkey.changed', ...person, data: { keyReplaced: true } },
      { type: 'passkey.removed', ...person },
      { type: 'person.changed', ...person, previous: null },
      { type: 'person.removed', ...person },
    ])
    expect(JSON.stringify(entries)).not.toContain('\\x0')
  })

  it('a role without rights on the log can neither forge an actor nor add or remove an entry', async () => {
    const { id } = await shop()
    const { role, run } = await psql()

    await run(`SET animal_store.act = '{"actor":{"type":"operator","name":"mara"}}'`)
    await run(`UPDATE projects SET name = 'Mine' WHERE id = ${id}`)
    await run('RESET animal_store.act')

    expect((await entriesOf(id)).at(-1)).toMatchObject({
      ...{ type: 'project.changed', actor: { type: 'database', name: `database:${role}` } },
    })
    await expect(run(`SELECT tell_act(${id}, 'api_key.issued', NULL, '{}', NULL)`)).rejects.toThrow(
      'permission denied for function tell_act',
    )
    await expect(run('DELETE FROM events')).rejects.toThrow('permission denied')
    await expect(run('DELETE FROM told')).rejects.toThrow('permission denied')
  })

  it('an audit entry has the actor, the door (REST or GraphQL), the address and the request id of its own act only', async () => {
    const project = await shop()
    const { database, db } = own
    const { apiKey } = await issueApiKey(db, systemClock, project, {
      name: 'Till',
      scopes: ['project:write'],
    })
    const act: Act = {
      actor: { type: 'api_key', id: apiKey.id, name: apiKey.prefix },
      ...{ door: 'graphql', address: '203.0.113.0/24', requestId: 'r-1' },
    }

    const issued = await actAs(
      () => act,
      () => issueApiKey(db, systemClock, project, { name: 'Two', scopes: ['pets:read'] }),
    )
    await renameApiKey(db, project, issued.apiKey.id, 'Three')
    await actAsSystem('clock', () =>
      manage(db, tx => tx.project.update({ where: { id: project.id }, data: { name: 'New' } })),
    )
    const [leaked] = await actAs(
      () => ({ actor: { type: 'anonymous', name: 'finder' }, door: 'rest' }),
      () => revokeBySecret(database, systemClock, [issued.secret]),
    )

    expect(leaked?.outcome).toBe('revoked')
    const none = { address: null, requestId: null }
    const nobody = { ...none, door: null }
    const till = { type: 'api_key', id: apiKey.id, name: 'Till' }
    const finder = { type: 'anonymous', name: 'finder' }
    const service = { type: 'database', name: 'database:postgres' }
    const entries = await entriesOf(project.id)
    expect(entries.slice(2).map(({ data, previous, ...entry }) => entry)).toEqual([
      {
        ...{ type: 'api_key.issued', subject: `api_key:${issued.apiKey.id}`, actor: till },
        ...{ door: 'graphql', address: '203.0.113.0/24', requestId: 'r-1' },
      },
      { type: 'api_key.changed', subject: `api_key:${issued.apiKey.id}`, actor: service, ...nobody },
      {
        ...{ type: 'project.changed', subject: `project:${project.slug}` },
        ...{ actor: { type: 'system', name: 'clock' }, ...nobody },
      },
      {
        type: 'api_key.leaked',
        subject: `api_key:${issued.apiKey.id}`,
        actor: finder,
        ...none,
        door: 'rest',
      },
      {
        type: 'api_key.revoked',
        subject: `api_key:${issued.apiKey.id}`,
        actor: finder,
        ...none,
        door: 'rest',
      },
    ])
  })

  it('an audit entry about a key shows the columns of the key and former values, but no hash and no secret', async () => {
    const project = await shop()
    const { db } = own
    const issued = await issueApiKey(db, systemClock, project, { name: 'Till', scopes: ['pets:read'] })
    const { id } = issued.apiKey
    const rotated = await rotateApiKey(db, systemClock, project, id, new Date(Date.now() + 60_000))
    await revokeApiKey(db, systemClock, project, id)

    const entries = await entriesOf(project.id)

    const shown = {
      ...{ id, name: 'Till', prefix: issued.apiKey.prefix, scopes: ['pets:read'] },
      createdAt: issued.apiKey.createdAt.toISOString(),
    }
    expect(entries[1]).toMatchObject({ type: 'api_key.issued', data: shown, previous: null })
    expect(Object.keys(entries[1]?.data).sort()).toEqual(Object.keys(shown).sort())
    expect(entries[3]).toMatchObject({
      ...{ type: 'api_key.rotated', data: { successorId: rotated.apiKey.id } },
      previous: { successorId: null, expiresAt: null },
    })
    expect(entries[4]).toMatchObject({ type: 'api_key.revoked', previous: { revokedAt: null } })
    expect(JSON.stringify(entries)).not.toContain(issued.secret)
    expect(JSON.stringify(entries)).not.toContain(Buffer.from(issued.apiKey.hash).toString('hex'))
  })

  it('changes of last uses, leases and deliveries, and changes to the same values, write no audit entries', async () => {
    const project = await shop()
    const { db } = own
    const person = await db.person.create({ data: { name: 'Mara', createdAt: new Date() } })
    const joined = { projectId: project.id, role: 'viewer' } as const
    await db.membership.create({ data: { ...joined, personId: person.id, joinedAt: new Date() } })
    await db.joinDomain.create({
      data: { ...joined, domain: 'acme.example', issuer: 'https://id.acme.example', createdAt: new Date() },
    })
    await issueApiKey(db, systemClock, project, { name: 'Till', scopes: ['pets:read'] })
    await own.giveDomain(
      await db.project.findUniqueOrThrow({ where: { id: project.id } }),
      `${project.slug}.example`,
    )
    const entries = async () => [await entriesOf(project.id), await entriesOf(0)]
    const before = await entries()

    await sql(`UPDATE api_keys SET last_used_at = now() WHERE project_id = ${project.id}`)
    await sql(`UPDATE domains SET looked_at = now(), leased_until = now() WHERE project_id = ${project.id}`)
    for (const table of ['projects', 'people', 'memberships', 'join_domains'])
      await sql(
        `UPDATE ${table} SET ${table === 'projects' || table === 'people' ? 'name = name' : 'role = role'}`,
      )

    expect(await entries()).toEqual(before)
  })

  it('an act that is rolled back writes no audit entry', async () => {
    const { project } = await createProject(own.db, systemClock, {
      ...{ slug: `corner-${++made}`, name: null, planName: 'free', limits: null },
    })
    const again = createProject(own.db, systemClock, {
      ...{ slug: project.slug, name: null, planName: 'free', limits: null },
    })

    await expect(again).rejects.toThrow('already')
    expect((await entriesOf(project.id)).map(({ type }) => type)).toEqual([
      'project.created',
      'api_key.issued',
    ])
  })

  it('if one warning is recorded several times with an equal notice text, only the first time writes an audit entry', async () => {
    const { id } = await shop()
    const entry = { projectId: id, type: 'limit.reached', subject: null, data: { percent: 80 } }

    await Promise.all(
      Array.from({ length: 5 }, () => recordOnce(own.db, [{ ...entry, notice: 'limit 2026-12-01 80' }])),
    )
    await recordOnce(own.db, [{ ...entry, notice: 'limit 2026-12-02 80' }])

    expect((await entriesOf(id)).map(({ type }) => type)).toEqual([
      'project.created',
      'limit.reached',
      'limit.reached',
    ])
  })
})
