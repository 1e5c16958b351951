import { basename } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { browserPath, recordUse } from './programs.ts'

export const hasChromium = browserPath !== null

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

export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  if (!browserPath) throw new Error('chromium is not installed.')
  recordUse(basename(browserPath))
  return chromium.launch({ executablePath: browserPath, args: [...flags, ...more] })
}

let shared: Promise<Browser> | undefined

/** Opens one browser for all test files of this process, because its start takes a second of CPU. Playwright ends it. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= openBrowser()
  return shared
}

/** Opens a tab, signed in if a key is given. It records violations of the content security policy. */
export async function openTab(
  browser: Browser,
  key: string | null,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport: { width: 1280, height: 860 }, locale: 'en-GB' },
    ...options,
  })
  await context.addInitScript(`
    window.refused = []
    addEventListener('securitypolicyviolation', event => refused.push(event.effectiveDirective + ' ' + event.blockedURI))
    const key = ${JSON.stringify(key)}
    if (key && !sessionStorage.getItem('opened')) sessionStorage.setItem('animal-store.key', key)
    sessionStorage.setItem('opened', 'yes')
  `)
  const page = await context.newPage()
  return page
}

type Finding = { id: string; nodes: { html: string; failureSummary?: string }[] }

/**
 * A script that waits until the page's transitions end, because axe would report an intermediate colour as a fault. The
 * script ignores hidden elements: in a closed `<details>`, Chromium starts transitions when a script reads the style,
 * and the promise `finished` of these transitions never settles.
 */
const settled = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
    .filter(({ effect }) => effect.target.checkVisibility({ contentVisibilityAuto: true }))
    .map(({ finished }) => finished))`

/** Rules whose result depends on the width of the window, on elements hidden at this width, or on the colours. */
export const rulesOfLooks = [
  ...['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block', 'region'],
  ...['button-name', 'link-name', 'label', 'select-name', 'image-alt', 'aria-hidden-focus', 'heading-order'],
]

/**
 * Returns every fault that axe and the content security policy report on this page, or on one part of it. If `rules` is
 * given, checks only these rules.
 */
export async function findFaults(
  page: Page,
  { part = 'html', rules }: { part?: string; rules?: readonly string[] } = {},
): Promise<string[]> {
  // Wait for the heading, which is missing between two pages. If it never comes, axe reports that.
  const heading = page.locator('h1').first()
  await heading.waitFor({ state: 'attached', timeout: 5000 }).catch(() => {})
  await page.evaluate(settled)
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  // Return only violations.
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const violations = await page.evaluate<Finding[]>(
    `axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)}).then(found => found.violations)`,
  )
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  )
  return [...faults, ...(await refusedByPolicy(page)).map(what => `content policy: ${what}`)]
}

export const refusedByPolicy = (page: Page) => page.evaluate<string[]>('refused')

/** Returns by how many pixels the page is wider than the window. Above 0, users must scroll sideways. */
export const overflow = (page: Page) =>
  page.evaluate<number>('Math.max(0, document.documentElement.scrollWidth - innerWidth)')

/**
 * URLs of requests that stay open: the stream of events, and `/session/watch`, which stays open until the person's
 * session ends.
 */
const endless = /\/v1\/events|\/session\/watch/

/**
 * Watches the requests of a tab. The returned function waits until the page shows all its data. The function waits for
 * two frames and an idle moment, and then looks at the page. If a request is open or a placeholder is shown, the
 * function waits and looks again. Playwright's `networkidle` would wait half a second longer on each page.
 */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', request => {
    if (!endless.test(request.url())) open.add(request)
  })
  page.on('requestfinished', request => open.delete(request))
  page.on('requestfailed', request => open.delete(request))
  return async () => {
    let isQuiet = false
    while (!isQuiet) isQuiet = (await page.evaluate<boolean>(isComplete)) && open.size === 0
  }
}

const isComplete = `new Promise(resolve => {
  const look = () => resolve(document.querySelector('.skeleton, section[aria-busy=true]') === null)
  requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(look, { timeout: 500 })))
})`

/**
 * The open dialog or menu, as a selector; the whole page if none is open. The page behind a dialog or menu was tested
 * before it opened.
 */
export const openPart = (page: Page) =>
  page.evaluate<string>(
    `['dialog[open]', '[role=menu]'].find(part => document.querySelector(part) !== null) ?? 'html'`,
  )
