import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../src/cli/version.ts'
import { numberAll } from '../support/events.ts'
import { type App, startApp } from '../support/start-app.ts'

const run = promisify(execFile)
/**
 * The PATH of this machine without the folders of this repository's programs. So the tests run the Node.js of the
 * machine, which may be version 20, and not the newer Node.js in `node_modules`.
 */
const machinePath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !folder.includes('node_modules'))
  .join(delimiter)

const readme = readFileSync('clients/cli/README.md', 'utf8')
const operatorKey = 'operator-of-the-tests-0123456789abcdef'
let app: App
let folder: string
let installed: string

/** Installs with the README's command, but from the packed file instead of the registry. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-cli-'))
  const [first = ''] = (/^```sh\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? '').split('\n')
  const install = first.replace('@animal-store/cli', './animal-store-cli-1.0.0.tgz')
  const env = { PATH: machinePath, HOME: folder, npm_config_offline: 'true', npm_config_audit: 'false' }
  await run('npm', ['pack', './clients/cli'], { env: { ...env, npm_config_pack_destination: folder } })
  await run('sh', ['-c', install], {
    cwd: folder,
    env: { ...env, npm_config_prefix: join(folder, 'prefix') },
  })
  installed = join(folder, 'prefix/lib/node_modules/@animal-store/cli')
  app = await startApp({ env: { OPERATOR_KEY: operatorKey } })
}, 120_000)
afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true })
})

/** Names that the package imports from Node.js. Before you add a name here, check that Node 20.0.0 exports it. */
const importedFromNode = {
  'node:crypto': ['createHmac', 'randomBytes', 'randomUUID'],
  'node:events': ['once'],
  'node:fs': [
    ...['chmodSync', 'closeSync', 'createReadStream', 'createWriteStream', 'existsSync', 'fstatSync'],
    ...['mkdirSync', 'open', 'openSync', 'readFileSync', 'realpathSync', 'renameSync', 'rmSync'],
    ...['statSync', 'writeFileSync', 'writeSync'],
  ],
  'node:module': ['createRequire'],
  'node:net': ['Socket'],
  'node:os': ['homedir', 'hostname'],
  'node:path': ['dirname', 'join'],
  'node:readline/promises': ['createInterface'],
  'node:stream': ['Readable', 'Writable', 'addAbortSignal'],
  'node:stream/consumers': ['text'],
  'node:stream/promises': ['pipeline'],
  'node:timers/promises': ['setTimeout'],
  'node:util': ['promisify'],
}

const command = (...args: string[]) =>
  run(join(folder, 'prefix/bin/animal-store'), args, {
    cwd: folder,
    env: { PATH: machinePath, HOME: folder, ANIMAL_STORE_URL: app.url },
  })

describe('the packed command line', () => {
  it('the package is one file without dependencies, and prints its own version', async () => {
    const { dependencies, version: packed } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    )

    expect(dependencies).toBeUndefined()
    expect(readdirSync(join(installed, 'dist'))).toEqual(['animal-store.js'])
    expect([packed, (await command('--version')).stdout.trim()]).toEqual([version, version])
    expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(version)
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'))
  })

  it('the package works with the installed Node, without this repository', async () => {
    const { secret } = await app.makeProject()
    await command('login', '--key', secret)
    await command('pets', 'add', 'Biscuit', '--category', '9007199254740993')

    const { stdout } = await command('pets', 'list', '--json')

    expect(JSON.parse(stdout).items).toMatchObject([{ name: 'Biscuit', categoryId: '9007199254740993' }])
    expect((await command('--help')).stdout).toContain('Examples:')
  })

  it('the package imports from modules of Node.js only exports that exist in Node 20.0, the oldest version that the README names', () => {
    const packed = readFileSync(join(installed, 'dist/animal-store.js'), 'utf8')
    const imports = [...packed.matchAll(/import\{([^}]*)\}from"(node:[\w/]+)"/g)].map(
      ([, names = '', module = '']) => [
        module,
        names
          .replace(/ as [\w$]+/g, '')
          .split(',')
          .sort(),
      ],
    )

    expect(readme).toContain('for Node 20 and newer')
    expect(Object.fromEntries(imports)).toEqual(importedFromNode)
  })

  /** Starts a command on a Node.js without the functions that later versions of Node.js 20 have added. */
  function startOnOlderNode(...args: string[]) {
    const later = [
      ...['URL.parse', 'AbortSignal.any', 'Promise.withResolvers', 'Array.fromAsync', 'Object.groupBy'],
      'ReadableStream.from',
    ]
    const hidden = later.map(name => `delete ${name};`).join('')
    return run(join(folder, 'prefix/bin/animal-store'), args, {
      cwd: folder,
      env: {
        ...{ PATH: machinePath, HOME: folder, ANIMAL_STORE_URL: app.url },
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hidden)}`,
      },
    })
  }

  it('webhooks listen works on a Node that lacks later additions such as URL.parse and AbortSignal.any', async () => {
    const { secret, post } = await app.makeProject()
    await post('/v1/pets', { name: 'Rex', categoryId: 1 })
    await numberAll(app.tools)
    await command('login', '--key', secret)
    const address = ['--forward-to', `${app.url}/hooks`, '--after', '00000000-0']

    const ended = startOnOlderNode('webhooks', 'listen', ...address)
    ended.child.stdout?.once('data', () => ended.child.kill('SIGINT'))

    expect(await ended.catch(error => error)).toMatchObject({
      stdout: expect.stringContaining('pet.created  404'),
      stderr: expect.stringContaining('Events go to'),
    })
  })

  it('an export of the activity of all projects works on a Node that lacks ReadableStream.from', async () => {
    const options = ['--export', '--format', 'csv', '--key', operatorKey]
    const { stdout } = await startOnOlderNode('activity', '--all-projects', ...options)

    expect(stdout).toMatch(/^project,id,type,/)
  })

  it('the package reports a failure by its message and exit code', async () => {
    writeFileSync(join(folder, 'key.txt'), 'as_wrong')

    await expect(command('pets', 'list', '--key', 'as_wrong')).rejects.toMatchObject({ code: 3 })
  })
})
