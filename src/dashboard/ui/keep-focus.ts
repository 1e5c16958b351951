type Place = {
  element: HTMLElement
  row: Element | null
  list: Element | null
  index: number
  control: string
}

/**
 * Moves the focus when the focused element disappears, for example after Approve or Delete. Looks for a control of the
 * same kind, first in the following rows, and after these in the rows before. If no row has the control, the page's
 * heading gets the focus. Browsers would move the focus to the body, where a keyboard user starts again.
 */
export function keepFocus(): () => void {
  let last: Place | null = null
  const note = ({ target }: FocusEvent) => {
    // Ignore the focus inside a dialog, because a dialog that closes returns the focus to the element that opened the
    // dialog.
    if (target instanceof HTMLElement && !target.closest('dialog')) last = placeOf(target)
  }
  // A click on an empty place removes the focus on purpose, so do not restore it.
  const forget = ({ target }: PointerEvent) => {
    if (target instanceof Element && !target.closest('dialog') && !last?.element.contains(target)) last = null
  }
  const observer = new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return
    const next = nextOf(last)
    last = null
    next?.focus({ preventScroll: next.matches('h1') })
  })
  document.addEventListener('focusin', note)
  document.addEventListener('pointerdown', forget)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', note)
    document.removeEventListener('pointerdown', forget)
    observer.disconnect()
  }
}

function placeOf(element: HTMLElement): Place {
  const row = element.closest('tr, article')
  const list = row?.parentElement ?? null
  return {
    element,
    row,
    list,
    index: row && list ? [...list.children].indexOf(row) : 0,
    control: controlOf(element),
  }
}

/** Returns the kind of a control: the first word of its label, such as "Approve" of "Approve order 7". */
function controlOf(element: Element): string {
  return (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().split(' ', 1)[0] ?? ''
}

function nextOf({ row, list, index, control }: Place): HTMLElement | null {
  const rows = list?.isConnected ? [...list.children] : []
  const from = row?.isConnected ? rows.indexOf(row) : index
  const controls = [...rows.slice(from), ...rows.slice(0, from).reverse()].flatMap(each => [
    ...each.querySelectorAll<HTMLElement>('button, a'),
  ])
  return controls.find(each => controlOf(each) === control) ?? document.querySelector<HTMLElement>('h1')
}
