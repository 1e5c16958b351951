import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findProgram, recordUse } from './programs.ts'

export const chromiumPath = findProgram('chromium')

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
  if (!chromiumPath) throw new Error('chromium is not installed.')
  recordUse('chromium')
  return chromium.launch({ executablePath: chromiumPath, args: flags })
}

/** A tab already signed in: the key lies where the dashboard keeps it. */
export async function signedIn(context: BrowserContext, key: string): Promise<Page> {
  await context.addInitScript(secret => {
    if (!sessionStorage.getItem('visited')) sessionStorage.setItem('animal-store.key', secret)
    sessionStorage.setItem('visited', '1')
  }, key)
  return context.newPage()
}
