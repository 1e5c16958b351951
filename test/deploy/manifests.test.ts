import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { BlockList, isIPv6 } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { freshDatabase } from '../support/databases.ts'
import { type Container, type Manifest, renderZone } from '../support/kustomize.ts'
import { findProgram, freePort, recordUse } from '../support/programs.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

const known = new Set(
  [...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name),
)
const unknown = (settings: object) => Object.keys(settings).filter(name => !known.has(name))
const secret = {
  DATABASE_URL: 'postgresql://postgres@postgres/postgres',
  REDIS_URL: 'redis://valkey',
  OPERATOR_KEY: 'k'.repeat(32),
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
}

describe.skipIf(!findProgram('docker-compose'))('the compose file', () => {
  const secrets = [
    'OPERATOR_KEY',
    'POSTGRES_PASSWORD',
    'STORE_OWNER_PASSWORD',
    'STORE_APP_PASSWORD',
    'VALKEY_PASSWORD',
    'SECRETS_KEY',
  ]
  let folder: string
  let env: NodeJS.Dict<string>
  /** Runs the commands that make the secrets, which are at the head of deploy/compose.yaml. */
  const makeSecrets = () => {
    const lines = [...readFileSync('deploy/compose.yaml', 'utf8').matchAll(/^# {3}(.*)$/gm)]
    const [commands = ''] = lines
      .map(([, line]) => line)
      .join('\n')
      .split('docker compose')
    return spawnSync('sh', ['-c', commands], { cwd: folder }).status
  }
  const readSecrets = () => parseEnv(readFileSync(join(folder, 'deploy/.env'), 'utf8'))
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'animal-store-compose-'))
    mkdirSync(join(folder, 'deploy'))
    makeSecrets()
    env = { PATH: process.env.PATH, ...readSecrets() }
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const render = (given: Record<string, string | undefined>) => {
    recordUse('docker-compose')
    return spawnSync('docker-compose', ['-f', 'deploy/compose.yaml', 'config'], {
      env: given,
      encoding: 'utf8',
    })
  }

  it('the commands of the compose file create every secret, and replace no secret that exists', () => {
    const before = readSecrets()

    expect(Object.keys(before).sort()).toEqual([...secrets].sort())
    expect(statSync(join(folder, 'deploy/.env')).mode & 0o077).toBe(0)
    expect(makeSecrets()).not.toBe(0)
    expect(readSecrets()).toEqual(before)
  })

  it('the compose file starts two processes on one PostgreSQL and one Valkey, with valid settings', () => {
    const { services } = parse(render(env).stdout)
    const stores = [services['store-1'], services['store-2']]

    for (const store of stores) {
      expect(unknown(store.environment)).toEqual([])
      expect(readConfig(store.environment)).toMatchObject({
        trustProxy: { http: 1, https: 0 },
        opsPort: 9400,
        port: 4000,
      })
      expect(store).toMatchObject({ read_only: true, tmpfs: ['/tmp'], stop_grace_period: '20s' })
      expect(new URL(store.environment.DATABASE_URL).hostname in services).toBe(true)
      expect(new URL(store.environment.REDIS_URL).hostname in services).toBe(true)
      expect(store.environment.SECRETS_KEY).toBe(env.SECRETS_KEY)
    }
    expect(Object.keys(services).sort()).toEqual([
      'haproxy',
      'migrate',
      'postgres',
      'store-1',
      'store-2',
      'valkey',
    ])
  })

  it('only the migration has the password of the owner of the tables, and Valkey has a password', () => {
    const { services } = parse(render(env).stdout)
    const { migrate, valkey } = services

    expect(new URL(migrate.environment.DATABASE_DIRECT_URL)).toMatchObject({
      username: 'store_owner',
      pathname: '/store',
    })
    for (const store of [services['store-1'], services['store-2']]) {
      expect(new URL(store.environment.DATABASE_URL)).toMatchObject({
        username: 'store_app',
        pathname: '/store',
      })
      expect(JSON.stringify(store)).not.toContain(env.STORE_OWNER_PASSWORD)
      expect(store.depends_on.migrate.condition).toBe('service_completed_successfully')
      expect(valkey.command.slice(1, 3)).toEqual([
        '--requirepass',
        new URL(store.environment.REDIS_URL).password,
      ])
    }
    expect(unknown(migrate.environment)).toEqual([])
  })

  it('only HAProxy publishes a port', () => {
    const { services } = parse(render(env).stdout)
    const publishing = Object.keys(services).filter(name => services[name].ports)

    expect(publishing).toEqual(['haproxy'])
    expect(services.haproxy.ports).toMatchObject([{ target: 4000 }])
  })

  it('the compose file gives HAProxy the file that names both processes', () => {
    const { services } = parse(render(env).stdout)
    const [file = ''] = services.haproxy.volumes[0].split(':')

    expect(resolve(file)).toBe(resolve('deploy/haproxy.cfg'))
    expect(readFileSync(file, 'utf8')).toMatch(/server store-1 store-1:4000.*\n.*server store-2 store-2:4000/)
  })

  it.each(secrets)('the compose file is refused without %s', name => {
    const { status, stderr } = render({ ...env, [name]: undefined })

    expect(status).not.toBe(0)
    expect(stderr).toContain('is needed')
  })
})

