import { existsSync } from 'node:fs'
import { announce } from './announce.ts'
import { readConfig } from './config.ts'
import { startService } from './service.ts'
import { StartRefused } from './tools/start-refused.ts'

const patienceMs = 9_000
const warmUpAfterMs = 250

try {
  if (existsSync('.env')) process.loadEnvFile()
  const service = await startService(readConfig(process.env))
  endOnSignal(service.stop)
  await service.up
  announce(service.tools)
  // Whoever waited for the start goes first.
  setTimeout(service.warmUp, warmUpAfterMs).unref()
} catch (error) {
  // A reason that one sentence tells needs no stack.
  console.error(error instanceof StartRefused ? error.message : error)
  process.exit(1)
}

function endOnSignal(end: () => Promise<void>): void {
  let ending = false
  const onSignal = () => {
    if (ending) process.exit(1)
    ending = true
    setTimeout(() => process.exit(1), patienceMs).unref()
    end().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
