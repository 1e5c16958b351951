import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { startPostgres } from './services.ts'

const passwords = { STORE_OWNER_PASSWORD: 'of the owner', STORE_APP_PASSWORD: "it's the app" }

/** Starts PostgreSQL with the roles of deploy/postgres. Returns the URL of its database for each role. */
export async function startWithRoles() {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const urlOf = (role: string) => {
    const url = new URL(postgres.url)
    url.username = role
    url.pathname = 'store'
    return url.href
  }
  await promisify(execFile)('psql', ['-d', postgres.url, '-f', 'deploy/postgres/roles.sql'], {
    env: { ...process.env, ...passwords },
  })
  return { owner: urlOf('store_owner'), app: urlOf('store_app'), superuser: urlOf('postgres') }
}
