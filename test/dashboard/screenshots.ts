import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readConfig } from '../../src/config.ts'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { issueApiKey } from '../../src/core/keys/api-keys.ts'
import { toProject } from '../../src/core/project.ts'
import { startService } from '../../src/service.ts'
import type { Tools } from '../../src/tools.ts'
import { openBrowser, openTab } from '../support/browser.ts'
import { furnishDomains } from '../support/domain-states.ts'
import { furnishUse } from '../support/month-of-use.ts'
import { freePort } from '../support/programs.ts'

/**
 * Takes pictures of every page, or of the named ones, light and dark, on a phone and a desktop: npm run screenshots --
 * overview
 */
const folder = 'screenshots'
const wanted = process.argv.slice(2)
const looks = [
  { name: 'light-1280', colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { name: 'dark-1280', colorScheme: 'dark', viewport: { width: 1280, height: 860 } },
  { name: 'light-360', colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { name: 'dark-360', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

const dataDir = mkdtempSync(join(tmpdir(), 'animal-store-screenshots-'))
const port = String(await freePort())
const service = await startService(
  readConfig({
    DATA_DIR: dataDir,
    PORT: port,
    LOG_LEVEL: 'silent',
    DOMAIN_SUFFIXES: 'test,example',
    PLATFORM_ADDRESSES: '93.184.215.1,2606:2800::1',
  }),
)
const browser = await openBrowser()
try {
  await service.up
  const { tools } = service
  const { apiKey = '', operatorKey = '' } = tools.demo ?? {}
  await furnish(tools)
  const headers = { authorization: `Bearer ${apiKey}` }
  for (let n = 0; n < 137; n++) await fetch(`http://localhost:${port}/v1/pets`, { headers })
  mkdirSync(folder, { recursive: true })
  const pages = [
    ['sign-in', '/dashboard/', null],
    ['overview', '/dashboard/', apiKey],
    ['pets', '/dashboard/pets', apiKey],
    ['categories', '/dashboard/pets/categories', apiKey],
    ['orders', '/dashboard/orders', apiKey],
    ['hours', '/dashboard/?span=24h', apiKey],
    ['keys', '/dashboard/keys', apiKey],
    ['deploys', '/dashboard/deploys', apiKey],
    ['domains', '/dashboard/settings/domains', apiKey],
    ['addresses', '/dashboard/settings/addresses', apiKey],
    ['settings', '/dashboard/settings/general', apiKey],
    ['webhooks', '/dashboard/settings/webhooks', apiKey],
    ['activity', '/dashboard/settings/activity', apiKey],
    ['projects', '/dashboard/', operatorKey],
    ['all-activity', '/dashboard/activity', operatorKey],
    ['operator', '/dashboard/projects/demo/', operatorKey],
    ['reference', '/reference', null],
    ['studio-sign-in', '/studio/', null],
    ['studio', '/studio/', null],
  ] as const
  for (const { name: look, ...options } of looks) {
    for (const [name, path, key] of pages) {
      if (wanted.length > 0 && !wanted.includes(name)) continue
      const page = await openTab(browser, key, options)
      await page.goto(`http://localhost:${port}${path}`)
      await page.waitForLoadState('networkidle')
      if (name === 'studio') await openStudio(page, operatorKey ?? '')
      // The README shows this picture.
      if (name === 'overview' && look === 'light-1280') await page.screenshot({ path: 'docs/dashboard.png' })
      // A bar at the foot of the window would cover the middle of a tall picture.
      const height =
        name === 'reference' ? 2400 : await page.evaluate<number>('document.documentElement.scrollHeight')
      await page.setViewportSize({
        width: options.viewport.width,
        height: Math.max(height, options.viewport.height),
      })
      await page.screenshot({ path: join(folder, `${name}-${look}.png`) })
      await page.context().close()
    }
  }
  console.log(`Look at ${folder}/.`)
} finally {
  await browser.close()
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function openStudio(page: Page, operatorKey: string): Promise<void> {
  await page.getByLabel('Operator key').fill(operatorKey)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('pets', { exact: true }).first().click()
  await page.getByText('Biscuit').first().waitFor()
}

/** Creates a month of usage, a key that calls a deprecated operation, domains in every state, and a failed deploy. */
async function furnish(tools: Tools): Promise<void> {
  const { db, clock, hosting } = tools
  const row = await db.project.findFirstOrThrow({ include: { plan: true } })
  const project = toProject(row)
  const key = await db.apiKey.findFirstOrThrow()
  const shops = ['Web shop', 'Nightly import'].map(name =>
    issueApiKey(db, clock, project, { name, scopes: ['pets:read'], expiresAt: null }),
  )
  const ids = (await Promise.all(shops)).map(({ apiKey }) => apiKey.id)
  await furnishUse(tools, project.id, [...ids, key.id])
  const lastUsedAt = new Date(clock.now() - 7_200_000)
  await db.deprecatedUse.create({ data: { apiKeyId: key.id, field: 'getPet', count: 1284, lastUsedAt } })
  await furnishDomains(tools, project)
  await deploy(db, hosting, project, { domains: { primary: 'nobody.example.net' } })
}
