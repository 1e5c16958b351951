import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { withoutMounts } from '../faults/mounts.ts'
import { freshDatabase, freshFolder } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { answersAt, startProcess, type Way } from '../support/start-process.ts'

let template: string
beforeAll(async () => {
  const { env, remove } = await freshFolder()
  template = env.DATA_DIR
  return remove
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function dataFolder(): string {
  const folder = emptyFolder()
  cpSync(template, folder, { recursive: true })
  return folder
}

/** A separate file system, which only root can mount. */
function diskWith(options: string): string {
  const folder = emptyFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder])
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

async function refusalOf(env: Record<string, string>, way?: Way): Promise<string> {
  const service = await startProcess(env, 'start.js', way)
  expect(await service.ended).toBe(1)
  return service.output()
}

/** Matches the only line that the start prints. */
const sentence = (text: string | RegExp) =>
  expect.stringMatching(new RegExp(`^${typeof text === 'string' ? text : text.source}\\n$`))

describe('a refused start', () => {
  it('a start is refused if DATA_DIR is a file', async () => {
    const file = join(emptyFolder(), 'file')
    writeFileSync(file, '')

    expect(await refusalOf({ DATA_DIR: file })).toEqual(
      sentence(`DATA_DIR ${file} cannot be used: it is a file, not a folder\\.`),
    )
  })

  it('a start is refused if DATA_DIR is not writable', async () => {
    // /sys is a folder of the kernel, in which even root cannot create a folder.
    expect(await refusalOf({ DATA_DIR: '/sys/animal-store' })).toEqual(
      sentence(/DATA_DIR .* is not writable\./),
    )
  })

  it.skipIf(withoutMounts())('a start is refused if the disk of DATA_DIR is read-only or full', async () => {
    const [readOnly, small] = [diskWith('ro'), diskWith('size=4m')]

    expect(await refusalOf({ DATA_DIR: readOnly })).toEqual(
      sentence(`DATA_DIR ${readOnly} cannot be used: its disk is read-only\\.`),
    )
    expect(await refusalOf({ DATA_DIR: small })).toEqual(
      sentence(`The database in ${small}/postgres cannot be opened: the disk is full\\.`),
    )
  })

  const nobody = { under: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] }

  it.skipIf(process.getuid?.() !== 0)('a start is refused if DATA_DIR belongs to another user', async () => {
    const folder = dataFolder()
    const others = sentence(
      `DATA_DIR ${folder} cannot be used: it belongs to another user, or is not writable\\.`,
    )

    expect(await refusalOf({ DATA_DIR: folder }, nobody)).toEqual(others)
    chmodSync(folder, 0o755)
    expect(await refusalOf({ DATA_DIR: folder }, nobody)).toEqual(others)
  })

  it.skipIf(process.getuid?.() !== 0)(
    'a start is refused if a file of the database belongs to another user, for example after a start with sudo',
    async () => {
      const folder = dataFolder()
      const file = join(folder, 'postgres', 'global', 'pg_control')
      execFileSync('chown', ['-R', '65534:65534', folder])
      execFileSync('chown', ['0:0', file])
      chmodSync(file, 0o600)

      expect(await refusalOf({ DATA_DIR: folder }, nobody)).toEqual(
        sentence(
          `The database in ${folder}/postgres cannot be opened: some of its files belong to another user, or are not writable: chown -R USER ${folder}\\.`,
        ),
      )
    },
  )

  it('a start is refused if the database in DATA_DIR is damaged', async () => {
    const folder = dataFolder()
    writeFileSync(join(folder, 'postgres', 'global', 'pg_control'), 'damaged')

    expect(await refusalOf({ DATA_DIR: folder })).toEqual(
      sentence(/The database in .*postgres cannot be opened: its files are damaged or .*\./),
    )
  })

  it('a start is refused if credentials.json is damaged', async () => {
    const folder = dataFolder()
    writeFileSync(join(folder, 'credentials.json'), '{"project": "de')

    expect(await refusalOf({ DATA_DIR: folder })).toEqual(sentence(/\S+credentials.json is damaged: .*\./))
  })

  it('a start is refused if secrets.key is damaged, even if no secret has been encrypted with secrets.key yet', async () => {
    const folder = dataFolder()
    const file = join(folder, 'secrets.key')
    writeFileSync(file, Buffer.alloc(32, 7).toString('base64').slice(0, 20))

    expect(await refusalOf({ DATA_DIR: folder })).toEqual(
      sentence(`${file} is damaged: restore it, .* If the file is lost, see docs/domains\\.md\\.`),
    )
    // With an external PostgreSQL the service does not use the database in DATA_DIR, but a damaged secrets.key still
    // prevents the start.
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)
    expect(await refusalOf({ ...env, DATA_DIR: folder })).toEqual(sentence(/\S+secrets.key is damaged: .*\./))
  })

  it('node src/start.js is refused if node is too old', async () => {
    const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.19.0'}})`
    const child = spawn(process.execPath, ['--import', older, 'src/start.js'], { env: {} })
    let output = ''
    child.stderr.on('data', chunk => {
      output += chunk
    })

    expect(await once(child, 'close')).toEqual([1, null])
    expect(output).toEqual(
      sentence(/Animal Store needs Node 26, but this is 20\.19\.0\. .* npm start uses it\./),
    )
  })
})

