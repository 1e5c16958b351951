import { existsSync, readFileSync, statSync } from 'node:fs'
import { type NameServer, startNameServer } from './name-server.ts'

const readEveryMs = 200

/**
 * Starts a name server that answers from a file. It reads the file again after changes, and resolves platform hosts to
 * loopback.
 */
export async function serveZoneFile(file: string, port: number, platformHost: string): Promise<NameServer> {
  const own = [`*.${platformHost} A 127.0.0.1`]
  const server = await startNameServer([...own, ...readLines(file)], port)
  let changedAt = changeOf(file)
  const reading = setInterval(() => {
    const at = changeOf(file)
    if (at === changedAt) return
    changedAt = at
    server.setZone([...own, ...readLines(file)])
  }, readEveryMs)
  reading.unref()
  return {
    ...server,
    async stop() {
      clearInterval(reading)
      await server.stop()
    },
  }
}

function readLines(file: string): string[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '' && !line.startsWith('#'))
}

function changeOf(file: string): number {
  return existsSync(file) ? statSync(file).mtimeMs : 0
}
