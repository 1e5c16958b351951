import type { Page } from 'playwright-core'

type Seen = { texts: string[]; cut: string[]; crossed: string[]; wide: string[] }

/** Runs in the page, and collects all readable texts, those that are cut off, and borders that cross a text. */
const look = `(() => {
  const isCode = element => element.closest('code, pre, kbd, samp, .mono, script, style') !== null
  const remember = judge => {
    const known = new Map()
    const judged = element => {
      if (!element) return judge(null)
      if (!known.has(element)) known.set(element, judge(element))
      return known.get(element)
    }
    return judged
  }
  const isSheet = element => innerWidth < 600 && element.matches('.side')
  const isFloating = remember(element =>
    element !== null &&
    (isSheet(element) ||
      (['fixed', 'absolute', 'sticky'].includes(getComputedStyle(element).position) && !element.matches('dialog, .side')) ||
      isFloating(element.parentElement)),
  )
  // A box that scrolls or clips shows only a part of what is inside.
  const clipOf = remember(element => {
    if (element === null) return { left: -Infinity, right: Infinity }
    const outside = clipOf(element.parentElement)
    if (getComputedStyle(element).overflowX === 'visible') return outside
    const box = element.getBoundingClientRect()
    return { left: Math.max(outside.left, box.left), right: Math.min(outside.right, box.right) }
  })
  const visibleBox = (element, box) => {
    const clip = clipOf(element)
    const [left, right] = [Math.max(clip.left, box.left), Math.min(clip.right, box.right)]
    return { left, right, top: box.top, bottom: box.bottom, width: right - left }
  }
  // If a dialog is open, check only the dialog: the tests check the page behind the dialog separately.
  const dialog = document.querySelector('dialog[open]')
  const root = dialog ?? document.body
  const texts = [document.title]
  const boxes = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
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
  for (const element of root.querySelectorAll(names.map(name => '[' + name + ']').join()))
    if (!isCode(element)) texts.push(...names.flatMap(name => element.getAttribute(name) ?? []))

  const nameOf = element => element.outerHTML.slice(0, 120)
  const shown = [...root.querySelectorAll('*')].filter(element => element.checkVisibility())
  const cut = shown.filter(element => {
    const { overflowX, overflowY } = getComputedStyle(element)
    const hides = value => value === 'hidden' || value === 'clip'
    if (element.matches('input, .sr, .sr *, [title]') || element.textContent.trim() === '') return false
    return (
      ((hides(overflowX) || element.matches('button')) && element.scrollWidth > element.clientWidth + 1) ||
      (hides(overflowY) && element.scrollHeight > element.clientHeight + 1)
    )
  })
  const written = boxes.filter(({ parent }) => !parent.closest('svg') && !isFloating(parent))
  const crossed = shown.flatMap(element => {
    const { borderLeftWidth, borderRightWidth } = getComputedStyle(element)
    if (borderLeftWidth === '0px' && borderRightWidth === '0px') return []
    const box = element.getBoundingClientRect()
    const lines = [
      ...(parseFloat(borderLeftWidth) > 0 ? [box.left] : []),
      ...(parseFloat(borderRightWidth) > 0 ? [box.right] : []),
    ]
    if (box.height < 60 || isFloating(element)) return []
    return written
      .filter(({ box: text }) =>
        text.width > 0 && text.bottom > box.top + 1 && text.top < box.bottom - 1 &&
        lines.some(line => text.left < line - 3 && text.right > line + 3),
      )
      .map(({ parent }) => nameOf(element) + ' crosses ' + nameOf(parent))
  })
  const overflows = element => {
    const { left, right } = visibleBox(element, element.getBoundingClientRect())
    return left < -1 || right > innerWidth + 1
  }
  const isWide = document.documentElement.scrollWidth > innerWidth
  const wide = isWide ? shown.filter(element => overflows(element) && !isFloating(element)).slice(-2).map(nameOf) : []
  return { texts, cut: cut.map(nameOf), crossed, wide: isWide ? [wide.join(' and ')] : [] }
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
/** Texts that are the same in every language: event types and permissions, as the API names them, and examples. */
const wire = /\b[a-z]+(_[a-z]+)*([.:][a-z]+(_[a-z]+)*)+\b|https?:\/\/\S+|\bas_/g
/** Names that are the same in every language. */
const names =
  /\b(REST|GraphQL|MCP|CSV|NDJSON|JSON|DNS|TTL|API|HTTPS?|https?|UTC|ANAME|CNAME|ALIAS|KB|MB|ms)\b/g

/**
 * Texts that need no translation if they stand alone: the names of plans, which operators choose, and the example of a
 * slug.
 */
const alone = /^(free|pro|business|enterprise|happy-paws)$/

export type Received = {
  /** Waits until all received data has been read, and returns it. */
  all(): Promise<ReadonlySet<string>>
  /**
   * Forgets all data except the data of the page load, which is the data that had arrived when `all` was first called.
   * The next page requests its own data.
   */
  startOver(): void
}

/** Collects the data of the store that a tab receives. */
export function collectData(page: Page): Received {
  let atLoad: Set<string> | undefined
  let data = new Set<string>()
  let reading: Promise<void>[] = []
  const collect = (value: unknown, key = ''): void => {
    if (typeof value === 'string') {
      if (!worded.has(key) && /[A-Za-z]{2}/.test(value)) data.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) collect(each, Array.isArray(value) ? key : name)
    }
  }
  page.on('response', response => {
    if (/\/graphql$|\/session\/(?!watch)/.test(response.url()))
      reading.push(
        response.json().then(
          json => collect(json),
          () => {},
        ),
      )
  })
  return {
    async all() {
      await Promise.all(reading)
      atLoad ??= new Set(data)
      return data
    },
    startOver() {
      data = new Set(atLoad)
      reading = []
    },
  }
}

const layoutFaultsOf = ({ cut, crossed, wide }: Seen) => [
  ...cut.map(each => `cut off: ${each}`),
  ...new Set(crossed.map(each => `border: ${each}`)),
  ...wide.map(each => `wider than the window: ${each}`),
]

/**
 * Returns the faults of a page's layout: texts that are cut off, borders that cross a text, and elements that are wider
 * than the window.
 */
export const findLayoutFaults = async (page: Page) => layoutFaultsOf(await page.evaluate<Seen>(look))

/** Returns the texts of a page that are not from the catalogue, and the faults of the page's layout. */
export async function findTextFaults(page: Page, data: ReadonlySet<string>): Promise<string[]> {
  const seen = await page.evaluate<Seen>(look)
  const known = [...data].sort((one, other) => other.length - one.length)
  const withoutData = (text: string) => known.reduce((left, each) => left.replaceAll(each, ' '), text)
  const withoutWire = (text: string) => text.replaceAll(wire, ' ')
  const isForeign = (text: string) =>
    /[A-Za-z]{2,}/.test(text.replaceAll(names, ' ')) && !alone.test(text.trim())
  // A value of the data may contain a name of the API, and a name of the API may contain a value of the data. Try both
  // orders of removal: a text is foreign only if words remain after each order.
  const foreign = seen.texts.filter(
    text => isForeign(withoutWire(withoutData(text))) && isForeign(withoutData(withoutWire(text))),
  )
  return [...new Set(foreign.map(text => `not of the catalogue: ${text.trim()}`)), ...layoutFaultsOf(seen)]
}
