import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Requests one path of each part of the service that reads files, for example the dashboard. If the files of a part are
 * missing in a container image, the image's build fails. `node deploy/every-door.ts` starts a service and checks it;
 * `node deploy/every-door.ts http://host:port` checks a running service.
 */
type Door = { path: string; shows: RegExp; query?: string }

const doors: Door[] = [
  { path: '/livez', shows: /alive/ },
  { path: '/reference', shows: /API reference/ },
  { path: '/reference/error-codes', shows: /pet_not_found/ },
  { path: '/openapi.yaml', shows: /operationId: listPets/ },
  { path: '/openapi.json', shows: /"operationId": "listPets"/ },
  { path: '/dashboard', shows: /<script [^>]*src="\/dashboard\/assets\// },
  { path: '/graphql', query: '{ __typename }', shows: /"Query"/ },
  { path: '/mcp', query: '', shows: /unauthorized/ },
  { path: '/v1/pets', shows: /unauthorized/ },
]

async function askEveryDoor(url: string): Promise<string[]> {
  const wrong = await Promise.all(doors.map(door => askDoor(url, door)))
  return [...wrong, await askAssets(url)].filter(problem => problem !== null)
}

async function askDoor(url: string, { path, query, shows }: Door): Promise<string | null> {
  const post = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  }
  const answer = await fetch(url + path, query === undefined ? {} : post)
  return shows.test(await answer.text())
    ? null
    : `${path} answers ${answer.status} and does not show ${shows}.`
}

/** Requests the page's scripts, without which the dashboard stays blank. */
async function askAssets(url: string): Promise<string | null> {
  const page = await fetch(`${url}/dashboard`)
  const [, script] = /<script [^>]*src="([^"]+)"/.exec(await page.text()) ?? []
  if (script === undefined) return '/dashboard names no script.'
  const { status } = await fetch(url + script)
  return status === 200 ? null : `${script} answers ${status}.`
}

async function untilReady(url: string, hasEnded = () => false): Promise<void> {
  for (const giveUpAt = Date.now() + 60_000; ; await wait(100)) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    if (hasEnded() || Date.now() > giveUpAt) throw new Error(`${url} is not ready.`)
  }
}

async function askOwnService(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-'))
  const port = String(await freePort())
  const env = { PATH: process.env.PATH, PORT: port, HTTPS_PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error' }
  const service = spawn(process.execPath, ['src/start.js'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const end = once(service, 'exit')
  const url = `http://127.0.0.1:${port}`
  try {
    await untilReady(url, () => service.exitCode !== null)
    return await askEveryDoor(url)
  } finally {
    service.kill('SIGINT')
    await end
    rmSync(folder, { recursive: true })
  }
}

/** Returns a free port, because some builders share the machine's network with other builds. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function askGiven(url: string): Promise<string[]> {
  await untilReady(url)
  return askEveryDoor(url)
}

const [given] = process.argv.slice(2)
const problems = given === undefined ? await askOwnService() : await askGiven(given)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
