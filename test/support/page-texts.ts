import type { Page } from 'playwright-core'

type Seen = { texts: string[]; cut: string[]; crossed: string[] }

/** Runs in the page: everything that can be read there, what is cut off, and borders that cross a text. */
const look = `(() => {
  const isCode = element => element.closest('code, pre, kbd, samp, .mono, script, style') !== null
  const isFloating = element => {
    for (let at = element; at; at = at.parentElement)
      if (['fixed', 'absolute', 'sticky'].includes(getComputedStyle(at).position) && !at.matches('dialog, .side')) return true
    return innerWidth < 600 && element.closest('.side') !== null
  }
  // A box that scrolls or clips shows only a part of what is inside.
  const visibleBox = (element, { left, right, top, bottom }) => {
    for (let at = element; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowX === 'visible') continue
      const box = at.getBoundingClientRect()
      left = Math.max(left, box.left)
      right = Math.min(right, box.right)
    }
    return { left, right, top, bottom, width: right - left }
  }
  const texts = [document.title]
  const boxes = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (node.data.trim() === '' || isCode(parent)) continue
    if (!parent.closest('select') && !parent.checkVisibility({ visibilityProperty: true })) continue
    texts.push(node.data)
    const range = document.createRange()
    range.selectNodeContents(node)
    if (!parent.closest('.sr, option')) boxes.push({ parent, box: visibleBox(parent, range.getBoundingClientRect()) })
  }
  const names = ['aria-label', 'aria-valuetext', 'placeholder', 'title', 'alt', 'label']
  for (const element of document.querySelectorAll(names.map(name => '[' + name + ']').join()))
    if (!isCode(element)) texts.push(...names.flatMap(name => element.getAttribute(name) ?? []))

  const nameOf = element => element.outerHTML.slice(0, 120)
  const shown = [...document.querySelectorAll('body *')].filter(element => element.checkVisibility())
  const cut = shown.filter(element => {
    const { overflowX, overflowY } = getComputedStyle(element)
    const hides = value => value === 'hidden' || value === 'clip'
    if (element.matches('input, .sr, .sr *, [title]') || element.textContent.trim() === '') return false
    return (
      ((hides(overflowX) || element.matches('button')) && element.scrollWidth > element.clientWidth + 1) ||
      (hides(overflowY) && element.scrollHeight > element.clientHeight + 1)
    )
  })
  const dialog = document.querySelector('dialog[open]')
  const crossed = shown.flatMap(element => {
    const { borderLeftWidth, borderRightWidth } = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    const lines = [
      ...(parseFloat(borderLeftWidth) > 0 ? [box.left] : []),
      ...(parseFloat(borderRightWidth) > 0 ? [box.right] : []),
    ]
    if (box.height < 60 || (dialog && !dialog.contains(element)) || isFloating(element)) return []
    return boxes
      .filter(({ parent }) => !dialog || dialog.contains(parent))
      .filter(({ parent }) => !(isFloating(parent) || parent.closest('svg')))
      .filter(({ box: text }) =>
        text.width > 0 && text.bottom > box.top + 1 && text.top < box.bottom - 1 &&
        lines.some(line => text.left < line - 3 && text.right > line + 3),
      )
      .map(({ parent }) => nameOf(element) + ' crosses ' + nameOf(parent))
  })
  return { texts, cut: cut.map(nameOf), crossed }
})()`

/** Fields of the store's answers whose values the dashboard must put into words. All others are data. */
const worded = new Set([
  'status',
  'state',
  'host',
  'certificate',
  'role',
  'level',
  'code',
  '__typename',
  'door',
])
/** Event types and permissions, which the API names the same in every language, and examples. */
const wire = /\b[a-z]+(_[a-z]+)*([.:][a-z]+(_[a-z]+)*)+\b|https?:\/\/\S+|\bas_/g
/** Names that are the same in every language. */
const names =
  /\b(REST|GraphQL|MCP|CSV|NDJSON|JSON|DNS|TTL|API|HTTPS?|https?|UTC|ANAME|CNAME|ALIAS|KB|MB|ms)\b/g

/** Collects the data of the store that a tab receives. */
export function collectData(page: Page): Set<string> {
  const data = new Set<string>()
  const collect = (value: unknown, key = ''): void => {
    if (typeof value === 'string') {
      if (!worded.has(key) && /[A-Za-z]{2}/.test(value)) data.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) collect(each, Array.isArray(value) ? key : name)
    }
  }
  page.on('response', async response => {
    if (!/\/graphql$|\/session\//.test(response.url())) return
    collect(await response.json().catch(() => null))
  })
  return data
}

/** Returns the texts of a page that are not of the catalogue, and what its layout cuts off or crosses. */
export async function findTextFaults(page: Page, data: ReadonlySet<string>): Promise<string[]> {
  const { texts, cut, crossed } = await page.evaluate<Seen>(look)
  const known = [...data].sort((one, other) => other.length - one.length)
  const withoutData = (text: string) => known.reduce((left, each) => left.replaceAll(each, ' '), text)
  const withoutWire = (text: string) => text.replaceAll(wire, ' ')
  const isForeign = (text: string) => /[A-Za-z]{2,}/.test(text.replaceAll(names, ' '))
  // A name may be a part of another one, so try both orders.
  const foreign = texts.filter(
    text => isForeign(withoutWire(withoutData(text))) && isForeign(withoutData(withoutWire(text))),
  )
  return [
    ...new Set(foreign.map(text => `not of the catalogue: ${text.trim()}`)),
    ...cut.map(each => `cut off: ${each}`),
    ...new Set(crossed.map(each => `border: ${each}`)),
  ]
}
