import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

const id = '019ab2f0-5d1c-7c3a-9d2e-6f0e77aa12bc'
const hashOf = (byte: string) => `decode(repeat('${byte}', 32), 'hex')`
const key = (values: string) =>
  `INSERT INTO api_keys (id, project_id, name, prefix, scopes, hash, successor_id) VALUES (${values})`
const domain = (values: string) =>
  `INSERT INTO domains (id, created_at, looks_since, project_id, name, owned_name) VALUES (gen_random_uuid(), now(), now(), ${values})`

/** Two projects; the first has a row in each table. */
const rows = `
  INSERT INTO projects (slug, name) VALUES ('zoo', 'Zoo'), ('farm', 'Farm');
  INSERT INTO plans (name, rank, requests_per_minute, requests_per_day) VALUES ('trial', 9, 1, 1);
  ${key(`'${id}', 1, 'Till', 'as_', '{pets:read}', ${hashOf('ab')}, NULL`)};
  ${domain(`1, 'a.test', 'a.test'`)};
  INSERT INTO deploys (id, project_id, succeeded, configuration, log) VALUES (7, 1, true, '{}', '[]');
  INSERT INTO certificates (name, wanted_since) VALUES ('a.test', now());
  INSERT INTO held_names (name, project_id, since) VALUES ('a.test', 1, now());
  INSERT INTO usage (project_id, day, door, requests, refusals) VALUES (1, '2031-03-04', 'rest', 1, 0);
  INSERT INTO key_usage VALUES (1, '${id}', '2031-03-04T12:00:00Z', 'rest', 1, 0, 0, 0);
  INSERT INTO deprecated_uses (api_key_id, field, count, last_used_at) VALUES ('${id}', 'getPet', 1, now());
  INSERT INTO certificate_orders (project_id, name, ordered_at) VALUES (2, 'a.test', now())`

