import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { readConfig } from './config.ts'
import { notifyParent } from './processes/messages.ts'
import { readSettings } from './tools/settings.ts'
import { StartRefused } from './tools/start-refused.ts'

// Imports only the code that this process needs: the code of the parent, or the code that serves. So the parent, which
// the setting PROCESSES adds, uses little memory.
try {
  const config = readConfig(readSettings())
  if (config.processes !== null && cluster.isPrimary) {
    const { lead } = await import('./processes/lead.ts')
    await lead(config)
  } else {
    if (existsSync('.env')) process.loadEnvFile()
    const { serve } = await import('./serve.ts')
    await serve()
  }
} catch (error) {
  // If the start is refused, print only the reason, without a stack. The parent prints it once for all its processes.
  const refusal = error instanceof StartRefused ? error.message : null
  if (refusal === null || !(await notifyParent({ act: 'refused', refusal }))) console.error(refusal ?? error)
  process.exit(1)
}
