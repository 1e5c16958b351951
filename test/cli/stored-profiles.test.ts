import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { profilesFile } from '../../src/cli/profiles.ts'
import { runCommand } from '../support/command-line.ts'
import { runHere } from '../support/run-command.ts'
import { standIn } from '../support/stand-in.ts'

let home: string
/** A store that accepts the key `operator`, and for each project the key `as_` followed by the project's slug. */
let url: string
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'animal-store-home-'))
  url = await standIn((request, response) => {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const operator = key === 'operator'
    const caller = {
      ...{ operator, scopes: operator ? [] : ['pets_read', 'orders_read'] },
      ...{ keyPrefix: operator ? null : key, projectSlug: operator ? null : key.replace('as_', '') },
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: { caller } }))
  })
  return () => rmSync(home, { recursive: true })
})

const inHome = (line: string, env: Record<string, string> = {}) =>
  runHere({ HOME: home, DATA_DIR: join(home, 'none'), ...env }, line.split(' '))
const storedProfiles = () => JSON.parse(readFileSync(profilesFile({ HOME: home }), 'utf8'))
const login = (name: string, more = '') =>
  inHome(`login --url ${url} --key as_${name} --profile ${name}${more}`)

describe('login', () => {
  it('login stores the address without trailing slashes and the key without spaces, by default in the profile default', async () => {
    const { output } = await runHere({ HOME: home }, ['login', '--url', `${url}//`, '--key', ' as_zoo\n'])

    expect(storedProfiles()).toEqual({ current: 'default', profiles: { default: { url, key: 'as_zoo' } } })
    expect(output).toBe(
      `Signed in at ${url} as the project zoo. Stored in ${profilesFile({ HOME: home })}.\n`,
    )
    expect(statSync(join(home, '.config/animal-store')).mode & 0o777).toBe(0o700)
  })

  it('login uses the address of --url, or else the address of the environment', async () => {
    expect((await inHome('login --key as_zoo', { ANIMAL_STORE_URL: url })).exitCode).toBe(0)
    expect(storedProfiles().profiles.default).toEqual({ url, key: 'as_zoo' })

    const elsewhere = await inHome('login --key as_zoo --url http://127.0.0.1:9', { ANIMAL_STORE_URL: url })
    expect([elsewhere.exitCode, storedProfiles().profiles.default.url]).toEqual([1, url])
  })

  it('without --url, a login of a stored profile signs in at the address of the profile', async () => {
    await login('zoo')
    await inHome(`login --url ${url} --key as_old`)

    const elsewhere = { ANIMAL_STORE_URL: 'http://127.0.0.1:9' }
    const named = await inHome('login --key as_inn --profile zoo', elsewhere)
    const unnamed = await inHome('login --key as_shop')

    expect([named.exitCode, unnamed.exitCode]).toEqual([0, 0])
    expect(storedProfiles().profiles).toEqual({
      zoo: { url, key: 'as_inn' },
      default: { url, key: 'as_shop' },
    })
    expect((await inHome('login --key as_inn --profile new', elsewhere)).exitCode).toBe(1)
    expect((await inHome('login --key as_shop', elsewhere)).exitCode).toBe(1)
  })

  it('a command without a key names the login that signs in at its address', async () => {
    await login('zoo')

    const { errors } = await inHome('pets list --url http://store.example')

    expect(errors).toContain('run animal-store login --url http://store.example,')
  })

  it('login keeps the other profiles, and switches to the new one', async () => {
    await login('zoo')
    await login('shop')

    expect(storedProfiles()).toEqual({
      current: 'shop',
      profiles: { zoo: { url, key: 'as_zoo' }, shop: { url, key: 'as_shop' } },
    })
  })

  it('login with --json prints the owner of the key, but not the key', async () => {
    const { output } = await login('zoo', ' --json')

    expect(JSON.parse(output)).toEqual({
      ...{ profile: 'zoo', url, operator: false, scopes: ['pets:read', 'orders:read'] },
      ...{ keyPrefix: 'as_zoo', projectSlug: 'zoo' },
    })
  })

  it('login stores nothing if no key is given', async () => {
    const ended = await runHere({ HOME: home }, ['login', '--url', url, '--key', ' '])

    expect(ended).toMatchObject({ exitCode: 2, errors: 'No key was given.\n' })
    expect(() => storedProfiles()).toThrow('ENOENT')
  })
})

