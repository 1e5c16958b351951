import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { freshDatabase, freshRedis } from '../support/databases.ts'
import { baseName, buildImage, type Containers, canBuildImages, imageName } from '../support/image.ts'
import { renderZone, toOnePod } from '../support/kustomize.ts'
import { findProgram, freePort } from '../support/programs.ts'

const hasServices = ['kubectl', 'postgres', 'redis-server'].every(findProgram)

describe.skipIf(!canBuildImages())('the image', () => {
  let image: Containers
  /**
   * A running container in which several tests run commands as root, because copying an image for each test takes
   * seconds.
   */
  let idle: string
  const inside = (...command: string[]) => image.podman('exec', '--user', 'root', idle, ...command)
  // A long timeout, only for a build that hangs: on two busy cores it took five minutes.
  beforeAll(async () => {
    image = await buildImage()
    idle = await image.podman('run', '--detach', '--network', 'host', imageName, 'sleep', '900')
  }, 900_000)
  afterAll(() => image?.remove())

  it('the image adds at most 100 MB to Node, and its user owns no file of the image', async () => {
    const sizeOf = async (name: string) =>
      Number(await image.podman('image', 'inspect', '--format', '{{.Size}}', name))
    const own = (await sizeOf(imageName)) - (await sizeOf(baseName))
    const ofUser = await inside('find', '/srv/animal-store', '-user', 'node', '!', '-path', '*/.cache*')

    expect(own).toBeGreaterThan(10e6)
    expect(own).toBeLessThan(100e6)
    expect(ofUser).toBe('')
  })

  it('the image has no package that only a build needs', async () => {
    const names = ['vite', 'react', 'react-dom', 'urql', 'prisma', '@prisma/studio-core', 'node/bin']
    const list = JSON.stringify(names.map(name => `node_modules/${name}`))

    const found = await inside('node', '-p', `${list}.filter(name => fs.existsSync(name)).join()`)

    expect(found).toBe('')
  })

  it.each([
    ['docs', '/reference answers 500'],
    ['dist', '/dashboard answers 404'],
    ['openapi.yaml', '/openapi.yaml answers 500'],
    ['schema.graphql', '/graphql'],
  ])(
    'the image is not built without %s',
    async (missing, problem) => {
      // Runs the last step of the build without this file.
      const step = `mv ${missing} /tmp/away && node deploy/every-door.ts; ended=$?; mv /tmp/away ${missing}; exit $ended`

      await expect(inside('sh', '-c', step)).rejects.toThrow(problem)
    },
    60_000,
  )

  it('a container of the image serves REST, GraphQL and the dashboard on a read-only root as user node, and exits with status 0', async () => {
    const [port, opsPort] = [String(await freePort()), String(await freePort())]
    const env = { PORT: port, OPS_PORT: opsPort, HTTPS_PORT: '0' }
    const given = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const readOnly = ['--network', 'host', '--read-only', '--tmpfs', '/tmp']
    const id = await image.podman('run', '--detach', ...readOnly, ...given, imageName)

    await askEveryDoor(`http://127.0.0.1:${port}`)
    const { text } = await ask(`http://127.0.0.1:${opsPort}/metrics`)
    const account = await image.podman('exec', id, 'node', '-p', 'process.getuid()')
    await image.podman('stop', '--time', '20', id)
    const state = JSON.parse(await image.podman('inspect', '--format', '{{json .State}}', id))

    expect(text).toMatch(/^animal_store_request_seconds_count{.*route="\/reference"/m)
    expect(account).toBe('1000')
    expect(state).toMatchObject({ Status: 'exited', ExitCode: 0 })
  }, 60_000)

  it.skipIf(!hasServices)(
    'a pod made from the manifests of a zone runs the image with PostgreSQL and Redis',
    async () => {
      const [database, redisUrl] = [await freshDatabase(), await freshRedis()]
      const ports = { PORT: String(await freePort()), OPS_PORT: String(await freePort()) }
      const secret = { ...database.env, REDIS_URL: String(redisUrl), OPERATOR_KEY: 'k'.repeat(32) }
      const pod = toOnePod(renderZone('a'), ports)

      await image.play(pod, secret)
      await askEveryDoor(`http://127.0.0.1:${ports.PORT}`)
      // If the last statement of the service was slow, /readyz reports the slowness until the next statement. On a busy
      // machine a statement during the start may have been slow, so ask /readyz until the answer is as expected.
      const readiness = async () => (await ask(`http://127.0.0.1:${ports.OPS_PORT}/readyz`)).json
      const expected = { status: 'ready', database: 'reachable', limiter: 'exact', secrets: 'open' }
      await expect.poll(readiness, { timeout: 30_000 }).toEqual(expected)
      await image.podman('pod', 'rm', '--all', '--force', '--time', '20')
      await database.remove()
    },
    90_000,
  )
})

async function askEveryDoor(url: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['deploy/every-door.ts', url])
}
