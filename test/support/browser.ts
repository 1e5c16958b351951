import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findProgram, recordUse } from './programs.ts'

export const hasChromium = findProgram('chromium') !== null

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function openBrowser(): Promise<Browser> {
  const executablePath = findProgram('chromium')
  if (!executablePath) throw new Error('chromium is not installed.')
  recordUse('chromium')
  return chromium.launch({ executablePath, args: flags })
}

/** A tab of its own, signed in where a key is given; it notes what the page's content policy had to refuse. */
export async function openTab(browser: Browser, key: string | null, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  await context.addInitScript(secret => {
    const refused: string[] = []
    Object.assign(window, { refused })
    addEventListener('securitypolicyviolation', event => refused.push(`${event.effectiveDirective} ${event.blockedURI}`))
    if (secret && !sessionStorage.getItem('opened')) sessionStorage.setItem('animal-store.key', secret)
    sessionStorage.setItem('opened', 'yes')
  }, key)
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  return page
}

/** Everything that axe and the content policy have to say against a page as it stands. */
export async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations, refused } = await page.evaluate(async () => {
    const { axe, refused } = window as unknown as { axe: typeof import('axe-core'); refused: string[] }
    return { violations: (await axe.run()).violations, refused }
  })
  const faults = violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`))
  return [...faults, ...refused.map(what => `content policy: ${what}`)]
}
