import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const doors = ['rest', 'graphql', 'mcp', 'hosting']

/**
 * The rooms that each room may import. A room is a folder or a file of `src`. A room that is not listed may import all
 * rooms.
 */
const mayImport: Record<string, string[]> = {
  core: ['signature', 'core', 'limiter', 'database', 'tools', 'generated'],
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
        ...(door === 'rest' ? ['csv'] : []),
      ],
    ]),
  ),
  reference: ['reference', 'http', 'styles', 'tools', 'tools.ts'],
  studio: ['studio', 'http', 'core', 'limiter', 'database', 'tools', 'tools.ts', 'config.ts', 'styles'],
  jobs: ['jobs', 'hosting', 'core', 'limiter', 'database', 'tools', 'generated', 'tools.ts', 'config.ts'],
  // `typescript` is the published client in clients/typescript, and `contract` is src/generated/contract.ts.
  cli: ['cli', 'typescript', 'contract', 'csv', 'split-import', 'signature'],
  dashboard: ['dashboard', 'contract', 'csv', 'split-import'],
}

/**
 * Files with a name of their own in `mayImport`, because more rooms may import them than the other files of their
 * folder.
 */
const sharedFiles: Record<string, string> = {
  'src/generated/contract.ts': 'contract',
  'src/core/events/signature.ts': 'signature',
  'clients/typescript/src/csv.ts': 'csv',
  'clients/typescript/src/formulas.ts': 'csv',
  'clients/typescript/src/split-import.ts': 'split-import',
}

const imports = globSync('src/**/*.{ts,tsx}')
  .filter(file => !file.includes('generated'))
  .flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(found => ({
      file,
      target: found[1] ?? '',
    })),
  )

it('each room (a folder of src) imports only from the rooms that mayImport lists for it', () => {
  const wrong = imports.filter(({ file, target }) => {
    const [room = '', inside] = file.split('/').slice(1)
    if (!inside || !target.startsWith('.')) return false
    const path = normalize(join(dirname(file), target))
    const targetRoom = sharedFiles[path] ?? path.split('/')[1] ?? ''
    return mayImport[room] !== undefined && !mayImport[room].includes(targetRoom)
  })

  expect(wrong).toEqual([])
})

/**
 * The rooms of the core; each may import only the rooms below it in this list. All rooms may import files of the core
 * that belong to no room.
 */
const coreRooms = [
  'orders',
  'pets',
  'domains',
  'deploys',
  'certificates',
  'hosts',
  'events',
  'usage',
  'people',
  'projects',
  'keys',
]

it('no folder of src/core imports a folder that comes earlier in the list coreRooms, and files directly in src/core import no folder of src/core', () => {
  const roomOf = (path: string) => /^src\/core\/([^/]+)\//.exec(path)?.[1]
  const wrong = imports.filter(({ file, target }) => {
    const targetRoom = roomOf(normalize(join(dirname(file), target)))
    if (!file.startsWith('src/core/') || !target.startsWith('.') || !targetRoom) return false
    const room = roomOf(file)
    return !room || coreRooms.indexOf(targetRoom) < coreRooms.indexOf(room)
  })

  expect(
    globSync('src/core/*/')
      .map(folder => folder.split('/')[2])
      .sort(),
  ).toEqual([...coreRooms].sort())
  expect(wrong).toEqual([])
})

it('no file imports itself through other files', () => {
  const files = globSync('{src,clients,bench}/**/*.{ts,tsx,js}', {
    exclude: ['**/node_modules/**', '**/generated/**'],
  })
  const targets = new Map(
    files.map(file => [
      file,
      [...readFileSync(file, 'utf8').matchAll(/(?:from|import|import\() ?'(\.[^']+)'/g)].map(found =>
        normalize(join(dirname(file), found[1] ?? '')),
      ),
    ]),
  )
  const finished = new Set<string>()
  const circles: string[] = []
  function walk(file: string, way: readonly string[]): void {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' -> '))
    else if (!finished.has(file)) for (const target of targets.get(file) ?? []) walk(target, [...way, file])
    finished.add(file)
  }
  for (const file of files) walk(file, [])

  expect(files.length).toBeGreaterThan(400)
  expect(circles).toEqual([])
})

