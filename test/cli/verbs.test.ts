import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { progressLine } from '../../src/cli/progress.ts'
import { data, runHere, runWithAnswers } from '../support/run-command.ts'

const nouns: Record<string, string[]> = {
  pets: ['list', 'show', 'inventory', 'export', 'import', 'add', 'update', 'remove'],
  categories: ['list', 'show', 'set', 'remove'],
  orders: ['list', 'show', 'place', 'approve', 'deliver', 'cancel'],
  events: ['list', 'tail'],
  webhooks: [
    ...['list', 'add', 'show', 'change', 'rotate', 'test'],
    ...['deliveries', 'redeliver', 'rewind', 'remove', 'listen'],
  ],
  keys: ['issue', 'list', 'rotate', 'revoke', 'rename', 'report-leak', 'leaked', 'ban', 'lift-ban'],
  domains: ['add', 'list', 'show', 'verify', 'remove'],
  certificates: ['resume'],
  projects: ['create', 'list', 'plan', 'suspend', 'resume', 'reset-limits'],
}

it.each(Object.entries(nouns).flatMap(([noun, verbs]) => verbs.map(verb => [noun, verb] as const)))(
  'if a command of %s misspells the verb %s, the error message suggests the right spelling',
  async (noun, verb) => {
    const { exitCode, errors } = await runHere({}, [noun, `${verb}${verb.at(-1)}`])

    expect([exitCode, errors]).toEqual([2, expect.stringContaining(`(Did you mean ${verb}?)`)])
  },
)

it('the help of each tested noun, for example pets, lists exactly the verbs whose misspelling is tested', async () => {
  for (const [noun, verbs] of Object.entries(nouns)) {
    const { output } = await runHere({}, [noun, '--help'])
    const commands = output.split('Commands:\n')[1]?.split('\n\n')[0] ?? ''
    const shown = [...commands.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, verb]) => verb)

    expect([noun, shown.filter(verb => verb !== 'help').sort()]).toEqual([noun, verbs.toSorted()])
  }
})

it.each(['pets', 'categories', 'domains', 'webhooks'])('%s delete is an alias of remove', async noun => {
  expect((await runHere({}, [noun, '--help'])).output).toContain('remove|delete ')
})

it.each([
  ['pets get 12', 'show'],
  ['pets create Rex', 'add'],
  ['pets rm 12', 'remove'],
  ['pets edit 12', 'update'],
  ['orders create 12', 'place'],
  ['keys create shop', 'issue'],
  ['keys delete as_x', 'revoke'],
  ['categories ls', 'list'],
])('the unknown command "%s" ends with an error message that suggests the verb %j', async (line, verb) => {
  const { exitCode, errors } = await runHere({}, line.split(' '))

  expect([exitCode, errors]).toEqual([2, expect.stringContaining(`(Did you mean ${verb}?)`)])
})

it('pets show reads a pet with exactly one request, the GraphQL query ShowPet', async () => {
  const node = { kind: 'Pet', name: 'Max', categoryId: '9007199254740993', status: 'sold' }

  const ended = await runWithAnswers('pets show 12', [data({ node })])

  expect(ended.received).toEqual([['owner', 'ShowPet', { id: '12' }]])
  expect(ended.cells).toEqual([
    ['ID', 'NAME', 'CATEGORY', 'STATUS'],
    ['12', 'Max', '9007199254740993', 'sold'],
  ])
})

it('pets show ends with exit code 4 if the pet is missing', async () => {
  const { exitCode, errors } = await runWithAnswers('pets show 12', [data({ node: null })])

  expect([exitCode, errors]).toEqual([4, 'There is no pet 12.\n'])
})

it('categories show shows one category, and delete is an alias of remove', async () => {
  const shown = await runWithAnswers('categories show 7', [{ json: { id: 7, name: 'Dogs', petCount: 5 } }])
  const deleted = await runWithAnswers('categories delete 7', [{ status: 204 }])

  expect(shown.received).toEqual([['owner', 'GET /v1/categories/7']])
  expect(shown.cells[1]).toEqual(['7', 'Dogs', '5'])
  expect(deleted.received).toEqual([['owner', 'DELETE /v1/categories/7']])
})

it('profiles without a verb lists the profiles', async () => {
  expect((await runHere({}, ['profiles'])).output).toBe('PROFILE  SERVICE\n')
  expect(await runHere({}, ['profiles', 'uze', 'home'])).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining("unknown command 'uze'\n(Did you mean one of list, use?)"),
  })
})

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'animal-store-export-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

it('pets export FILE chooses the format by the ending of the file name, and sends one request', async () => {
  const path = folder()
  const csv = 'id,name,categoryId,status\r\n1,Max,7,\r\n'

  const { received, exitCode } = await runWithAnswers(
    ['pets', 'export', join(path, 'pets.csv')],
    [{ text: csv, headers: { 'content-type': 'text/csv' } }],
  )

  expect([exitCode, received]).toEqual([0, [['owner', 'GET /v1/pets/export?format=csv']]])
  expect(readFileSync(join(path, 'pets.csv'), 'utf8')).toBe(csv)
  expect(readdirSync(path)).toEqual(['pets.csv'])
})

it('pets export --safe requests CSV names that no spreadsheet runs as formulas, and needs --format csv', async () => {
  const file = join(folder(), 'pets.csv')
  const csv = { text: '', headers: { 'content-type': 'text/csv' } }

  const { received } = await runWithAnswers(['pets', 'export', '--safe', file], [csv])
  const ndjson = await runHere({}, ['pets', 'export', '--safe'])

  expect(received).toEqual([['owner', 'GET /v1/pets/export?format=csv&safe=1']])
  expect([ndjson.exitCode, ndjson.errors]).toEqual([2, '--safe needs --format csv.\n'])
})

it('a refused pets export leaves no file, and an error names a file that cannot be written', async () => {
  const path = folder()
  const refusal = { status: 403, json: { code: 'insufficient_scope', message: 'No.', status: 403 } }

  const refused = await runWithAnswers(['pets', 'export', join(path, 'pets.csv')], [refusal])
  const csv = { text: '', headers: { 'content-type': 'text/csv' } }
  const nowhere = await runWithAnswers(['pets', 'export', join(path, 'no/pets.csv')], [csv])

  expect([refused.exitCode, readdirSync(path)]).toEqual([3, []])
  expect([nowhere.exitCode, nowhere.errors]).toEqual([
    2,
    `${join(path, 'no/pets.csv')} cannot be written: ENOENT.\n`,
  ])
})

it.each([
  [0, null, 10, '0 pets'],
  [20_000, 80_000, 5_000, '20,000 of 80,000 pets, 4,000 a second, 15 s left'],
  [10_000, 1_000_000, 10_000, '10,000 of 1,000,000 pets, 1,000 a second, 17 min left'],
  [20_000, null, 5_000, '20,000 pets, 4,000 a second'],
  [80_000, 80_000, 5_000, '80,000 of 80,000 pets, 16,000 a second'],
])('the progress of %j of %j pets after %j ms is shown as %j', (count, total, elapsed, line) => {
  expect(progressLine(count, total, elapsed)).toBe(line)
})
