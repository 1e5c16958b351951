/**
 * Returns the SQL statement by which a migration declares itself additive. When an additive migration runs, processes
 * of an older version, which lacks the migration, may keep running.
 */
export const declarationOf = (name: string) => `INSERT INTO "additive_migrations" VALUES ('${name}');`

/**
 * Returns the reason why processes of an older version could not keep running after this migration; null if the
 * migration only adds.
 */
export function whyNotAdditive(sql: string): string | null {
  const statements = withoutTexts(sql)
    .split(';')
    .map(statement => statement.replace(/\s+/g, ' ').trim())
  const made = new Set(
    statements.flatMap(statement => /^CREATE (?:UNLOGGED )?TABLE (\S+)/i.exec(statement)?.[1] ?? []),
  )
  for (const statement of statements) {
    const table = /^ALTER TABLE (?:ONLY )?(\S+)|^CREATE UNIQUE INDEX .*? ON (?:ONLY )?([^\s(]+)/i.exec(
      statement,
    )
    const isNew = made.has(table?.[1] ?? table?.[2] ?? '')
    const reason = reasons.find(([pattern, , always]) => (always || !isNew) && pattern.test(statement))?.[1]
    if (reason) return `${reason}: ${statement}`
    if (!isNew && actionsOf(statement).some(addsWhatOthersMustFill))
      return `adds what others do not fill: ${statement}`
  }
  return null
}

/** `always`: the reason also applies to a table that the migration itself creates. */
const reasons: [pattern: RegExp, reason: string, always?: true][] = [
  [/\bDROP\b/i, 'drops', true],
  [/\bRENAME\b/i, 'renames', true],
  [/^(TRUNCATE|DELETE)\b/i, 'removes rows', true],
  [/\bSET NOT NULL\b/i, 'asks for what others leave out'],
  [/\bALTER (COLUMN )?\S+ (SET DATA )?TYPE\b/i, 'changes a type'],
  [
    /^CREATE UNIQUE INDEX\b|\bADD (CONSTRAINT \S+ )?(UNIQUE|CHECK|PRIMARY KEY|EXCLUDE)\b/i,
    'forbids what others may do',
  ],
]

const addsWhatOthersMustFill = (action: string) =>
  /\bADD COLUMN\b/i.test(action) && /\bNOT NULL\b/i.test(action) && !/\b(DEFAULT|GENERATED)\b/i.test(action)

/** Splits an ALTER TABLE at the commas outside parentheses. */
const actionsOf = (statement: string) => statement.split(/,(?![^(]*\))/)

/** Removes comments, strings and function bodies, whose words could look like changes of tables. */
function withoutTexts(sql: string): string {
  return sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'/g, ' ')
}