it('no file of the core imports Express, GraphQL, Apollo or an HTTP module of Node.js', () => {
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

/**
 * Uses of internals of libraries, each with the reason why it is allowed. The service tries each of these uses when it
 * starts.
 */
const borders = [
  {
    file: 'src/database/schema-engine.ts',
    means: 'private member',
    why: 'Prisma publishes its engine as WebAssembly for others to load, and the names by which they do are these',
  },
  {
    file: 'src/http/drain.ts',
    means: 'prototype',
    why: "net's own close, documented, closes only the listener; http's, over it, ends each connection that is idle as well",
  },
  {
    file: 'src/http/messages.ts',
    means: 'prototype',
    why: 'Express documents that an app has the prototypes of its requests and responses, and that they may be extended',
  },
  {
    file: 'src/hosting/acme-account.ts',
    means: 'cast past the types',
    why: 'acme-client repeats a request whose nonce was refused five times, and has no option for more',
  },
]

it('no code uses private members of libraries or of Node.js, except in the listed files', () => {
  const found = globSync('src/**/*.{ts,tsx,js}')
    .filter(file => !file.includes('generated'))
    .flatMap(file => [...privateMeansIn(file)].map(means => `${file}: ${means}`))

  expect(new Set(found)).toEqual(new Set(borders.map(({ file, means }) => `${file}: ${means}`)))
})

const shapes: [means: string, names: RegExp][] = [
  ['prototype', /^(setPrototypeOf|__proto__|prototype)$/],
  ['symbol of others', /^(symbols|getOwnPropertySymbols)$/],
  ['inside of node', /^(binding|internalBinding|getBuiltinModule)$/],
]

/** Prisma's documented aggregates, and the field with which GraphQL names a type. */
const publicNames = ['_count', '_max', '_min', '_sum', '_avg', '__typename']

/** Parses the syntax, so that words in comments and strings do not count. */
function privateMeansIn(file: string): Set<string> {
  const found = new Set<string>()
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true))
  return found

  function visit(node: ts.Node): void {
    const name = memberIn(node)
    if (name?.startsWith('_') && !publicNames.includes(name)) found.add('private member')
    for (const [means, names] of shapes) if (name && names.test(name)) found.add(means)
    if (ts.isAsExpression(node) && ts.isAsExpression(node.expression)) found.add('cast past the types')
    if (ts.isImportDeclaration(node) && isInside((node.moduleSpecifier as ts.StringLiteral).text)) {
      found.add('inside of a package')
    }
    ts.forEachChild(node, visit)
  }
}

/** Returns the name of the member that a node accesses or declares. */
function memberIn(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression)) {
    return node.argumentExpression.text
  }
  const name = ts.isBindingElement(node)
    ? (node.propertyName ?? (ts.isObjectBindingPattern(node.parent) ? node.name : undefined))
    : ts.isTypeElement(node) || ts.isClassElement(node) || ts.isImportSpecifier(node)
      ? node.name
      : undefined
  return name && ts.isIdentifier(name) ? name.text : null
}

const isInside = (module: string) =>
  /^(node:internal|[^.][^ ]*\/(lib|dist|src|internal|build)\/)/.test(module)

it('no comment begins with Who, Whoever, What, Whatever or Of', () => {
  const folders = 'src,test,bench,clients,deploy,prisma'
  const odd = globSync(`{${folders}}/**/*.{ts,tsx,js,css}`, { exclude: ['**/node_modules', '**/generated'] })
    .filter(file => !/node_modules|generated|\/dist\//.test(file))
    .flatMap(file =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /^\s*(?:\/\*\*?\s+(?:\* )?|(?<!\/\/[^\n]*\n\s*)\/\/ )(Who|Whoever|What|Whatever|Of) [^\n?]*$/gm,
        ),
      ].map(found => `${file}: ${found[0].trim()}`),
    )

  expect(odd).toEqual([])
})

it('no test replaces or reloads modules of the service', () => {
  // All tests of a worker share the loaded modules of the service. If a test reloaded a module, the worker would open a
  // second migration engine instead of using the first engine again.
  const forbidden = /\bvi\.(?:resetModules|mock|doMock|hoisted)\b/
  const found = globSync('test/**/*.ts').filter(file => forbidden.test(readFileSync(file, 'utf8')))

  expect(found).toEqual([])
})
