/**
 * Names prepared statements. PostgreSQL parses and plans a named statement once for each connection, which doubles the
 * number of lists served per second. The number of names is limited, because a list of ids is a different statement for
 * each length. A statement beyond the limit gets '', which means no name. After the tables were replaced, every
 * statement that was prepared earlier fails on each open connection. The failures would not end by themselves, because
 * a failed transaction does not close its connection. `nameAgain` therefore gives all statements new names, so that
 * PostgreSQL prepares them again.
 */
export function nameStatements() {
  const names = new Map<string, string>()
  let era = 0
  return {
    nameOf({ sql }: { sql: string }): string {
      if (!names.has(sql) && names.size < 500) names.set(sql, `store_${era}_${names.size}`)
      return names.get(sql) ?? ''
    },
    nameAgain() {
      era++
      names.clear()
    },
  }
}