describe.skipIf(!canRace())('the database', () => {
  const own = prepareOwnDatabase()
  let client: pg.PoolClient | undefined
  beforeAll(async () => {
    client = await own.database.pool?.connect()
    await client?.query(rows)
  })
  afterAll(() => client?.release())

  /**
   * Runs the statement and then these queries in a transaction, and rolls it back. Returns the results of the queries.
   */
  async function attempt(statement: string, ...looks: string[]): Promise<Record<string, unknown>[][]> {
    await client?.query('BEGIN; DELETE FROM changes')
    try {
      await client?.query(statement)
      const found = []
      for (const look of looks) found.push((await client?.query(look))?.rows ?? [])
      return found
    } finally {
      await client?.query('ROLLBACK')
    }
  }

  const aKey = `keys 1 ${'ab'.repeat(32)}`
  const hosts = 'hosts 1 zoo'
  it.each<[what: string, statement: string, lines: string[]]>([
    ['a key with other scopes', `api_keys SET scopes = '{pets:write}'`, [aKey]],
    ['a key that gets an end', 'api_keys SET expires_at = now()', [aKey]],
    ['a key that is revoked', 'api_keys SET revoked_at = now()', [aKey]],
    ['a key with another prefix', `api_keys SET prefix = 'as_x'`, [aKey]],
    ['a key with another hash', `api_keys SET hash = ${hashOf('cd')}`, [aKey, `keys 1 ${'cd'.repeat(32)}`]],
    [
      'a key that moves to another project',
      'api_keys SET project_id = 2',
      [aKey, aKey.replace(' 1 ', ' 2 ')],
    ],
    ['another limit a minute', 'projects SET requests_per_minute = 9 WHERE id = 1', ['project 1']],
    ['another limit a day', 'projects SET requests_per_day = 9 WHERE id = 1', ['project 1']],
    ['another plan', `projects SET plan = 'trial' WHERE id = 1`, [hosts, 'project 1']],
    ['another name', `projects SET name = 'Other' WHERE id = 1`, [hosts, 'project 1']],
    ['another slug', `projects SET slug = 'new' WHERE id = 1`, ['hosts 1 new', hosts, 'project 1']],
    ['a suspension', 'projects SET suspended_at = now() WHERE id = 1', [hosts, 'project 1']],
    ['a grace period', 'projects SET domains_grace_ends_at = now() WHERE id = 1', [hosts]],
    ['a name that the domain loses', 'domains SET owned_name = NULL', ['hosts 1', 'hosts 1 a.test']],
    [
      'a name that the domain proves',
      `domains SET owned_name = 'b.test'`,
      ['hosts 1 a.test', 'hosts 1 b.test'],
    ],
    [
      'a name that moves to another project',
      'domains SET project_id = 2',
      ['hosts 1 a.test', 'hosts 2 a.test'],
    ],
    ['a deploy that failed after all', 'deploys SET succeeded = false', ['hosts 1']],
    ['another configuration', `deploys SET configuration = '{"title":"Other"}'`, ['hosts 1']],
    ['a deploy that moves to another project', 'deploys SET project_id = 2', ['hosts 1', 'hosts 2']],
    ['a certificate', `certificates SET chain = 'pem'`, ['hosts all a.test']],
    ['a private key that is sealed again', `certificates SET sealed_key = '\\x01'`, ['hosts all a.test']],
    [
      'a private key that cannot be decrypted',
      'certificates SET unreadable_since = now()',
      ['hosts all a.test'],
    ],
    ['another limit a minute of a plan', `plans SET requests_per_minute = 2 WHERE rank = 9`, ['project all']],
    ['another limit a day of a plan', `plans SET requests_per_day = 2 WHERE rank = 9`, ['project all']],
  ])('the log of changes gets a line for %s', async (_, statement, lines) => {
    const [changes = []] = await attempt(`UPDATE ${statement}`, 'SELECT what, project_id, name FROM changes')

    const spelled = changes.map(({ what, project_id, name }) =>
      [what, project_id ?? 'all', name].filter(part => part !== null).join(' '),
    )
    expect(spelled.toSorted()).toEqual(lines.toSorted())
  })

  it.each([
    ['the name of a key', `api_keys SET name = 'Other'`],
    ['the last use of a key', 'api_keys SET last_used_at = now()'],
    ['the last DNS check of a domain', 'domains SET looked_at = now(), leased_until = now()'],
    ['the log of a deploy', `deploys SET log = '["other"]'`],
    ['the next step of a certificate', 'certificates SET next_step_at = now()'],
    ['the rank of a plan', 'plans SET rank = 8 WHERE rank = 9'],
  ])('the log of changes gets no line for %s, because no process caches it', async (_, statement) => {
    expect(await attempt(`UPDATE ${statement}`, 'SELECT what FROM changes')).toEqual([[]])
  })

  it.each([
    ['a negative limit a minute', 'UPDATE projects SET requests_per_minute = -1', 'projects_limits_check'],
    ['a negative limit a day', 'UPDATE projects SET requests_per_day = -1', 'projects_limits_check'],
    [
      'a plan with a negative limit a minute',
      'UPDATE plans SET requests_per_minute = -1',
      'plans_limits_check',
    ],
    ['a plan with a negative limit a day', 'UPDATE plans SET requests_per_day = -1', 'plans_limits_check'],
    ['a negative number of used requests', 'UPDATE usage SET requests = -1', 'usage_counts_check'],
    ['a negative number of refusals', 'UPDATE usage SET refusals = -1', 'usage_counts_check'],
    ['a hash of the wrong length', `UPDATE api_keys SET hash = '\\xab'`, 'api_keys_hash_check'],
    [
      'one hash twice',
      key(`gen_random_uuid(), 2, 'Till', 'as_', '{}', ${hashOf('ab')}, NULL`),
      'api_keys_hash_key',
    ],
    [
      'one successor of two keys',
      `${key(`gen_random_uuid(), 1, 'b', 'as_', '{}', ${hashOf('bb')}, '${id}'`)};
       ${key(`gen_random_uuid(), 1, 'c', 'as_', '{}', ${hashOf('cc')}, '${id}'`)}`,
      'api_keys_successor_id_key',
    ],
    [
      'a successor that does not exist',
      `UPDATE api_keys SET successor_id = gen_random_uuid()`,
      'api_keys_successor_id_fkey',
    ],
    ['one slug twice', `INSERT INTO projects (slug, name) VALUES ('zoo', 'Zoo')`, 'projects_slug_key'],
    [
      'one ownership token for two projects',
      `UPDATE projects SET ownership_token = '${id}'`,
      'projects_ownership_token_key',
    ],
    ['a plan that does not exist', `UPDATE projects SET plan = 'gold' WHERE id = 1`, 'projects_plan_fkey'],
    [
      'the deletion of a plan that a project has',
      `DELETE FROM plans WHERE name = 'free'`,
      'projects_plan_fkey',
    ],
    ['a name with two owners', domain(`2, 'a.test', 'a.test'`), 'domains_owned_name_key'],
    ['a name twice in one project', domain(`1, 'a.test', NULL`), 'domains_project_id_name_key'],
    ['the deletion of a project that has data', 'DELETE FROM projects WHERE id = 1', 'projects_id'],
    [
      'the deletion of a project that has sent certificate orders',
      'DELETE FROM projects WHERE id = 2',
      'certificate_orders_project_id_fkey',
    ],
  ])('the database refuses %s from any client', async (_, statement, constraint) => {
    await expect(attempt(statement)).rejects.toMatchObject({
      constraint: constraint === 'projects_id' ? expect.stringContaining('project_id_fkey') : constraint,
    })
  })

  it('deleting a key deletes only the usage of that key', async () => {
    const counts = ['key_usage', 'deprecated_uses', 'usage', 'projects'].map(
      table => `SELECT * FROM ${table}`,
    )

    const left = await attempt('DELETE FROM api_keys', ...counts)

    expect(left.map(({ length }) => length)).toEqual([0, 0, 1, 2])
  })

  it('renaming a plan also renames it in all projects that have the plan', async () => {
    const [projects] = await attempt(
      `UPDATE plans SET name = 'gratis' WHERE name = 'free'`,
      'SELECT DISTINCT plan FROM projects',
    )

    expect(projects).toEqual([{ plan: 'gratis' }])
  })
})
