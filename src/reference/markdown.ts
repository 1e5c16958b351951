import { escapeHtml, type Html, raw } from './html.ts'

/** Renders the Markdown that openapi.yaml, docs/errors.md and the guides use: paragraphs, lists, tables, code, bold, links. */
export function markdown(text: string): Html {
  const blocks = text.trim().split(/\n{2,}(?![^`]*\n```)/)
  return raw(blocks.map(block).join('\n'))
}

export function inline(text: string): string {
  return escapeHtml(text.replaceAll('\n', ' '))
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^[\]]+)\]\(([^()[\]\s]+)\)/g, (_whole, text: string, to: string) =>
      // If the link leads to another file of docs/, which the reference does not contain, show only its text.
      /^(#|https:)/.test(to) ? `<a href="${to}">${text}</a>` : text,
    )
}

function block(text: string): string {
  const fenced = /^```\w*\n([\s\S]*?)\n?```$/.exec(text)
  if (fenced)
    return `<pre tabindex="0" aria-label="Example"><code>${escapeHtml(fenced[1] ?? '')}</code></pre>`
  const lines = text.split('\n')
  if (lines[0]?.startsWith('|')) return table(lines)
  if (lines[0]?.startsWith('- ')) return list(text)
  if (lines[0]?.startsWith('## ')) return `<h2>${inline(text.slice(3))}</h2>`
  return `<p>${inline(text)}</p>`
}

function list(text: string): string {
  const items = text.slice(2).split(/\n- /)
  return `<ul>${items.map(item => `<li>${inline(item)}</li>`).join('')}</ul>`
}

function table(lines: string[]): string {
  const [head = [], , ...rows] = lines.map(line =>
    line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map(cell => cell.trim()),
  )
  const name = head[0] ?? 'Table'
  const cells = (row: string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? `<th scope="row">${inline(cell)}</th>` : `<td>${inline(cell)}</td>`,
      )
      .join('')
  return [
    `<div class="table-frame" role="region" tabindex="0" aria-label="${escapeHtml(name)}"><table><thead><tr>`,
    ...head.map(cell => `<th scope="col">${inline(cell)}</th>`),
    '</tr></thead><tbody>',
    ...rows.map(row => `<tr>${cells(row)}</tr>`),
    '</tbody></table></div>',
  ].join('')
}