describe('logout', () => {
  it('logout removes the current profile, and switches to another one', async () => {
    for (const name of ['zoo', 'shop']) await login(name)

    const first = await inHome('logout')
    expect(first.output).toBe(
      'Forgot the profile shop; the key itself still works. The profile in use is zoo now.\n',
    )
    expect(storedProfiles()).toEqual({ current: 'zoo', profiles: { zoo: { url, key: 'as_zoo' } } })

    const last = await inHome('logout')
    expect(last.output).toBe('Forgot the profile zoo; the key itself still works.\n')
    expect(storedProfiles()).toEqual({ current: null, profiles: {} })
    expect(await inHome('logout')).toMatchObject({ exitCode: 4, errors: 'You are not signed in.\n' })
  })

  it('logout with a name removes that profile and keeps the current one', async () => {
    for (const name of ['zoo', 'shop', 'inn']) await login(name)

    await inHome('logout --profile zoo')

    expect(storedProfiles()).toEqual({
      current: 'inn',
      profiles: { shop: { url, key: 'as_shop' }, inn: { url, key: 'as_inn' } },
    })
    expect((await inHome('logout --profile zoo')).exitCode).toBe(4)
  })
})

describe('changes of the stored profiles', () => {
  const file = () => profilesFile({ HOME: home })
  const store = (profiles: object, current: string | null = null) => {
    mkdirSync(dirname(file()), { recursive: true })
    writeFileSync(file(), JSON.stringify({ current, profiles }))
  }
  /** Runs the command in a process of its own, as several terminals do at once. */
  const elsewhere = (line: string) => runCommand({ HOME: home }, line.split(' '))

  it('a change that the disk cannot store leaves the profiles as they were', async () => {
    store({ zoo: { url: `http://${'x'.repeat(2_000)}.example`, key: 'as_zoo' } })
    const before = readFileSync(file(), 'utf8')

    // `ulimit -f` limits the size of a file that the command writes, as a full disk does.
    const line = 'ulimit -f 1 && exec "$0" src/cli/bin.js profiles use zoo'
    const ended = spawnSync('/bin/sh', ['-c', line, process.execPath], {
      env: { HOME: home },
      encoding: 'utf8',
    })

    expect(ended).toMatchObject({ status: 1, stderr: `${file()} cannot be written: EFBIG.\n` })
    expect(readFileSync(file(), 'utf8')).toBe(before)
    expect(readdirSync(dirname(file()))).toEqual(['profiles.json'])
  })

  it('a logout that waits for the service keeps the profiles that a login stores meanwhile', async () => {
    const slow = await standIn(async (_request, response) => {
      await elsewhere(`login --url ${url} --key as_zoo --profile zoo`)
      response.setHeader('content-type', 'application/json').end('{}')
    })
    store({ old: { url: slow, key: 'as_old', expiresAt: '2030-01-01T00:00:00.000Z' } }, 'old')

    expect((await inHome('logout --profile old')).exitCode).toBe(0)
    expect(storedProfiles()).toEqual({ current: 'zoo', profiles: { zoo: { url, key: 'as_zoo' } } })
  })

  it('logins at once are all stored', async () => {
    const names = ['zoo', 'shop', 'inn', 'ark']

    await Promise.all(names.map(name => elsewhere(`login --url ${url} --key as_${name} --profile ${name}`)))

    expect(Object.keys(storedProfiles().profiles).toSorted()).toEqual(names.toSorted())
    expect(readdirSync(dirname(file()))).toEqual(['profiles.json'])
  })

  it('a command that was killed while it stored a profile does not block later commands', async () => {
    store({})
    writeFileSync(`${file()}.lock`, '{"current":')
    utimesSync(`${file()}.lock`, 0, 0)

    await login('zoo')

    expect(storedProfiles().current).toBe('zoo')
    expect(readdirSync(dirname(file()))).toEqual(['profiles.json'])
  })
})

