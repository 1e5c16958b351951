import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { hasChromium, openTab, sharedBrowser } from './browser.ts'
import { type App, type AppOptions, startApp } from './start-app.ts'

export type Opened = {
  app: App
  /** Opens a tab on a page of the service, signed in if a key is given. */
  open(path: string, key?: string | null, options?: BrowserContextOptions): Promise<Page>
}

/** Tests in a real browser on a real service. A loaded machine opens pages slowly, so their timeout is long. */
export function describeInBrowser(name: string, options: AppOptions, tests: (opened: Opened) => void): void {
  if (!hasChromium) {
    it.skip(`${name}: chromium is not installed`)
    return
  }
  describe(name, { timeout: 90_000 }, () => {
    let browser: Browser
    const opened = {
      async open(path: string, key: string | null = null, options: BrowserContextOptions = {}) {
        const page = await openTab(browser, key, options)
        await page.goto(opened.app.url + path)
        return page
      },
    } as Opened
    beforeAll(async () => {
      ;[opened.app, browser] = await Promise.all([startApp(options), sharedBrowser()])
    })
    afterAll(async () => {
      for (const context of browser?.contexts() ?? []) await context.close()
      await opened.app?.stop()
    })
    tests(opened)
  })
}
