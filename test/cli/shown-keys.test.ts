import { describe, expect, it } from 'vitest'
import { data, runWithAnswers } from '../support/run-command.ts'

const key = (id: string, more: object = {}) => ({
  ...{ id, name: `Key ${id}`, prefix: `as_prefix_${id}`, scopes: ['pets_read'], state: 'active' },
  ...{ current: false, createdAt: '2026-01-01T00:00:00Z', expiresAt: null, lastUsedAt: null },
  ...{ deprecatedUse: [], ...more },
})
const page = (nodes: object[], endCursor: string | null = null) =>
  data({
    project: {
      id: 'project_zoo',
      apiKeys: { nodes, pageInfo: { hasNextPage: endCursor !== null, endCursor } },
    },
  })
const heads = ['KEY', 'NAME', 'STATE', 'SCOPES', 'LAST USED', 'EXPIRES', 'DEPRECATED CALLS', 'ID']
const row = (id: string) => [`as_prefix_${id}`, `Key ${id}`, 'active', 'pets:read', 'never', 'never', '-', id]

describe('keys', () => {
  it('keys are listed on all pages, with all their fields', async () => {
    const used = key('1', {
      ...{ scopes: ['pets_read', 'orders_write'], state: 'overlapping', current: true },
      ...{ expiresAt: '2030-12-31T23:59:58Z', lastUsedAt: '2026-02-03T04:05:06.789Z' },
      deprecatedUse: [
        { field: 'Pet.tag', count: 3 },
        { field: 'rest.old', count: 1 },
      ],
    })

    const { received, cells } = await runWithAnswers('keys list', [page([used], 'next'), page([key('2')])])

    expect(cells).toEqual([
      heads,
      [
        ...['as_prefix_1', 'Key 1', 'overlapping (this one)', 'pets:read orders:write'],
        ...['2026-02-03 04:05 UTC', '2030-12-31 23:59 UTC', 'Pet.tag 3, rest.old 1', '1'],
      ],
      row('2'),
    ])
    expect(received).toEqual([
      ['owner', 'ListKeys', { project: null, after: null }],
      ['owner', 'ListKeys', { project: null, after: 'next' }],
    ])
  })

  it('keys list --json spells the scopes as the option --scopes does', async () => {
    const known = key('1', { scopes: ['pets_read', 'orders_write'] })

    const { output } = await runWithAnswers('keys list --json', [page([known])])

    expect(JSON.parse(output)).toEqual([{ ...known, scopes: ['pets:read', 'orders:write'] }])
  })

  it.each([
    ['keys issue Shop', { name: 'Shop', scopes: ['pets_read'], expiresAt: null, projectId: null }],
    [
      'keys issue Shop --scopes pets:write,orders:read --expires 2030-01-01T00:00:00Z',
      {
        ...{ name: 'Shop', scopes: ['pets_write', 'orders_read'] },
        ...{ expiresAt: '2030-01-01T00:00:00Z', projectId: null },
      },
    ],
    [
      'keys issue Shop --project zoo',
      { name: 'Shop', scopes: ['pets_read'], expiresAt: null, projectId: 'project_zoo' },
    ],
  ])('the command %j issues a key and shows its secret', async (line, input) => {
    const issued = { apiKeyIssue: { apiKey: key('1'), secret: 'as_secret' } }

    const { received, cells } = await runWithAnswers(line, [data(issued)])

    expect(received).toEqual([[line.includes('zoo') ? 'operator' : 'owner', 'IssueKey', { input }]])
    expect(cells).toEqual([heads, row('1'), ['Its secret, shown this once:'], ['as_secret']])
  })

  it.each([
    ['keys rotate as_prefix_2', 'owner', 86_400],
    ['keys rotate 2 --overlap 60', 'owner', 60],
    ['keys rotate as_prefix_2 --overlap 0 --yes --project zoo', 'operator', 0],
  ])(
    'the key is found by prefix or id on any page, and then rotated: %j',
    async (line, who, overlapSeconds) => {
      const rotated = { apiKeyRotate: { apiKey: key('3'), secret: 'as_secret' } }

      const answers = [page([key('1')], 'next'), page([key('2')]), data(rotated)]
      const { received, cells } = await runWithAnswers(line, answers)

      const project = who === 'operator' ? 'zoo' : null
      expect(received).toEqual([
        [who, 'FindKey', { project, after: null }],
        [who, 'FindKey', { project, after: 'next' }],
        [who, 'RotateKey', { input: { id: '2', overlapSeconds } }],
      ])
      expect(cells).toEqual([heads, row('3'), ['Its secret, shown this once:'], ['as_secret']])
    },
  )

  it.each([
    [['keys', 'rename', 'as_prefix_1', 'A shop'], 'RenameKey', { id: '1', name: 'A shop' }],
    [['keys', 'revoke', '1', '--yes'], 'RevokeKey', { id: '1' }],
  ])('the command %j changes a key of the given project', async (args, operation, input) => {
    const acted = { apiKeyRename: { apiKey: key('1') }, apiKeyRevoke: { apiKey: key('1') } }

    const answers = [page([key('1'), key('2')]), data(acted)]
    const { received, output, cells } = await runWithAnswers([...args, '--project', 'zoo'], answers)

    expect(received).toEqual([
      ['operator', 'FindKey', { project: 'zoo', after: null }],
      ['operator', operation, { input }],
    ])
    expect(cells).toEqual([heads, row('1')])
    expect(output).not.toContain('you are using')
  })

  it('a banned key is listed with the end of its ban', async () => {
    const banned = key('1', { ban: { endsAt: '2026-02-03T04:05:06.789Z' } })

    const { cells } = await runWithAnswers('keys list', [page([banned])])

    expect(cells[1]?.[2]).toBe('active, banned until 2026-02-03 04:05 UTC')
  })

  it.each([
    [
      'keys ban as_prefix_1 --project zoo --seconds 3600',
      'BanKey',
      { id: '1', seconds: 3600 },
      'Banned until 2026-02-03 04:05 UTC: as_prefix_1 (Key 1).',
    ],
    ['keys lift-ban 1 --project zoo', 'LiftBan', { id: '1' }, 'Not banned any more: as_prefix_1 (Key 1).'],
  ])("the command %j changes a ban, with the operator's key", async (line, operation, input, sentence) => {
    const ban = { endsAt: '2026-02-03T04:05:06.789Z', retryAfterSeconds: 3600 }
    const acted = (inAllProcesses: boolean) =>
      data({
        apiKeyBan: { apiKey: key('1'), ban, inAllProcesses },
        apiKeyLiftBan: { apiKey: key('1'), wasBanned: true, inAllProcesses },
      })

    const { received, cells } = await runWithAnswers(line, [page([key('1')]), acted(true)])
    const alone = await runWithAnswers(line, [page([key('1')]), acted(false)])

    expect(received).toEqual([
      ['operator', 'FindKey', { project: 'zoo', after: null }],
      ['operator', operation, { input }],
    ])
    expect(cells).toEqual([[sentence]])
    expect(alone.output).toContain('The service has no Redis')
  })

  it('keys lift-ban reports that the key was not banned', async () => {
    const lifted = { apiKeyLiftBan: { apiKey: key('1'), wasBanned: false, inAllProcesses: true } }

    const { output } = await runWithAnswers('keys lift-ban 1 --project zoo', [page([key('1')]), data(lifted)])

    expect(output).toBe('Was not banned: as_prefix_1 (Key 1).\n')
  })

  it('a key that is not in the list is revoked by its id', async () => {
    const answers = [page([key('1')]), data({ apiKeyRevoke: { apiKey: key('9') } })]

    const { received } = await runWithAnswers('keys revoke 9 --yes', answers)

    expect(received.at(-1)).toEqual(['owner', 'RevokeKey', { input: { id: '9' } }])
  })

  it.each([
    ['no key has', [key('1')], 4],
    ['several keys have', [key('1', { prefix: 'as_same' }), key('2', { prefix: 'as_same' })], 6],
  ])('keys revoke with a prefix revokes no key if %s the prefix', async (what, keys, exitCode) => {
    const { received, errors, ...ended } = await runWithAnswers('keys revoke as_same --yes', [page(keys)])

    expect(ended).toMatchObject({ exitCode, output: '' })
    expect(errors).toBe(`In this project ${what} the prefix as_same.\n`)
    expect(received).toHaveLength(1)
  })

  it('the command warns before it revokes its own key', async () => {
    const own = await runWithAnswers('keys revoke 1', [page([key('1', { current: true })])])
    const other = await runWithAnswers('keys revoke 1', [page([key('1')])])

    expect([own.exitCode, own.errors]).toEqual([
      2,
      'A revoked key never works again. This command itself uses this key. Add --yes to do it without confirmation.\n',
    ])
    expect([other.exitCode, other.errors]).toEqual([
      2,
      'A revoked key never works again. Add --yes to do it without confirmation.\n',
    ])
  })
})
