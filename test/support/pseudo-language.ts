import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build, type Plugin } from 'vite'
import { vi } from 'vitest'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const pages = here('../../src/dashboard/pages/')
/** Every place in the source that opens a dialog, such as "keys/rotate-key.tsx 1". */
export const dialogPlaces = globSync('**/*.tsx', { cwd: pages }).flatMap(file =>
  [...readFileSync(join(pages, file), 'utf8').matchAll(/<Dialog\b/g)].map((_, at) => `${file} ${at + 1}`),
)
const folder = here('../../src/dashboard/texts/en/')

/** Exports the accented form of each text. The rules for plurals, times and lists become those of Arabic. */
const pseudo: Plugin = {
  name: 'pseudo-language',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(folder) || /\/(index|pages)\.ts$/.test(id)) return
    if (id.endsWith('/language.ts')) return `export const language = 'ar'\nexport const direction = 'rtl'\n`
    const names = [...code.matchAll(/^export const (\w+)/gm)].map(found => found[1])
    return [
      `import { accented } from ${JSON.stringify(here('pseudo-texts.ts'))}`,
      code.replaceAll(/^export const /gm, 'const '),
      ...names.map(name => `const accented_${name} = accented(${name})`),
      `export { ${names.map(name => `accented_${name} as ${name}`).join(', ')} }`,
    ].join('\n')
  },
}

/** Notes in `window.dialogs` which dialogs of the source have been opened. */
const noteDialogs: Plugin = {
  name: 'note-dialogs',
  enforce: 'pre',
  transform(code, id) {
    const file = relative(pages, id)
    if (!dialogPlaces.includes(`${file} 1`)) return
    let count = 0
    const marked = code
      .replace('import { Dialog }', 'import { Dialog as PlainDialog }')
      .replaceAll(/<Dialog\b/g, tag => `${tag} place="${file} ${++count}"`)
    return `${marked}
function Dialog({ place, ...props }) {
  ;(window.dialogs ??= {})[place] = true
  return <PlainDialog {...props} />
}`
  },
}

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** Builds the dashboard in the pseudo-language. `serve` makes a tab load this build instead of the usual one. */
export async function buildPseudoLanguage() {
  const outDir = mkdtempSync(join(tmpdir(), 'animal-store-pseudo-'))
  // In the environment of a test, Vite would build React for development, which is slower.
  vi.stubEnv('NODE_ENV', 'production')
  await build({
    configFile: here('../../src/dashboard/vite.config.ts'),
    logLevel: 'error',
    plugins: [pseudo, noteDialogs],
    build: { outDir },
  })
  vi.unstubAllEnvs()
  return {
    async serve(page: Page): Promise<void> {
      await page.route(
        url => url.pathname.startsWith('/dashboard'),
        async route => {
          const { pathname } = new URL(route.request().url())
          const [, asset] = /^\/dashboard\/(assets\/.+)$/.exec(pathname) ?? []
          if (asset) {
            const contentType = types[extname(asset)] ?? 'application/octet-stream'
            return route.fulfill({ contentType, body: readFileSync(join(outDir, asset)) })
          }
          const answer = await route.fetch()
          const policy = answer.headers()['content-security-policy'] ?? ''
          await route.fulfill({
            contentType: 'text/html',
            headers: { 'content-security-policy': policy },
            body: readFileSync(join(outDir, 'index.html')),
          })
        },
      )
    },
    remove: () => rmSync(outDir, { recursive: true, force: true }),
  }
}
