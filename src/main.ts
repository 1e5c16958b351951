import { existsSync } from 'node:fs'
import { announce, announcePractice } from './announce.ts'
import { readConfig } from './config.ts'
import { rereadSecrets } from './reread-secrets.ts'
import { type Service, startService } from './service.ts'
import { logWarnings, openLog } from './tools/log.ts'
import { StartRefused } from './tools/start-refused.ts'

/** Time for the shutdown after the draining. */
const patienceSeconds = 5
const warmUpAfterMs = 250
let isEnding = false

try {
  if (existsSync('.env')) process.loadEnvFile()
  const isPractice = process.argv.includes('--practice')
  const env = isPractice ? await (await import('./practice/practice.ts')).practise(process.env) : process.env
  const config = readConfig(env)
  logWarnings(openLog(config.logLevel))
  const service = await startService(config)
  // A person waits after Ctrl-C, and there is no balancer.
  process.on('SIGTERM', () => end(service, config.drainSeconds))
  process.on('SIGINT', () => end(service, 0))
  // Without a listener the signal would end the process.
  process.on('SIGHUP', () => rereadSecrets(service.tools))
  await service.up
  announce(service.tools)
  if (isPractice) announcePractice(service.tools)
  // Serve the requests that waited for the start first.
  setTimeout(service.warmUp, warmUpAfterMs).unref()
} catch (error) {
  // A stopped start is no failure; `end` exits.
  if (!isEnding) {
    // A refusal is one sentence and needs no stack.
    console.error(error instanceof StartRefused ? error.message : error)
    process.exit(1)
  }
}

function end(service: Service, serveOnSeconds: number): void {
  if (isEnding) process.exit(1)
  isEnding = true
  setTimeout(() => process.exit(1), (serveOnSeconds + patienceSeconds) * 1000).unref()
  service.stop(serveOnSeconds).then(
    () => process.exit(0),
    () => process.exit(1),
  )
}
