// Runs the official inspector's command line against the real service, in each protocol revision. npx fetches the inspector,
// because it has 110 MB and only this check needs it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { withService } from '../clients/service.ts'

const inspector = '@modelcontextprotocol/inspector@2.12.0'
const eras = ['legacy', 'auto', 'modern']

await withService(fileURLToPath(new URL('../..', import.meta.url)), env => {
  const inspect = openInspector(env, 'auto')
  const added = inspect(
    ...callOf('add_pet'),
    ...argument('name', 'Rex'),
    ...argument('categoryId', '"9223372036854775807"'),
  )
  const { pet } = added.structuredContent
  assert.equal(pet.categoryId, '9223372036854775807')
  const { contents } = inspect('--method', 'resources/read', '--uri', 'pet-store://errors')
  assert.match(contents[0].text, /rate_limited/)
  for (const era of eras) {
    const inspectBy = openInspector(env, era)
    const { tools } = inspectBy('--method', 'tools/list', '--strict')
    assert(tools.length > 15, `${era}: ${tools.length} tools`)
    const found = inspectBy(...callOf('list_pets'), ...argument('categoryId', '"9223372036854775807"'))
    assert.deepEqual(
      found.structuredContent.pets.map(({ id }: { id: string }) => id),
      [pet.id],
    )
    console.log(`The inspector lists ${tools.length} tools and calls them in the era ${era}.`)
  }
})

function argument(name: string, value: string): string[] {
  return ['--tool-arg', `${name}=${value}`]
}

function callOf(tool: string): string[] {
  return ['--method', 'tools/call', '--tool-name', tool]
}

function openInspector(
  { ANIMAL_STORE_URL: url, ANIMAL_STORE_KEY: key }: Record<string, string>,
  era: string,
) {
  const target = [
    `${url}/mcp`,
    '--transport',
    'http',
    '--protocol-era',
    era,
    '--header',
    `Authorization: Bearer ${key}`,
  ]
  return (...args: string[]) =>
    JSON.parse(
      execFileSync('npx', ['--yes', inspector, '--cli', ...target, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
}
