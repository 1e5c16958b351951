import { freePort } from '../support/programs.ts'
import { answersAt, type Running, startProcess, type Way } from '../support/start-process.ts'

/** A process of the service with fixed ports. Tests end it and start it again. */
export type Store = {
  url: string
  opsUrl: string
  /** All its runs, the current one last. */
  runs: Running[]
  /** Starts it again, perhaps with other options. Resolves when it answers. */
  start(way?: Way, env?: Record<string, string>): Promise<void>
  kill9(): Promise<void>
  /** Sends SIGTERM, and returns the exit code. */
  end(): Promise<number | null>
}

export async function startStore(env: Record<string, string>, usual: Way = {}): Promise<Store> {
  const [port, opsPort] = [await freePort(), await freePort()]
  const runs: Running[] = []
  const now = () => {
    const run = runs.at(-1)
    if (!run) throw new Error('It was never started.')
    return run
  }
  const store: Store = {
    url: `http://127.0.0.1:${port}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    runs,
    async start(way = usual, more = {}) {
      const ports = { PORT: String(port), OPS_PORT: String(opsPort), DRAIN_SECONDS: '5', WARM_UP: '1' }
      const run = await startProcess({ ...env, ...ports, ...more }, 'start.js', way)
      runs.push(run)
      await (way.log === undefined ? run.printed(answersAt) : answers(store.url))
    },
    async kill9() {
      now().child.kill('SIGKILL')
      await now().ended
    },
    end() {
      now().child.kill('SIGTERM')
      return now().ended
    },
  }
  await store.start()
  return store
}

/** Waits until the process answers, for a process whose log the test cannot read. */
async function answers(url: string): Promise<void> {
  for (const giveUpAt = performance.now() + 120_000; performance.now() < giveUpAt; ) {
    const status = await fetch(`${url}/readyz`).then(
      answer => answer.status,
      () => 0,
    )
    if (status === 200) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`${url} does not answer.`)
}
