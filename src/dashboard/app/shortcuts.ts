const place = 'animal-store.shortcuts'

/** People who dictate turn off shortcuts of a single letter (WCAG 2.1.4). */
export const areShortcutsOn = () => localStorage.getItem(place) !== 'off'
export const turnShortcuts = (on: boolean) =>
  on ? localStorage.removeItem(place) : localStorage.setItem(place, 'off')

export type Shortcut = 'palette' | 'help' | 'next' | 'previous' | 'choose'
const ofKeys: Record<string, Shortcut> = {
  '/': 'palette',
  '?': 'help',
  j: 'next',
  k: 'previous',
  x: 'choose',
}

/** Returns the shortcut that a key press means; null while the reader types or a dialog is open. */
export function shortcutOf(event: KeyboardEvent): Shortcut | null {
  const { key, ctrlKey, metaKey, altKey, target } = event
  const isDialogOpen = document.querySelector('dialog[open]') !== null
  if (isDialogOpen || event.defaultPrevented) return null
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return 'palette'
  const isTyping =
    target instanceof HTMLElement &&
    (target.matches('select, textarea, input:not([type=checkbox])') || target.isContentEditable)
  if (ctrlKey || metaKey || altKey || isTyping || !areShortcutsOn()) return null
  return ofKeys[key] ?? null
}

const rows = () =>
  [...document.querySelectorAll<HTMLElement>('main tbody tr')].flatMap(row => {
    const link = row.querySelector<HTMLElement>('th a, th button')
    return link ? [{ row, link }] : []
  })
const here = () => rows().findIndex(({ row }) => row.contains(document.activeElement))

/** Focuses the name in the next or previous row, where Enter opens the thing. */
export function moveInList(by: 1 | -1): void {
  const all = rows()
  const from = here()
  const next = from < 0 ? (by === 1 ? 0 : all.length - 1) : from + by
  all[Math.min(Math.max(next, 0), all.length - 1)]?.link.focus()
}

export function chooseInList(): void {
  rows()[here()]?.row.querySelector<HTMLElement>('td.col-check input')?.click()
}
