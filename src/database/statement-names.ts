/**
 * Names prepared statements. PostgreSQL parses and plans a named statement once for each connection, which doubles the
 * number of lists served per second. The number of names is limited, because a list of ids is a different statement for
 * each length. '' means no name. After tables were replaced, the old statements fail on every connection that is still
 * open, and a failed transaction does not close its connection. So all statements are then prepared again under new
 * names.
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