describe("the operator's own key", () => {
  it('the value of OPERATOR_KEY is neither printed nor written to credentials.json, and a start removes the value from an old credentials.json', async () => {
    const folder = dataFolder()
    const own = 'the-own-key-of-the-operator-0123456789'
    const old = { operatorKey: own, project: 'demo', apiKey: 'as_x' }
    const output: string[] = []
    for (const credentials of [null, old]) {
      if (credentials) writeFileSync(join(folder, 'credentials.json'), JSON.stringify(credentials))
      const service = await startProcess({ DATA_DIR: folder, OPERATOR_KEY: own, GRAPHQL_SANDBOX: '0' })
      await service.printed(answersAt)
      service.child.kill('SIGTERM')
      await service.ended
      output.push(service.output(), readFileSync(join(folder, 'credentials.json'), 'utf8'))
    }

    expect(output.join()).not.toContain(own)
    expect(output[0]).toContain('  operator key   (the value of OPERATOR_KEY)\n')
    expect(output[0]).toContain(`The API key is kept in ${folder}/credentials.json.\n`)
    expect(output[0]).toMatch(/^ {2}GraphQL {8}http:\/\/localhost:\d+\/graphql$/m)
    expect(output[0]).not.toContain('Sandbox')
  }, 60_000)
})

it.skipIf(!findProgram('postgres'))(
  'only this machine can read the metrics, unless OPS_HOST says otherwise',
  async () => {
    const { env, remove } = await freshDatabase()
    onTestFinished(remove)
    const service = await startProcess({ ...env, HOST: '0.0.0.0', OPS_PORT: '9411' })
    await service.printed(answersAt)
    onTestFinished(() => void service.child.kill('SIGKILL'))
    const ask = (host: string) =>
      fetch(`http://${host}:9411/metrics`).then(
        ({ status }) => status,
        () => 'refused',
      )

    expect([await ask('127.0.0.1'), await ask('127.0.0.2')]).toEqual([200, 'refused'])
  },
)

describe('a copy of DATA_DIR', () => {
  it('a copy of DATA_DIR that is made while the service is stopped works as a backup with the pets and the API key', async () => {
    const [folder, copy] = [dataFolder(), emptyFolder()]
    const service = await startProcess({ DATA_DIR: folder })
    await service.printed(answersAt)
    const { apiKey } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
    const made = await fetch(`${service.url}/v1/pets`, {
      ...{ method: 'POST', headers, body: '{"name":"Biscuit","categoryId":7}' },
    })
    const pet = (await made.json()) as { id: number }
    service.child.kill('SIGTERM')
    await service.ended
    cpSync(folder, copy, { recursive: true })

    const restored = await startProcess({ DATA_DIR: copy })
    await restored.printed(answersAt)
    const found = await fetch(`${restored.url}/v1/pets/${pet.id}`, { headers })
    restored.child.kill('SIGTERM')
    await restored.ended

    expect(made.status).toBe(201)
    expect(await found.json()).toEqual(pet)
  }, 60_000)
})
