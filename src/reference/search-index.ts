import type { Rendered } from './page.ts'

/** A place that the search finds: an operation, a field, a type, an error code, or a section of a guide. */
export type Place = { id: string; page: string; door: string; title: string; text: string }

/** Enough for an excerpt and the words that matter; the whole text would double the index. */
const longestText = 900

/** Lists the places of all pages: each element with an id and a heading, and each error code. */
export function placesOf(bodies: readonly Rendered[]): Place[] {
  return bodies.flatMap(({ slug, title, door, body }) => {
    const starts = [
      ...body.matchAll(/<(article|section|details|h[1-4])\b[^>]* id="(?!title-)([^"]+)"[^>]*>/g),
    ]
    const places = starts.map((start, index) => {
      const text = body.slice(start.index, starts[index + 1]?.index)
      const heading = /<(h[1-4]|summary)[^>]*>([\s\S]*?)<\/\1>/.exec(text)?.[2] ?? title
      const named = plain(heading)
      const rest = plain(text).replace(named, '').trim()
      return { id: start[2] ?? '', page: slug, door, title: named, text: shorten(rest) }
    })
    return [...places, ...(slug === 'error-codes' ? errorsOf(body) : [])]
  })
}

const errorsOf = (body: string): Place[] =>
  [...body.matchAll(/<tr><th scope="row"><code>(\w+)<\/code><\/th>([\s\S]*?)<\/tr>/g)].map(
    ([, code = '', rest = '']) => ({
      ...{ id: 'errors', page: 'error-codes', door: 'Rules', title: code },
      text: shorten(plain(rest)),
    }),
  )

const signs: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

function plain(text: string): string {
  return text
    .replaceAll(/<a class="anchor"[\s\S]*?<\/a>/g, '')
    .replaceAll(/<(button|textarea|option|pre|form)\b[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, sign => signs[sign] ?? sign)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const shorten = (text: string) => (text.length <= longestText ? text : `${text.slice(0, longestText)}…`)
