import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Starts a service with the embedded database, and calls `act` with its address and key. */
export async function withService(root: string, act: (env: Record<string, string>) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-clients-'))
  const port = await freePort()
  const service = spawn(process.execPath, [join(root, 'src/start.js')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      HTTPS_PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const url = `http://127.0.0.1:${port}`
    const key = await readKey(join(folder, 'credentials.json'), url, () => service.exitCode !== null)
    act({ ANIMAL_STORE_URL: url, ANIMAL_STORE_KEY: key })
  } finally {
    const ended = new Promise(resolve => service.once('exit', resolve))
    if (service.exitCode === null && service.kill()) await ended
    rmSync(folder, { recursive: true })
  }
}

async function readKey(file: string, url: string, hasEnded: () => boolean): Promise<string> {
  while (!hasEnded()) {
    const isReady =
      existsSync(file) &&
      (await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    if (isReady) return JSON.parse(readFileSync(file, 'utf8')).apiKey
    await sleep(100)
  }
  throw new Error('The service did not start.')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}
