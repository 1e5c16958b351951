import { readFileSync } from 'node:fs'
import { anchor } from './anchor.ts'
import { type Html, html, raw } from './html.ts'
import { markdown } from './markdown.ts'
import type { Language, Sample } from './samples.ts'
import { showSamples } from './samples-view.ts'

export const guideNames = [
  'quickstart',
  'authentication',
  'pagination',
  'limits',
  'safe-retries',
  'events-and-webhooks',
  'domains',
  'errors',
] as const

export type Guide = { name: string; title: string; text: string }

/** The store's address in the commands of the guides. Each page shows the address of its own host instead. */
export const placeForAddress = 'http://localhost:4000'

export function readGuides(): Guide[] {
  return guideNames.map(name => {
    const text = readFileSync(new URL(`guides/${name}.md`, import.meta.url), 'utf8')
    const end = text.indexOf('\n')
    return { name, title: text.slice('# '.length, end), text: text.slice(end).trim() }
  })
}

/**
 * A block of code of a guide. `statuses` are the HTTP statuses that a test of the guides expects from the code. In the
 * guide, the statuses follow the language, on the first line of the block.
 */
export type Code = { language: string; statuses: string[]; code: string }

const fence = '```'

/** Splits a guide into its texts and its blocks of code. */
export function piecesOf(text: string): (string | Code)[] {
  const pieces: (string | Code)[] = []
  let lines: string[] = []
  let open: Omit<Code, 'code'> | null = null
  for (const line of [...text.split('\n'), `${fence}end`]) {
    if (!line.startsWith(fence)) {
      lines.push(line)
      continue
    }
    const piece = lines.join('\n')
    if (open) pieces.push({ ...open, code: piece })
    else if (piece.trim()) pieces.push(piece.trim())
    const [language = '', ...statuses] = line.slice(fence.length).split(' ')
    open = open ? null : { language, statuses }
    lines = []
  }
  return pieces
}

const languages: Record<string, Language> = {
  sh: 'curl',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
}

/** Shows a guide. Blocks of code that follow each other are one sample in several languages. */
export function showGuide({ name, title, text }: Guide, address: string): Html {
  const linked = text.replace(/\]\(([\w-]+)\)/g, '](#guide-$1)').replaceAll(placeForAddress, address)
  const shown: Html[] = []
  let samples: Sample[] = []
  for (const piece of [...piecesOf(linked), '']) {
    if (typeof piece !== 'string') {
      samples.push({ language: languages[piece.language] ?? 'curl', code: piece.code })
      continue
    }
    if (samples.length > 0) shown.push(showSamples(samples))
    samples = []
    if (piece) shown.push(withIds(markdown(piece), name))
  }
  return html`<section id="guide-${name}"><h1>${title}</h1>${shown}</section>`
}

/** The id of a section of a guide. */
export const sectionId = (name: string, title: string) =>
  `guide-${name}-${title.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')}`

/** Gives the headings of a guide ids of their own. */
const withIds = ({ html: text }: Html, name: string): Html =>
  raw(
    text.replaceAll(/<h2>([^<]+)<\/h2>/g, (_whole, title: string) => {
      const id = sectionId(name, title)
      return `<h2 id="${id}">${title}${anchor(id).html}</h2>`
    }),
  )
