import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram, recordUse } from './programs.ts'

export type Containers = {
  podman(...args: string[]): Promise<string>
  /**
   * Starts the pods of a Kubernetes file with podman, in the network of this machine. The values in `secret` become a
   * Secret with the name `animal-store`.
   */
  play(manifests: string, secret: Record<string, string>): Promise<void>
  remove(): Promise<void>
}

export const imageName = 'registry.example.com/animal-store:1.0.0'
export const baseName = 'localhost/node:26-slim'

/** Without a user namespace, a build needs root. */
export const canBuildImages = () =>
  process.getuid?.() === 0 &&
  ['buildah', 'podman', 'busybox', 'runc', 'catatonit'].every(name => findProgram(name))

/** Builds the Dockerfile with buildah. The base image contains this machine's programs, and npm uses its own cache. */
export async function buildImage(): Promise<Containers> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-image-'))
  const env = { ...process.env, ...configure(folder) }
  const run = async (program: string, ...args: string[]) => {
    recordUse(program)
    const { stdout } = await promisify(execFile)(program, args, { env, maxBuffer: 2 ** 26 })
    return stdout.trim()
  }
  await run('buildah', 'bud', '--quiet', '--file', writeBase(folder), '--tag', baseName, join(folder, 'base'))
  await run('buildah', ...howToBuild(), '--tag', imageName, '.')
  return {
    podman: (...args) => run('podman', ...args),
    async play(manifests, secret) {
      const [file, values] = [join(folder, 'pod.yaml'), join(folder, 'secret.json')]
      const sealed = Object.entries(secret).map(([name, value]) => [
        name,
        Buffer.from(value).toString('base64'),
      ])
      writeFileSync(file, manifests)
      writeFileSync(values, JSON.stringify(Object.fromEntries(sealed)))
      await run('podman', 'secret', 'create', 'animal-store', values)
      await run('podman', 'kube', 'play', '--network', 'host', file)
    },
    async remove() {
      await run('podman', 'rm', '--all', '--force', '--time', '1')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function howToBuild(): string[] {
  const npm = (setting: string) =>
    execFileSync('npm', ['config', 'get', setting], { encoding: 'utf8' }).trim()
  const given = [
    [npm('cache'), '/root/.npm'],
    [npm('userconfig'), '/root/.npmrc'],
  ].filter(([path = '']) => existsSync(path))
  const volumes = given.flatMap(([here, there]) => ['--volume', `${here}:${there}`])
  return [
    'bud',
    '--isolation',
    'chroot',
    '--pull-never',
    '--layers=false',
    '--build-arg',
    `NODE=${baseName}`,
    ...volumes,
  ]
}

/** Configures a separate storage, and settings that also work inside a container. */
function configure(folder: string): Record<string, string> {
  const [storage, containers] = [join(folder, 'storage.conf'), join(folder, 'containers.conf')]
  writeFileSync(
    storage,
    `[storage]\ndriver = "vfs"\ngraphroot = "${folder}/images"\nrunroot = "${folder}/run"\n`,
  )
  writeFileSync(
    containers,
    `[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
tmp_dir = "${folder}/state"
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
`,
  )
  return { CONTAINERS_CONF: containers, CONTAINERS_STORAGE_CONF: storage, BUILDAH_ISOLATION: 'chroot' }
}

/** Builds a replacement for node:26-slim without a registry: Node.js, npm, a shell, libraries and the user node. */
function writeBase(folder: string): string {
  const root = join(folder, 'base', 'root')
  const put = (from: string, to: string) => {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    cpSync(from, join(root, to), { recursive: true, dereference: true })
  }
  for (const name of ['tmp', 'root', 'home/node', 'var/lib', 'usr/bin', 'proc', 'sys', 'dev', 'run'])
    mkdirSync(join(root, name), { recursive: true })
  chmodSync(join(root, 'tmp'), 0o1777)
  put(findProgram('busybox') ?? '', 'bin/busybox')
  for (const applet of linesOf(join(root, 'bin/busybox'), '--list').filter(name => name !== 'busybox'))
    symlinkSync('/bin/busybox', join(root, 'bin', applet))
  symlinkSync('/bin/env', join(root, 'usr/bin/env'))

  put(process.execPath, 'usr/local/bin/node')
  put(join(linesOf('npm', 'root', '--global')[0] ?? '', 'npm'), 'usr/local/lib/node_modules/npm')
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
  // The native files of the dashboard's bundler need one library that Node.js itself does not need.
  const bundler = linesOf('find', 'node_modules/@rolldown', '-name', '*.node')
  for (const library of librariesOf(process.execPath, ...bundler)) put(library, library)
  put('/etc/ssl/certs/ca-certificates.crt', 'etc/ssl/certs/ca-certificates.crt')
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n')
  const file = join(folder, 'base', 'Dockerfile')
  writeFileSync(file, 'FROM scratch\nCOPY root /\n')
  return file
}

const linesOf = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8' }).trim().split('\n')

function librariesOf(...files: string[]): string[] {
  const listed = linesOf('ldd', ...files).flatMap(line => /(?:=> |^\s*)(\/\S+) \(/.exec(line)?.[1] ?? [])
  return [...new Set(listed)]
}
