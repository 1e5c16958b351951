/** Marks a text as HTML. The template escapes all other texts. */
export type Html = { html: string }
type Part = Html | string | number | bigint | null | undefined | false | readonly Part[]

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, sign => signs[sign] ?? sign)

export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: texts.map((text, index) => text + write(parts[index])).join('') }
}

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'object') return 'html' in part ? part.html : part.map(write).join('')
  return escapeHtml(String(part))
}

export const raw = (text: string): Html => ({ html: text })
