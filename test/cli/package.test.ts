import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../src/cli/version.ts'
import { type App, startApp } from '../support/start-app.ts'

const run = promisify(execFile)
/** The PATH of this machine, without this repository's programs. Its Node.js may be version 20. */
const machinePath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !folder.includes('node_modules'))
  .join(delimiter)

const readme = readFileSync('clients/cli/README.md', 'utf8')
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
  app = await startApp()
}, 120_000)
afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true })
})

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

  it("the package works on the machine's own Node, without this repository", async () => {
    const { secret } = await app.makeProject()
    await command('login', '--key', secret)
    await command('pets', 'add', 'Biscuit', '--category', '9007199254740993')

    const { stdout } = await command('pets', 'list', '--json')

    expect(JSON.parse(stdout).items).toMatchObject([{ name: 'Biscuit', categoryId: '9007199254740993' }])
    expect((await command('--help')).stdout).toContain('Examples:')
  })

  it('the package reports a failure by its message and exit code', async () => {
    writeFileSync(join(folder, 'key.txt'), 'as_wrong')

    await expect(command('pets', 'list', '--key', 'as_wrong')).rejects.toMatchObject({ code: 3 })
  })
})
