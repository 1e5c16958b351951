/** Longer names than a slip of the pen makes of a known one. */
const longest = 40

/** Whether a name is a slip for a known one: `LIMIT`, `statsu`, `limits`, `limit[]`, `filter[status]`. */
export function isNearly(name: string, known: string): boolean {
  return name.split(/[[\]]/).some(part => part.length <= longest && isSlip(plain(part), plain(known)))
}

/** Without what spellings differ in. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_.-]/g, '')

/** One letter is a slip, and so are two of a long name; `list` is a word of its own beside `limit`. */
function isSlip(name: string, known: string): boolean {
  if (name.length < 4) return name === known
  const isPlural = name === `${known}es`
  return isPlural || distance(name, known) <= (Math.min(name.length, known.length) < 5 ? 1 : 2)
}

/** Letters to add, drop, exchange or swap with their neighbour on the way from one to the other. */
function distance(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let column = 1; column <= to.length; column++) {
      const at = (line: number[], index: number) => line[index] ?? 0
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : Infinity,
      )
    }
    before = last
    last = next
  }
  return last[to.length] ?? 0
}
