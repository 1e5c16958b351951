type Cell = string | number | null | undefined

/** Rows under their headings, each column as wide as its longest cell. */
export function table(headings: string[], rows: Cell[][]): string {
  const lines = [headings, ...rows.map(row => row.map(cell => String(cell ?? '-')))]
  const widths = headings.map((_, column) => Math.max(...lines.map(line => [...(line[column] ?? '')].length)))
  const pad = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)
  return lines.map(line => line.map(pad).join('  ').trimEnd()).join('\n')
}

/** A moment to the minute, in UTC. */
export function moment(time: string | null | undefined, absent = 'never'): string {
  return time ? `${time.slice(0, 16).replace('T', ' ')} UTC` : absent
}
