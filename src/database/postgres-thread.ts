import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { MessageChannel, Worker } from 'node:worker_threads'
import { portStream } from './port-stream.ts'

export type ThreadData = { folder: string; settings: readonly string[]; mostAnswerBytes: number }

const script = new URL('./pglite-thread.ts', import.meta.url)
/** A larger answer would fill the memory of the service. */
const mostAnswerBytes = 100e6
const watchEveryMs = 100

export type PostgresThread = ReturnType<typeof postgresThread>

/**
 * The embedded database in a thread of its own, so that a slow statement never blocks the event loop. A thread that was
 * killed or has crashed is started again; the data is then as after kill -9, and PostgreSQL replays its log.
 */
export function postgresThread(folder: string, settings: readonly string[]) {
  const workerData: ThreadData = { folder, settings, mostAnswerBytes }
  const streams = new Set<Duplex>()
  let worker: Worker | null = null
  let opened: Promise<Worker> | null = null

  async function start(): Promise<Worker> {
    const started = new Worker(script, { workerData })
    worker = started
    let fault = new Error('Connection terminated: the thread of the database has ended.')
    started.on('error', error => {
      if (error instanceof Error) fault = error
    })
    const ended = once(started, 'exit').then(() => {
      if (worker === started) drop(fault)
      throw fault
    })
    ended.catch(() => {})
    await Promise.race([once(started, 'message'), ended])
    return started
  }

  function drop(fault: Error): void {
    worker = null
    opened = null
    for (const stream of streams) stream.destroy(fault)
  }

  function open(): Promise<Worker> {
    opened ??= start()
    return opened
  }

  /** Kills the thread and starts it again. The running statement fails with `fault`. */
  function restart(running: Worker, fault: Error): void {
    if (worker !== running) return
    drop(fault)
    opened = running.terminate().then(start)
    opened.catch(() => {})
  }

  return {
    open,
    /** A new connection takes over the database session of the previous connection. */
    connect(): Duplex {
      const stream = portStream(async () => {
        const running = await open().catch(cause => {
          throw new Error('Connection terminated: the embedded database cannot be opened.', { cause })
        })
        const { port1, port2 } = new MessageChannel()
        running.postMessage(port2, [port2])
        return port1
      })
      streams.add(stream)
      return stream.once('close', () => streams.delete(stream))
    },
    /**
     * Limits the CPU time of the thread to `ms` milliseconds, from now until `end` is called. Restarts the thread if it
     * uses more.
     */
    async limitCpu(ms: number, fault: Error): Promise<{ end(): void }> {
      const running = await open()
      const before = await running.cpuUsage()
      let hasEnded = false
      const timer = setInterval(async () => {
        const used = await running.cpuUsage(before).catch(() => null)
        if (!hasEnded && used && used.user + used.system > ms * 1000) restart(running, fault)
      }, watchEveryMs)
      return {
        end() {
          hasEnded = true
          clearInterval(timer)
        },
      }
    },
    async close(): Promise<void> {
      const running = await opened?.catch(() => null)
      if (!running) return
      const ended = once(running, 'exit')
      running.postMessage(null)
      await ended
    },
  }
}