describe.skipIf(!findProgram('kubectl'))('each of two zones', () => {
  const [a, b] = findProgram('kubectl') ? [renderZone('a'), renderZone('b')] : [[], []]
  const find = (manifests: Manifest[], kind: string) => manifests.find(manifest => manifest.kind === kind)

  it('the manifests of the two zones have no name in common', () => {
    const names = (manifests: Manifest[]) => manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)

    expect(a.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
    ])
    expect(names(a).filter(name => names(b).includes(name))).toEqual([])
  })

  it('the manifests of a zone select their own pods and nodes', () => {
    for (const [manifests, zone] of [
      [a, 'a'],
      [b, 'b'],
    ] as const) {
      const template = find(manifests, 'Deployment')?.spec?.template
      const labels = { 'app.kubernetes.io/name': 'animal-store', 'animal-store/zone': zone }

      expect(template?.metadata.labels).toEqual(labels)
      expect(template?.spec.nodeSelector).toEqual({ 'topology.kubernetes.io/zone': `zone-${zone}` })
      expect(template?.spec.topologySpreadConstraints).toMatchObject([
        { labelSelector: { matchLabels: labels } },
      ])
      expect(find(manifests, 'Service')?.spec?.selector).toEqual(labels)
      expect(find(manifests, 'Deployment')?.spec?.selector).toEqual({ matchLabels: labels })
      expect(find(manifests, 'PodDisruptionBudget')?.spec?.selector).toEqual({ matchLabels: labels })
      expect(find(manifests, 'NetworkPolicy')?.spec).toMatchObject({ podSelector: { matchLabels: labels } })
      expect(find(manifests, 'HorizontalPodAutoscaler')?.spec).toMatchObject({
        scaleTargetRef: { kind: 'Deployment', name: find(manifests, 'Deployment')?.metadata.name },
      })
    }
  })

  it('the settings in the manifests are valid together with those of the Secret', () => {
    const settings = find(a, 'ConfigMap')?.data ?? {}

    expect(unknown(settings)).toEqual([])
    expect(readConfig({ ...settings, ...secret })).toMatchObject({
      trustProxy: { http: 1, https: 0 },
      opsPort: 9400,
    })
  })

  it('the public port is open only to the ingress controller, and the operations port has no Service and is open only to Prometheus', () => {
    const ports = find(a, 'Service')?.spec?.ports
    const ingress = find(a, 'NetworkPolicy')?.spec?.ingress

    expect(ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
    const from = (namespace: string) => [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
    ]
    expect(ingress).toEqual([
      { ports: [{ port: 'http' }], from: from('ingress-nginx') },
      { ports: [{ port: 'metrics' }], from: from('monitoring') },
    ])
  })

  it.each([
    ['of AWS, Google, Azure, Oracle and OpenStack', '169.254.169.254'],
    ['of AWS for containers', '169.254.170.2'],
    ['of AWS for pods', '169.254.170.23'],
    ['of AWS over IPv6', 'fd00:ec2::254'],
    ['of AWS for pods over IPv6', 'fd00:ec2::23'],
    ['of Google over IPv6', 'fd20:ce::254'],
    ['of Oracle over IPv6', 'fd00:c1::a9fe:a9fe'],
    ['of Azure’s host', '168.63.129.16'],
    ['of Alibaba', '100.100.100.200'],
    ['of Alibaba over IPv6', 'fd00:100::100:200'],
    ['of Scaleway', '169.254.42.42'],
    ['of Scaleway over IPv6', 'fd00:42::42'],
    ['of Linode over IPv6', 'fd00:a9fe:a9fe::1'],
  ])('a pod does not reach the metadata service %s at %s', (_, address) => {
    expect(isReached(address, 80)).toBe(false)
  })

  it('a pod reaches the internet, and name servers at addresses of metadata services too', () => {
    const open = ['93.184.215.14', '10.0.0.10', '2606:2800:21f::1', 'fd12::10', 'fd00:ec2::253']
    const nameServers = [...open, '169.254.20.10', '168.63.129.16']

    expect(open.filter(address => !isReached(address, 443))).toEqual([])
    expect(nameServers.filter(address => !isReached(address, 53))).toEqual([])
  })

  /** True if the NetworkPolicy lets a pod send TCP to this address and port. */
  function isReached(address: string, port: number): boolean {
    const egress = find(a, 'NetworkPolicy')?.spec?.egress ?? []
    return egress.some(
      ({ to, ports }) =>
        (ports?.some(each => each.port === port && each.protocol === 'TCP') ?? true) &&
        to.some(
          ({ ipBlock: { cidr, except = [] } }) =>
            holds(cidr, address) && !except.some(one => holds(one, address)),
        ),
    )
  }

  function holds(cidr: string, address: string): boolean {
    const [network = '', bits] = cidr.split('/')
    const list = new BlockList()
    list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4')
    return isIPv6(network) === isIPv6(address) && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }

  it('both zones at their maximum size need no more connections than PostgreSQL has, and only the migration uses the owner role', () => {
    const most = (manifests: Manifest[]) =>
      find(manifests, 'HorizontalPodAutoscaler')?.spec?.maxReplicas ?? Number.NaN
    const surge = find(a, 'Deployment')?.spec?.strategy?.rollingUpdate.maxSurge ?? Number.NaN
    const { initContainers, containers } = find(a, 'Deployment')?.spec?.template?.spec ?? {}
    const secretsOf = (container?: Container) => container?.envFrom?.map(({ secretRef }) => secretRef?.name)

    // The zones share one PostgreSQL and are rolled out one after the other. PostgreSQL reserves 3 of its 100
    // connections.
    const processes = most(a) + most(b) + surge
    expect(processes * readConfig(secret).databasePoolSize).toBeLessThanOrEqual(97)
    expect(find(a, 'Deployment')?.spec?.replicas).toBeUndefined()
    expect(secretsOf(initContainers?.[0])).toContain('animal-store-owner')
    expect(secretsOf(containers?.[0])).not.toContain('animal-store-owner')
    expect(containers?.[0]?.startupProbe).toMatchObject({ httpGet: { path: '/livez' } })
  })

  it('a pod runs as user node and writes only to its own folders', () => {
    const spec = find(a, 'Deployment')?.spec?.template?.spec

    expect(spec?.containers[0]?.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 20,
      securityContext: { runAsNonRoot: true, runAsUser: 1000 },
    })
  })
})

