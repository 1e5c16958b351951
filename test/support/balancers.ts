import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type Program, recordUse, startProgram } from './programs.ts'

type Balancer = {
  file: string
  /** Returns the text of a main configuration file that includes `file`. */
  around?: (file: string, folder: string) => string
  check: (file: string) => string[]
  run: (file: string) => string[]
  /** True if the balancer sends health checks. */
  asks: boolean
}

export const balancers = {
  haproxy: {
    file: 'haproxy.cfg',
    check: file => ['-c', '-f', file],
    run: file => ['-db', '-f', file],
    asks: true,
  },
  nginx: {
    file: 'nginx.conf',
    around: (file, folder) => `pid ${folder}/pid;
daemon off;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/bodies;
  proxy_temp_path ${folder}/answers;
  include ${file};
}
`,
    check: file => ['-t', '-c', file],
    run: file => ['-c', file],
    asks: false,
  },
  caddy: {
    file: 'Caddyfile',
    around: file => `{\n\tadmin off\n\tauto_https off\n}\nimport ${file}\n`,
    check: file => ['validate', '--adapter', 'caddyfile', '--config', file],
    run: file => ['run', '--adapter', 'caddyfile', '--config', file],
    asks: true,
  },
} satisfies Record<string, Balancer>

export type BalancerName = keyof typeof balancers

/**
 * Starts a balancer with its file in deploy/, in which this function changes only the addresses. `change` may change
 * more.
 */
export async function startBalancer(
  name: BalancerName,
  stores: string[],
  change = (text: string) => text,
): Promise<Program & { url: string }> {
  recordUse(name)
  const balancer: Balancer = balancers[name]
  const folder = mkdtempSync(join(tmpdir(), `animal-store-${name}-`))
  // The workers of nginx run as another user and write large bodies to this folder.
  chmodSync(folder, 0o711)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const own = join(folder, balancer.file)
  writeFileSync(own, change(readdress(readFileSync(`deploy/${balancer.file}`, 'utf8'), port, stores)))
  const file = balancer.around ? join(folder, 'around') : own
  if (balancer.around) writeFileSync(file, balancer.around(own, folder))

  execFileSync(name, balancer.check(file), { stdio: 'pipe' })
  const answers = async () => {
    const { ok } = await fetch(`${url}/readyz`)
    if (!ok) throw new Error('No server is ready yet.')
  }
  const program = await startProgram({ command: name, args: balancer.run(file), answers })
  return {
    ...program,
    url,
    async stop() {
      await program.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

const readdress = (text: string, port: number, stores: string[]): string =>
  nameStores(text, stores).replace(/^(\s*(?:bind|listen)? ?:?)4000\b/m, `$1${port}`)

/** Replaces the addresses of the two processes in the configuration file by the addresses in `stores`. */
export function nameStores(text: string, stores: string[]): string {
  const [one = '', ...others] = stores.map(url => new URL(url).host)
  return text.replace(/^.*store-2:4000.*$/m, line => nameAll(line, others)).replaceAll('store-1:4000', one)
}

/**
 * The configuration file of each balancer names two processes, on one line or on two lines. This function gets the line
 * of the second process, and puts all processes of the test except the first in place of the second process.
 */
function nameAll(line: string, hosts: string[]): string {
  if (line.includes('store-1:4000')) return line.replace('store-2:4000', hosts.join(' '))
  const named = hosts.map((host, i) =>
    line.replace('store-2:4000', host).replace('store-2', `store-${i + 2}`),
  )
  return named.join('\n')
}
