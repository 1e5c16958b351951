import { readFileSync } from 'node:fs'
import { anchor } from './anchor.ts'
import { type Html, html, raw } from './html.ts'
import { markdown } from './markdown.ts'
import type { Language } from './samples.ts'
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

/** The address that the guides' commands name. Pages show their own. */
export const placeForAddress = 'http://localhost:4000'

export function readGuides(): Guide[] {
  return guideNames.map(name => {
    const text = readFileSync(new URL(`guides/${name}.md`, import.meta.url), 'utf8')
    const [, title = name] = /^# (.+)/.exec(text) ?? []
    return { name, title, text: text.replace(/^# .+\n/, '').trim() }
  })
}

/** A block of code; what stands behind the language is the status of each answer, for the test that runs the guides. */
export const fence = /```(\w+)([ \d]*)\n([\s\S]*?)\n```/g

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
  const parts = linked.split(/((?:```\w+[ \d]*\n[\s\S]*?\n```\s*)+)/)
  return html`<section id="guide-${name}"><h1>${title}</h1>${parts.map(part => {
    const samples = [...part.matchAll(fence)].map(([, language = '', , code = '']) => ({
      language: languages[language] ?? 'curl',
      code,
    }))
    return samples.length > 0 ? showSamples(samples) : part.trim() ? withIds(markdown(part), name) : raw('')
  })}</section>`
}

/** Gives the headings of a guide addresses of their own. */
const withIds = ({ html: text }: Html, name: string): Html =>
  raw(
    text.replaceAll(/<h2>([^<]+)<\/h2>/g, (_whole, title: string) => {
      const id = `guide-${name}-${title.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')}`
      return `<h2 id="${id}">${title}${anchor(id).html}</h2>`
    }),
  )
