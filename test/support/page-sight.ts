import type { Page } from 'playwright-core'

/**
 * Runs in the page, and finds elements that are wider than the window, have the focus without a visible sign of it, or
 * are invisible.
 */
const look = `(() => {
  const nameOf = element => element.outerHTML.slice(0, 120)
  // A menu closes when the focus leaves it, so nothing behind an open menu can have the focus.
  const root = document.querySelector('dialog[open]') ?? document.querySelector('[role=menu]') ?? document.body
  const shown = [...root.querySelectorAll('*')].filter(element => element.checkVisibility({ visibilityProperty: true }))

  const scrolls = element => ['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(element).overflowX)
  const isInside = element => element.parentElement !== null && (scrolls(element.parentElement) || isInside(element.parentElement))
  const isWide = document.documentElement.scrollWidth > innerWidth
  const wide = shown.filter(element => {
    const { left, right } = element.getBoundingClientRect()
    return isWide && (left < -1 || right > innerWidth + 1) && !isInside(element)
  })
  const dialog = root.matches('dialog') && root.scrollWidth > root.clientWidth ? [root] : []

  const [canvas] = [document.createElement('canvas').getContext('2d', { willReadFrequently: true })]
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const light = ([red, green, blue]) => {
    const part = value => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
    return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
  }
  const contrast = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b)
    return (bright + 0.05) / (dark + 0.05)
  }
  const behind = element => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor)
      if (colour[3] > 200) return colour
    }
    return rgba('Canvas')
  }
  const faint = shown.filter(element => {
    const isBar = element.matches('.track span, .bar > span')
    if (!isBar && !element.matches('svg.chart rect:not(.read)')) return false
    const { width, height } = element.getBoundingClientRect()
    const style = getComputedStyle(element)
    return width > 0 && height > 0 && contrast(rgba(isBar ? style.backgroundColor : style.fill), behind(element)) < 3
  })

  const hasRing = element => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && rgba(outlineColor)[3] > 0
  }
  const layerOf = element => {
    for (let at = element; at; at = at.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(at).position)) return at
    return null
  }
  const before = document.activeElement
  // An element that has the focus already would not scroll into view.
  if (before instanceof HTMLElement) before.blur()
  const ringless = []
  const covered = []
  for (const element of shown) {
    if (!element.matches('a[href], button, input, select, textarea, summary') || element.tabIndex < 0 || element.disabled) continue
    element.focus()
    if (document.activeElement !== element) continue
    const near = [element, element.nextElementSibling, element.parentElement].filter(each => each !== null)
    if (!near.some(hasRing)) ringless.push(element)
    const box = element.getBoundingClientRect()
    const isCovered = y => {
      const top = document.elementFromPoint(box.left + box.width / 2, y)
      const layer = top && layerOf(top)
      return y < 0 || y > innerHeight || (layer && !layer.matches('.toast') && !layer.contains(element))
    }
    if (box.width > 2 && [box.top + 2, box.top + box.height / 2, box.bottom - 2].every(isCovered)) covered.push(element)
  }
  if (before instanceof HTMLElement) before.focus()
  const named = (what, elements) => elements.slice(0, 3).map(element => what + ': ' + nameOf(element))
  return [
    ...named('wider than the window', isWide && wide.length === 0 ? [root] : wide.slice(-2)),
    ...named('scrolls sideways', dialog),
    ...named('hardly visible', faint),
    ...named('no sign of the focus', ringless),
    ...named('covered while focused', covered),
  ]
})()`

/**
 * Returns what a reader cannot see in this window and with these colours. The last input must have been a key press, so
 * that the browser shows the focus.
 */
export const findUnseen = (page: Page) => page.evaluate<string[]>(look)
