import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, appendFileSync, constants, globSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'

/**
 * Debian keeps PostgreSQL's server programs outside the PATH, and other programs in /usr/sbin, which is only in root's
 * PATH.
 */
const unlistedFolders = [...globSync('/usr/lib/postgresql/*/bin').sort().reverse(), '/usr/sbin']

export function findProgram(name: string): string | null {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...unlistedFolders]) {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return join(folder, name)
    } catch {
      // The program is not in this folder.
    }
  }
  return null
}

/** Prefers Chromium's headless shell, which uses half of the CPU time for the same pages. */
export const browserPath = findProgram('chromium-headless-shell') ?? findProgram('chromium')

/** Appends a line whenever a test uses a real program, so that CI notices if an installed one was not used. */
export function recordUse(program: string): void {
  if (process.env.SERVICES_USED_FILE) appendFileSync(process.env.SERVICES_USED_FILE, `${program}\n`)
}

/**
 * Returns a free port below the range for outgoing connections: otherwise a client that polls the port could be
 * assigned that very port and connect to itself. Test files that run in parallel have separate ranges. A file never
 * gets a port twice, because a program listens only some time after the choice.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstOfOurShare + randomInt(portsOfAShare)
    if (chosen.has(port) || !(await isFree(port))) continue
    chosen.add(port)
    return port
  }
}

const portsOfAShare = 5000
const firstOfOurShare = 10_000 + portsOfAShare * (Number(process.env.VITEST_POOL_ID ?? 0) % 4)
const chosen = new Set<number>()

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!listens) return false
  server.close()
  await once(server, 'close')
  return true
}

export type Account = { uid: number; gid: number } | undefined

export type Program = {
  stop(): Promise<void>
  /** Kills the whole process group at once, as kill -9 or a power cut would. */
  kill9(): Promise<void>
  /** Stops the program: connections stay open without an answer, until resume(). */
  pause(): void
  resume(): void
  /** Starts the program again, with the same port and files. */
  restart(): Promise<void>
}

type Way = {
  command: string
  args: string[]
  account?: Account
  stopSignal?: NodeJS.Signals
  env?: NodeJS.ProcessEnv
  /** Resolves when the program answers. */
  answers(): Promise<unknown>
}

export async function startProgram(way: Way): Promise<Program> {
  let child = await spawnUntilReady(way)
  return {
    stop: () => end(child, () => child.kill(way.stopSignal ?? 'SIGTERM')),
    kill9: () => killFamily(child),
    pause: () => signalFamily(child, 'SIGSTOP'),
    resume: () => signalFamily(child, 'SIGCONT'),
    async restart() {
      await end(child, () => child.kill(way.stopSignal ?? 'SIGTERM'))
      child = await spawnUntilReady(way)
    },
  }
}

async function spawnUntilReady(way: Way): Promise<ChildProcess> {
  const child = spawn(way.command, way.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: way.env,
    ...way.account,
  })
  const output: string[] = []
  child.stdout?.on('data', chunk => output.push(String(chunk)))
  child.stderr?.on('data', chunk => output.push(String(chunk)))
  const endWithUs = () => signalFamily(child, 'SIGKILL')
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))

  for (const giveUpAt = Date.now() + 90_000; ; ) {
    if (ended(child)) throw new Error(`${way.command} ended at once:\n${output.join('')}`)
    try {
      await way.answers()
      return child
    } catch (error) {
      if (Date.now() > giveUpAt)
        throw new Error(`${way.command} does not answer:\n${output.join('')}`, { cause: error })
      await new Promise(resolve => setTimeout(resolve, 25))
    }
  }
}

const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

async function end(child: ChildProcess, signal: () => void): Promise<void> {
  if (ended(child)) return
  const exit = once(child, 'exit')
  signal()
  // A paused program handles no other signal until it continues.
  signalFamily(child, 'SIGCONT')
  await exit
}

/**
 * Kills a program and its workers, and waits until all have ended: PostgreSQL does not start while a worker of the one
 * before still uses its shared memory. The program is stopped first, so that it starts no worker meanwhile.
 */
async function killFamily(parent: ChildProcess): Promise<void> {
  if (ended(parent)) return
  parent.kill('SIGSTOP')
  const workers = workersOf(parent)
  await end(parent, () => signalFamily(parent, 'SIGKILL'))
  while (processes().some(({ pid, state }) => workers.includes(pid) && !state.startsWith('Z')))
    await new Promise(resolve => setTimeout(resolve, 5))
}

/** PostgreSQL's workers lead their own process groups, so a signal to the parent's group does not reach them. */
function signalFamily(parent: ChildProcess, signal: NodeJS.Signals): void {
  if (parent.pid === undefined || ended(parent)) return
  for (const pid of [parent.pid, ...workersOf(parent)]) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has already ended.
    }
  }
}

function workersOf(parent: ChildProcess): number[] {
  return processes()
    .filter(({ ppid }) => ppid === parent.pid)
    .map(({ pid }) => pid)
}

function processes(): { pid: number; ppid: number; state: string }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map(line => {
    const [pid, ppid, state = ''] = line.trim().split(/\s+/)
    return { pid: Number(pid), ppid: Number(ppid), state }
  })
}
