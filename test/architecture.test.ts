import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const doors = ['rest', 'graphql', 'hosting']

/** What a room may import of the others; rooms that stand over all others are not named. */
const mayImport: Record<string, string[]> = {
  core: ['core', 'limiter', 'database', 'tools', 'generated'],
  limiter: ['limiter', 'database', 'tools'],
  database: ['database', 'tools', 'generated'],
  tools: ['tools', 'generated'],
  http: ['http', 'core', 'limiter', 'database', 'tools', 'generated', 'tools.ts', 'config.ts'],
  ...Object.fromEntries(
    doors.map(door => [
      door,
      [
        door,
        'http',
        'reference',
        'core',
        'limiter',
        'database',
        'tools',
        'generated',
        'tools.ts',
        'config.ts',
      ],
    ]),
  ),
  reference: ['reference', 'http', 'styles', 'tools.ts'],
  studio: ['studio', 'http', 'core', 'limiter', 'database', 'tools', 'tools.ts', 'config.ts', 'styles'],
  jobs: ['jobs', 'hosting', 'core', 'limiter', 'database', 'tools', 'generated', 'tools.ts', 'config.ts'],
  cli: ['cli'],
  dashboard: ['dashboard'],
}

const imports = globSync('src/**/*.{ts,tsx}')
  .filter(file => !file.includes('generated'))
  .flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(found => ({
      file,
      target: found[1] ?? '',
    })),
  )

it('arrows only go down: each room imports what stands below it', () => {
  const wrong = imports.filter(({ file, target }) => {
    const [room = '', inside] = file.split('/').slice(1)
    if (!inside || !target.startsWith('.')) return false
    const [targetRoom = ''] = normalize(join(dirname(file), target))
      .split('/')
      .slice(1)
    return mayImport[room] !== undefined && !mayImport[room].includes(targetRoom)
  })

  expect(wrong).toEqual([])
})

it('the core knows no web framework, no GraphQL and no status numbers', () => {
  const outward = imports.filter(
    ({ file, target }) =>
      file.startsWith('src/core/') && /^(express|graphql|@apollo|node:https?)/.test(target),
  )

  expect(outward).toEqual([])
})

it('the published client imports nothing but its own files', () => {
  const client = globSync('clients/typescript/src/**/*.ts').flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(found => found[1]),
  )

  expect(client.length).toBeGreaterThan(10)
  expect(client.filter(target => !target?.startsWith('./'))).toEqual([])
})
