import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, freePort, type Program, recordUse, startProgram } from './programs.ts'

const nginxStream = '/usr/lib/nginx/modules/ngx_stream_module.so'

const ways = {
  haproxy: {
    file: 'haproxy.cfg',
    around: (text: string) => text,
    check: (file: string) => ['-c', '-f', file],
    run: (file: string) => ['-db', '-f', file],
  },
  nginx: {
    file: 'nginx.conf',
    around: (text: string, folder: string) =>
      `load_module ${nginxStream};\npid ${folder}/pid;\ndaemon off;\nerror_log stderr;\nevents {}\n${text}`,
    check: (file: string) => ['-t', '-c', file],
    run: (file: string) => ['-c', file],
  },
}

export type PassthroughName = keyof typeof ways
export const passthroughs = Object.keys(ways) as PassthroughName[]

export const canPassThrough = (name: PassthroughName) =>
  findProgram(name) !== null && (name !== 'nginx' || existsSync(nginxStream))

export type Ports = { port: number; httpsPort: number }

/** Starts a balancer that forwards the bytes of both ports. It uses its file in deploy/, with other addresses. */
export async function startPassthrough(name: PassthroughName, store: Ports): Promise<Program & Ports> {
  recordUse(name)
  const way = ways[name]
  const folder = mkdtempSync(join(tmpdir(), `animal-store-${name}-`))
  const [port, httpsPort] = [await freePort(), await freePort()]
  const text = readFileSync(`deploy/passthrough/${way.file}`, 'utf8')
    .replaceAll(/store-[12]:4000/g, `127.0.0.1:${store.port}`)
    .replaceAll(/store-[12]:4443/g, `127.0.0.1:${store.httpsPort}`)
    .replace(/^(\s*(?:bind :|listen ))80\b/m, `$1${port}`)
    .replace(/^(\s*(?:bind :|listen ))443\b/m, `$1${httpsPort}`)
  const file = join(folder, way.file)
  writeFileSync(file, way.around(text, folder))

  execFileSync(name, way.check(file), { stdio: 'pipe' })
  const program = await startProgram({
    command: name,
    args: way.run(file),
    answers: () => untilAnswered(port),
  })
  return {
    ...program,
    port,
    httpsPort,
    async stop() {
      await program.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Waits for an answer, because a balancer may listen before it has found a server. */
function untilAnswered(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'),
    )
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => (text.includes(' 200 ') ? resolve() : reject(new Error(`answered ${text}`))))
  })
}
