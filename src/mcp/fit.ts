/** Size of a page in bytes of JSON, small enough for a model's context. */
export const mostBytes = 50_000

/**
 * Returns as many of the first items as fit an answer, but at least one. The returned cursor continues the list after
 * the last returned item, so that no item is lost.
 */
export function fitPage<Item, Shown extends object>(
  items: readonly Item[],
  nextCursor: string | null,
  show: (item: Item) => Shown,
  cursorOf: (item: Item) => string,
): { items: Shown[]; nextCursor: string | null } {
  const all = items.map(show)
  if (Buffer.byteLength(JSON.stringify(all)) <= mostBytes) return { items: all, nextCursor }
  const shown: Shown[] = []
  let bytes = 0
  for (const each of all) {
    bytes += Buffer.byteLength(JSON.stringify(each)) + 1
    const last = items[shown.length - 1]
    if (bytes > mostBytes && last !== undefined) return { items: shown, nextCursor: cursorOf(last) }
    shown.push(each)
  }
  return { items: shown, nextCursor }
}

/** Drops unset fields, as REST does, and writes int64s as strings. */
export function plain(row: object): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (value !== null && value !== undefined) shown[name] = typeof value === 'bigint' ? String(value) : value
  }
  return shown
}
