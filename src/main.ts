import { existsSync } from 'node:fs'
import { announce, announcePractice } from './announce.ts'
import { readConfig } from './config.ts'
import { rereadSecrets } from './reread-secrets.ts'
import { type Service, startService } from './service.ts'
import { logWarnings, openLog } from './tools/log.ts'
import { StartRefused } from './tools/start-refused.ts'

/** In seconds: time for the shutdown after the draining. */
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
  // After Ctrl-C a person waits, and there is no balancer, so skip the draining.
  process.on('SIGTERM', () => end(service, config.drainSeconds))
  process.on('SIGINT', () => end(service, 0))
  // Without a listener, the signal would end the process.
  process.on('SIGHUP', () => rereadSecrets(service.tools))
  await service.up
  announce(service.tools)
  if (isPractice) announcePractice(service.tools)
  // First serve the requests that waited for the start.
  setTimeout(service.warmUp, warmUpAfterMs).unref()
} catch (error) {
  // A stopped start is no failure. `end` exits the process.
  if (!isEnding) {
    // A refused start is one sentence, without a stack.
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
