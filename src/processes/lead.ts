import type { Config } from '../config.ts'
import { listen } from '../http/listen.ts'
import { createOpsServer } from '../http/ops-server.ts'
import { logWarnings, openLog } from '../tools/log.ts'
import { StartRefused } from '../tools/start-refused.ts'
import { hasLostTerminal } from '../tools/terminal.ts'
import type { Child } from './child.ts'
import { openSumOfReports } from './reports.ts'
import { openRollOver } from './roll-over.ts'
import { openSlot } from './slot.ts'

/**
 * In seconds. The parent kills a process that still runs this long after the end of the draining. Each process should
 * have ended by itself five seconds after the draining.
 */
const patienceSeconds = 6

/**
 * PROCESSES: starts the serving processes and keeps them running. node:cluster accepts the connections in this process
 * and deals them out, so replacing or losing a process never closes the ports.
 */
export async function lead(config: Config): Promise<void> {
  const log = openLog(config.logLevel).child({ pid: process.pid })
  logWarnings(log)
  const children = new Set<Child>()
  const closing = new AbortController()
  const reports = openSumOfReports(children, config.processes ?? 1)
  const ops = config.opsPort === 0 ? null : createOpsServer(reports)
  if (ops) await listen(ops, 'OPS_PORT', config.opsPort, config.opsHost)

  function onStart(child: Child): void {
    children.add(child)
    child.ended.then(() => {
      children.delete(child)
      reports.keepCounters(child)
    })
  }

  const [first, ...others] = Array.from({ length: config.processes ?? 1 }, () =>
    openSlot({
      log,
      onStart,
      closing: closing.signal,
      // A replaced process keeps its idle connections open for the time of a drain, so that the process seldom closes a
      // connection on which a request is just arriving.
      idleSeconds: Math.max(1, config.drainSeconds),
      onDeath: reports.countDeath,
    }),
  )

  function killAll(): never {
    for (const child of children) child.kill()
    process.exit(1)
  }

  async function end(serveOnSeconds: number): Promise<void> {
    if (closing.signal.aborted) killAll()
    closing.abort()
    setTimeout(killAll, (serveOnSeconds + patienceSeconds) * 1000).unref()
    for (const child of children) child.give({ act: 'end', serveOnSeconds })
    const ends = await Promise.all([...children].map(child => child.ended))
    ops?.close()
    process.exit(ends.every(how => how === 'exit code 0') ? 0 : 1)
  }

  process.on('SIGTERM', () => end(config.drainSeconds))
  process.on('SIGINT', () => end(0))
  const slots = first ? [first, ...others] : []
  const rollOver = openRollOver(slots, log)
  let isStarted = false
  process.on('SIGHUP', () => {
    const isLost = hasLostTerminal()
    if (!isLost && isStarted) rollOver()
    // A closed terminal sends SIGHUP, and the terminal's shell sends SIGHUP again when the shell ends. Ignore the
    // second SIGHUP, because a second call of `end` would kill all processes.
    if (isLost && !closing.signal.aborted) end(0)
  })

  // The first process migrates and creates the demo. It listens before it is ready, so that probes get an answer.
  try {
    await first?.start().up
  } catch (error) {
    if (closing.signal.aborted) return
    closing.abort()
    throw error instanceof StartRefused ? error : new StartRefused((error as Error).message)
  }
  for (const slot of others) slot.start()
  isStarted = true
}
