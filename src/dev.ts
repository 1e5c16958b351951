import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

// For developers: restarts the service on each change of its source, and reloads the dashboard without a restart.
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const source = here('.')
const contracts = [here('../schema.graphql'), here('../openapi.yaml'), here('../.env')]

const dashboard = await createServer({ configFile: here('dashboard/vite.config.ts') })
await dashboard.listen()
dashboard.printUrls()

let service = start()
let turn = Promise.resolve()
let waiting = false
// Use one watcher for the service and the dashboard: `node --watch` would slow each restart by half a second.
dashboard.watcher.add([source, ...contracts]).on('all', (event, path) => {
  if (waiting || !['add', 'change', 'unlink'].includes(event) || !concernsService(path)) return
  // Treat files saved together as one change.
  waiting = true
  turn = turn.then(restart)
})

function concernsService(path: string): boolean {
  if (contracts.includes(path)) return true
  return (
    path.startsWith(source) &&
    !path.startsWith(here('dashboard') + sep) &&
    !path.startsWith(here('cli') + sep)
  )
}

function start(): ChildProcess {
  // Use a separate process group, so that Ctrl-C reaches the service only through this process: a second signal would
  // cut its shutdown short.
  return spawn(process.execPath, [here('start.js')], { stdio: 'inherit', detached: true })
}

async function restart(): Promise<void> {
  await end()
  waiting = false
  service = start()
}

async function end(): Promise<void> {
  // A service that has ended by itself needs no signal: after a failure it has printed its error, and the next change
  // of a file starts it again.
  if (service.exitCode !== null || service.signalCode !== null) return
  // SIGINT makes the service stop without draining.
  service.kill('SIGINT')
  await once(service, 'exit')
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    await Promise.all([end(), dashboard.close()])
    process.exit(0)
  })
}
