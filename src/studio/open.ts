import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../config.ts'
import { StartRefused } from '../tools/start-refused.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * `npm run studio`: with DATABASE_URL, runs `prisma studio`. Otherwise opens the page on which the running service
 * itself serves Studio, because only the service can open the embedded database.
 */
try {
  if (existsSync('.env')) process.loadEnvFile()
  const config = readConfig(process.env)
  if (config.databaseUrl === null) await openLent(config.port)
  else process.exitCode = await openDirectly(config.databaseUrl)
} catch (error) {
  console.error(error instanceof StartRefused ? error.message : error)
  process.exitCode = 1
}

/**
 * Passes the address in the environment, because other users of this machine can read the arguments. Prisma would
 * prefer DATABASE_DIRECT_URL, which is for migrations only.
 */
function openDirectly(databaseUrl: string): Promise<number> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: '' }
  return run('prisma', ['studio', ...process.argv.slice(2)], env)
}

async function openLent(port: number): Promise<void> {
  if (!existsSync(new URL('../../dist/studio/index.html', import.meta.url))) {
    console.log('Building Prisma Studio (only before its first start).')
    const failed = await run('vite', [
      'build',
      '--config',
      'src/studio/page/vite.config.ts',
      '--logLevel',
      'warn',
    ])
    if (failed) throw new StartRefused('Prisma Studio could not be built.')
  }
  const url = `http://localhost:${port}/studio/`
  const answers = await fetch(`http://127.0.0.1:${port}/livez`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!answers)
    throw new StartRefused(
      `Nothing answers on port ${port}. Run npm start first: Prisma Studio reads the embedded database through the running service.`,
    )
  console.log(
    `Prisma Studio is at ${url}, and asks for the operator key (credentials.json in the data folder).`,
  )
  openInBrowser(url)
}

function run(command: string, args: string[], env = process.env): Promise<number> {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env })
  const missing = new StartRefused(
    `${command}, one of the devDependencies, is missing. Install it with npm ci --include=dev.`,
  )
  return new Promise((resolve, reject) =>
    child.once('error', () => reject(missing)).once('exit', code => resolve(code ?? 1)),
  )
}

/** Ignores errors, because the address is printed already. */
function openInBrowser(url: string): void {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .once('error', () => {})
    .unref()
}
