import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { buildImage, type Containers, canBuildImages, imageName } from '../support/image.ts'
import { freePort } from '../support/programs.ts'

const here = ['--network', 'host', '--rm']

describe.skipIf(!canBuildImages())('the image', () => {
  let image: Containers
  beforeAll(async () => {
    image = await buildImage()
  }, 300_000)
  afterAll(() => image?.remove())

  it('adds at most 100 MB to Node, and nothing of it belongs to the user who runs it', async () => {
    const history = await image.podman('history', '--human=false', '--format', '{{.Size}}', imageName)
    const [base = 0, ...own] = history.split('\n').map(Number).reverse()
    const writable = await image.podman(
      ...['run', ...here, imageName, 'find', '/srv/animal-store', '-user', 'node', '!', '-path', '*/.cache*'],
    )

    expect(base).toBeGreaterThan(100e6)
    expect(own.reduce((sum, size) => sum + size, 0)).toBeLessThan(100e6)
    expect(writable).toBe('')
  })

  it('has nothing that only builds', async () => {
    const builders = [
      'vite',
      'react',
      'react-dom',
      'urql',
      'prisma',
      '@prisma/studio-core',
      'typescript',
      'node/bin',
    ]
    const list = JSON.stringify(builders.map(name => `node_modules/${name}`))

    const found = await image.podman(
      ...['run', ...here, imageName, 'node', '-p', `${list}.filter(name => fs.existsSync(name)).join()`],
    )

    expect(found).toBe('')
  })

  it('answers at every door on a read-only root as user node, and ends at once when told to', async () => {
    const [port, opsPort] = [String(await freePort()), String(await freePort())]
    const env = { PORT: port, OPS_PORT: opsPort, HTTPS_PORT: '0' }
    const given = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const id = await image.podman(
      'run',
      '--detach',
      '--network',
      'host',
      '--read-only',
      '--tmpfs',
      '/tmp',
      ...given,
      imageName,
    )

    await askEveryDoor(`http://127.0.0.1:${port}`)
    const { text } = await ask(`http://127.0.0.1:${opsPort}/metrics`)
    const account = await image.podman('exec', id, 'node', '-p', 'process.getuid()')
    await image.podman('stop', '--time', '20', id)
    const ended = JSON.parse(await image.podman('inspect', '--format', '{{json .State}}', id))

    expect(text).toMatch(/^animal_store_request_seconds_count{.*route="\/reference"/m)
    expect(account).toBe('1000')
    expect(ended).toMatchObject({ ExitCode: 0, OOMKilled: false })
  }, 60_000)

  it.each([
    ['docs', '/reference'],
    ['dist', '/dashboard'],
    ['openapi.yaml', '/openapi.yaml'],
    ['schema.graphql', '/graphql'],
  ])('is not built without %s', async (missing, door) => {
    // The last step of the build, on a container from which the file was taken.
    const step = `rm -r ${missing} && HTTPS_PORT=0 node deploy/every-door.ts`

    const built = image.podman('run', ...here, '--user', 'root', imageName, 'sh', '-c', step)

    await expect(built).rejects.toThrow(new RegExp(`^${door} answers (404|500) and does not show`, 'm'))
  })
})

async function askEveryDoor(url: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['deploy/every-door.ts', url])
}