describe('profiles', () => {
  it('profiles lists the stored profiles without keys, and marks the current one', async () => {
    for (const name of ['zoo', 'shop']) await login(name)

    const { output } = await inHome('profiles list')
    const asData = await inHome('profiles list --json')

    expect(output).toMatch(new RegExp(`^PROFILE  SERVICE\\nzoo +${url}  -\\nshop +${url}  in use\\n$`))
    expect(JSON.parse(asData.output)).toEqual([
      { name: 'zoo', url, current: false },
      { name: 'shop', url, current: true },
    ])
  })

  it.each(['third', 'toString', 'constructor'])(
    'an unknown profile is reported, and the stored profiles stay unchanged: %s',
    async name => {
      await login('zoo')
      const before = storedProfiles()

      expect(await inHome(`profiles use ${name}`)).toMatchObject({
        exitCode: 4,
        errors: `There is no profile ${name}.\n`,
      })
      expect(await inHome(`whoami --profile ${name}`)).toMatchObject({
        exitCode: 4,
        errors: `There is no profile ${name}. Create it with animal-store login --profile ${name}.\n`,
      })
      expect((await inHome(`logout --profile ${name}`)).exitCode).toBe(4)
      expect(storedProfiles()).toEqual(before)
    },
  )

  it('profiles use selects the profile of later commands, and keeps all profiles stored', async () => {
    for (const name of ['zoo', 'shop']) await login(name)

    expect((await inHome('profiles use zoo')).output).toBe('The profile in use is zoo now.\n')

    expect(storedProfiles()).toMatchObject({ current: 'zoo', profiles: { zoo: {}, shop: {} } })
    expect(JSON.parse((await inHome('whoami --json')).output)).toMatchObject({ projectSlug: 'zoo' })
  })

  it('if XDG_CONFIG_HOME is set, profiles are stored only in that folder', async () => {
    const XDG_CONFIG_HOME = join(home, 'elsewhere')

    await inHome(`login --url ${url} --key as_zoo`, { XDG_CONFIG_HOME })

    expect(readFileSync(join(XDG_CONFIG_HOME, 'animal-store/profiles.json'), 'utf8')).toContain('as_zoo')
    expect((await inHome('whoami', { XDG_CONFIG_HOME })).exitCode).toBe(0)
    expect((await inHome('whoami')).exitCode).toBe(3)
  })

  it.each(['{"current":', '{"profiles":null}', '{"profiles":[]}', '{"profiles":"zoo"}'])(
    'an unreadable profile file is reported with its path: %s',
    async content => {
      const file = profilesFile({ HOME: home })
      mkdirSync(join(home, '.config/animal-store'), { recursive: true })
      writeFileSync(file, content)

      expect(await inHome('profiles list')).toEqual({
        ...{ exitCode: 1, output: '' },
        errors: `${file} cannot be read as a JSON object. Repair it or delete it.\n`,
      })
    },
  )

  it.each([
    { url: 7, key: 'as_x' },
    { url: 'http://127.0.0.1:9', key: 7 },
    { url: 'http://127.0.0.1:9' },
    null,
    'x',
  ])('a profile without a valid address or key is reported with its name and its file: %j', async profile => {
    const file = profilesFile({ HOME: home })
    mkdirSync(join(home, '.config/animal-store'), { recursive: true })
    writeFileSync(file, JSON.stringify({ current: 'zoo', profiles: { zoo: profile } }))

    for (const line of ['profiles', 'whoami', 'pets list', 'logout']) {
      expect(await inHome(line)).toEqual({
        ...{ exitCode: 2, output: '' },
        errors: `The profile zoo in ${file} must have url and key as texts. Repair it or delete it.\n`,
      })
    }
  })
})

describe('whoami', () => {
  it('whoami shows the key in use, its scopes and its source', async () => {
    await login('zoo')

    expect((await inHome('whoami')).output).toBe(
      [
        ...[`service  ${url}`, 'as       the project zoo', 'key      as_zoo, from the profile zoo'],
        ...['scopes   pets:read orders:read', ''],
      ].join('\n'),
    )
  })

  it("whoami shows the operator's key if there is no other key", async () => {
    const dataDir = join(home, 'data')
    mkdirSync(dataDir)
    const file = join(dataDir, 'credentials.json')
    writeFileSync(file, JSON.stringify({ url, operatorKey: 'operator' }))

    expect((await inHome('whoami', { DATA_DIR: dataDir })).output).toBe(
      [
        ...[`service  ${url}`, 'as       the operator', `key      the operator's, from ${file}`],
        ...['scopes   all', ''],
      ].join('\n'),
    )
    expect((await inHome('whoami --profile none')).exitCode).toBe(4)
  })
})
