import { existsSync, readFileSync, statSync } from 'node:fs'
import { type NameServer, startNameServer } from './name-server.ts'

const lookEveryMs = 200

/**
 * Starts a name server that answers from a file. It reads the file again after changes, and resolves platform hosts to
 * loopback.
 */
export async function serveZoneFile(file: string, port: number, platformHost: string): Promise<NameServer> {
  const own = [`*.${platformHost} A 127.0.0.1`]
  const server = await startNameServer([...own, ...readLines(file)], port)
  let changedAt = changeOf(file)
  const looking = setInterval(() => {
    const at = changeOf(file)
    if (at === changedAt) return
    changedAt = at
    server.setZone([...own, ...readLines(file)])
  }, lookEveryMs)
  looking.unref()
  return {
    ...server,
    async stop() {
      clearInterval(looking)
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