describe.skipIf(!findProgram('systemd-analyze'))('the systemd unit', () => {
  const unit = readFileSync('deploy/systemd/animal-store@.service', 'utf8')
  const settingOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

  it('systemd accepts the unit completely and rates its sandbox well', () => {
    recordUse('systemd-analyze')
    const root = mkdtempSync(join(tmpdir(), 'animal-store-root-'))
    const [program = ''] = settingOf('ExecStart').split(' ')
    cpSync('deploy/systemd', join(root, 'etc/systemd/system'), { recursive: true })
    cpSync('/lib/systemd/system', join(root, 'usr/lib/systemd/system'), { recursive: true })
    for (const path of [program, '/bin/kill']) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), '', { mode: 0o755 })
    }
    const analyze = (...args: string[]) =>
      spawnSync('systemd-analyze', [...args, `--root=${root}`, 'animal-store@4001.service'], {
        encoding: 'utf8',
      })

    const verified = analyze('verify', '--man=no')
    const judged = analyze('security', '--offline=yes', '--threshold=25', '--no-pager')
    rmSync(root, { recursive: true })

    expect(verified.stderr + verified.stdout).toBe('')
    expect(judged.status).toBe(0)
  })

  it('npm start, the image and the unit start the service with the same options', () => {
    const { start } = JSON.parse(readFileSync('package.json', 'utf8')).scripts
    const [, inImage = ''] = /^CMD (.*)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []

    expect(JSON.parse(inImage).join(' ')).toBe(start)
    expect(settingOf('ExecStart')).toMatch(new RegExp(`/${start}$`))
  })

  it('the unit starts a service on the port in the name of the unit, and the service stops in time', async () => {
    const [node = '', ...rest] = settingOf('ExecStart').split(' ')
    const script = rest.at(-1) ?? ''
    const port = String(await freePort())
    const given = settingOf('Environment')
      .replaceAll('%i', port)
      .split(' ')
      .map(pair => pair.split('='))
    const database = await freshDatabase()
    const settings = {
      ...Object.fromEntries(given),
      ...database.env,
      DATA_DIR: mkdtempSync(join(tmpdir(), 'animal-store-unit-')),
    }

    const service = await startProcess(settings, script.replace('src/', ''))
    await service.printed(answersAt)
    service.child.kill('SIGTERM')

    expect(unknown(settings)).toEqual([])
    expect(service.url).toBe(`http://127.0.0.1:${port}`)
    expect(execFileSync(node.replace('/opt/animal-store/', ''), ['--version'], { encoding: 'utf8' })).toMatch(
      /^v26\./,
    )
    expect(existsSync(script)).toBe(true)
    expect(await service.ended).toBe(0)
    await database.remove()
    rmSync(settings.DATA_DIR, { recursive: true })
  })
})
